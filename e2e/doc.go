// Package e2e holds the tests that run the built program in a real terminal.
// They need tmux, and so stand behind the build tag e2e: make e2e.
package e2e
