// Command cinch is a terminal inspector for context compaction.
package main

import _ "cinch/ui/dark"

func main() {}
