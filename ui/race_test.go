//go:build race

package ui

// Under the race detector memory is allocated that the program does not ask for.
func init() { raced = true }
