// Command cinch is a terminal inspector for context compaction.
package main

func main() {}
