package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"cinch/ui/draw"
)

// searchable is how many recorded messages some call of the replay can show.
func (p *replayScreen) searchable() int {
	if len(p.points) == 0 {
		return 0
	}
	return min(p.points[len(p.points)-1].message, len(p.t.Recording.Messages))
}

// askSearch looks for text in everything that was recorded before the last call.
func (p *replayScreen) askSearch() tea.Cmd {
	was, at, row := p.search.query, p.at, p.cursor
	find := func(text string) tea.Cmd {
		return p.search.start(p.r.ctx, p.t.Recording.Messages[:p.searchable()], text)
	}
	pr := newPrompt("/", "text, or letters in order; enter keeps it, esc leaves it", "", func(string) (tea.Cmd, error) { return nil, nil })
	pr.change = func(text string) tea.Cmd {
		cmd := find(text)
		p.search.jump = true // also when enter comes before the answer
		return cmd
	}
	pr.cancel = func() tea.Cmd {
		p.reveal = -1
		p.seek(at)
		p.moveTo(row)
		return find(was)
	}
	return p.r.ask(pr)
}

// searched goes to the first match from the cursor on.
func (p *replayScreen) searched() {
	if p.t != nil && len(p.search.hits) > 0 && p.search.jump {
		p.goTo(p.search.first(max(p.selected(), 0)))
	}
}

// hit goes to another match, around the ends.
func (p *replayScreen) hit(by int) tea.Cmd {
	switch {
	case p.search.query == "":
		return p.r.say(draw.Dim, "nothing was searched for: %s begins", p.r.press("what the model sees", "search"))
	case len(p.search.hits) == 0:
		return nil
	}
	hit, around := p.search.from(p.selected(), by)
	p.goTo(hit)
	if around {
		return p.r.say(draw.Dim, "around the end: %s", p.search.status(p.selected()))
	}
	return nil
}

// goTo puts the list's cursor on a recorded message. One that comes after the
// call under the timeline's cursor moves that to the first call that was sent it;
// one that is no longer sent is taken out of its fold.
func (p *replayScreen) goTo(message int) {
	p.reveal = message
	if message >= p.points[p.at].message {
		p.seek(p.pointAt(message + 1))
	} else {
		p.look()
	}
	p.card = false
	p.moveTo(p.rows.find(message))
}
