// Command cinch is a terminal inspector for context compaction.
package main

import (
	"os"

	"cinch/ui/cli"
	_ "cinch/ui/dark"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
