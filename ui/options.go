// Package ui is the inspector: one root model, the screens it shows, the keys
// they answer to, and the terminal they are drawn on. A screen holds a cursor
// and asks; the engines answer, and package draw turns the answers into lines.
package ui

import (
	"context"
	"os"

	"cinch/compactor"
	"cinch/compactor/ladder"
	"cinch/compactor/summarize"
	"cinch/model"
	"cinch/model/token"
	"cinch/model/transcript"
	"cinch/ui/draw"
)

// Settings are the knobs a conversation is first looked at with.
type Settings struct {
	Policy     compactor.Policy
	WindowFrom string // flag, policy, model, default
	Counter    token.Counter
	Overhead   token.OverheadRule
	View       model.View

	Engine        string               // that the inspector begins with: "" and truncating are its first screen
	Ladder        *ladder.Policy       // nil: one of drover's recipes
	LadderFrom    string               // where that policy is from, in a few words
	LadderFile    string               // the policy file it was read from, "" for none
	LadderCounter token.Counter        // nil: drover's own
	Summarizer    summarize.Summarizer // nil: nobody writes summaries
}

// Opened is a file, and how to look at each conversation in it.
type Opened struct {
	File     *transcript.File
	Settings func(*model.Conversation) (Settings, error)

	part int64 // bytes, when it is but the beginning of the file; 0 for the whole
}

// Options say what the inspector opens and how it is shown.
type Options struct {
	Path   string  // what to open; "" for a choice of what there is
	Opened *Opened // a file that was read already

	// Open reads a path. The inspector calls it in the background, shows how far
	// it is, and cancels the context when the user gives up.
	Open func(ctx context.Context, path string, progress func(done, total int64)) (*Opened, error)

	// Begin reads the first bytes of a path that Open is reading, as if nothing
	// followed, or fails where that shows nothing. nil shows nothing before the end.
	Begin func(ctx context.Context, path string, bytes int64) (*Opened, error)

	// Session is the conversation of the file that was asked for, "" for a choice
	// where there are several. OpenBranch reads a file again for another branch of
	// one of its conversations.
	Session    string
	OpenBranch func(ctx context.Context, path, session, branch string, progress func(done, total int64)) (*Opened, error)

	// Follow watches the file: seen gets it each time it has changed, or why it
	// cannot be read just now, until the context ends. nil opens the file once.
	Follow func(ctx context.Context, path string, progress func(done, total int64), seen func(*Opened, error)) error

	// Sessions finds the sessions on this machine, newest first, and Recent names
	// the files opened last. Remember is told of every file that is opened.
	Sessions func(ctx context.Context) ([]transcript.Session, error)
	Recent   func() []string
	Remember func(path string)

	// PlanJSON writes a plan as the command line's --json does, PassJSON a pass up
	// the ladder.
	PlanJSON func(PlanOf) string
	PassJSON func(PassOf) string

	Theme   string // auto, dark, light, high-contrast, mono
	Profile draw.Profile
	Glyphs  draw.GlyphSet
	NoMouse bool
	Keys    []Key // other keys than the program's own

	In  *os.File // keys; when it is not a terminal they come from the controlling one
	Out *os.File // the screen
}

// PlanOf is a plan with what it is a plan of.
type PlanOf struct {
	Conversation *model.Conversation
	Settings     Settings
	Plan         *compactor.Plan

	Before, After token.Split // what the plan counts, by kind
}

// PassOf is a pass up the ladder with what it is a pass of.
type PassOf struct {
	Conversation *model.Conversation
	Settings     Settings
	Engine       *ladder.Engine
	Outcome      ladder.Outcome
}

// Themes are the names Options.Theme takes.
var Themes = []string{"auto", "dark", "light", "high-contrast", "mono"}
