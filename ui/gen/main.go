// Command gen writes the manual's page of keys from the inspector's key table.
package main

import (
	"bytes"
	"fmt"
	"os"

	"cinch/ui"
	_ "cinch/ui/dark"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen FILE")
		os.Exit(2)
	}
	var page bytes.Buffer
	ui.KeyTable(&page)
	if err := os.WriteFile(os.Args[1], page.Bytes(), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
