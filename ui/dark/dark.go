// Package dark keeps a start from waiting for the terminal.
//
// Bubble Tea asks the terminal for its background colour while the program is
// being initialised, whatever the program was started for, and waits up to five
// seconds where nothing answers. The question is not asked when Lip Gloss
// already knows. Packages are initialised in the order of their import paths, so
// this one, which sorts before github.com/charmbracelet/bubbletea, comes first.
//
// Import it for its effect from main. The inspector finds out about light and
// dark by itself, with a limit, once it is going to draw.
package dark

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
