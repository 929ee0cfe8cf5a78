package draw

// ink is a foreground with attributes.
type ink struct {
	fg   colour
	attr attr
}

// step is one step of a heat map's ramp.
type step struct{ ink, ground colour }

// palette is one theme's colours: the Okabe–Ito set, which people with any
// colour vision tell apart, in variants that stay readable on the background.
type palette struct {
	page    colour // the background that is painted, noColour to leave the terminal's own
	assumed uint32 // the background contrast is computed against
	inks    [tokens]ink
	grounds [grounds]colour
	onRow   [grounds]*ink // one ink for all text of such a row, nil to keep each token's
	ramp    []step
}

// on is the parameters for a token on a ground.
func (p *palette) on(t Token, g Ground, profile Profile) string {
	i := p.inks[t]
	bg := p.grounds[g]
	if g == Base {
		bg = p.page
	}
	if t == Match && profile > ANSI16 {
		return sgr(p.inks[Match].fg, p.matchGround(), bold, profile)
	}
	if g == Cursor {
		if profile <= ANSI16 { // the sixteen colours have no background every text is readable on
			return sgr(noColour, noColour, i.attr&^reverse|reverse, profile)
		}
		if p.onRow[g] != nil {
			return sgr(p.onRow[g].fg, bg, i.attr|p.onRow[g].attr, profile)
		}
	}
	if g == Picked && profile <= ANSI16 {
		return sgr(i.fg, p.page, i.attr|bold, profile)
	}
	// On a ground of ours the terminal's own text colour may be as light, or as
	// dark, as the ground: who guesses the theme guesses wrong at times.
	if g != Base && bg != noColour && (i.fg == noColour || contrast(i.fg.shown(profile), bg.shown(profile)) < 4.5) {
		i.fg = p.inks[Strong].fg
	}
	return sgr(i.fg, bg, i.attr, profile)
}

// ghost is what the eye makes of a light shade of [GhostCell]: a quarter of its ink
// on the background.
func (p *palette) ghost() colour {
	var hex, sum uint32
	for shift := 0; shift <= 16; shift += 8 {
		page, ink := p.assumed>>shift&255, p.inks[GhostCell].fg.rgb>>shift&255
		v := (3*page + ink) / 4
		hex |= v << shift
		sum += v
	}
	grey := (int(sum/3) - 8 + 5) / 10 // of the 24 greys from 8 to 238
	return rgb(hex, 232+min(max(grey, 0), 23), -1)
}

func (p *palette) matchGround() colour { return p.inks[Mark].fg }

func rgb(hex uint32, c256, c16 int) colour { return colour{hex, int16(c256), int8(c16)} }

var palettes = [4]*palette{Dark: darkPalette(), Light: lightPalette(), HighContrast: contrastPalette(), Mono: monoPalette()}

// hues are the eight categorical colours and the greys of a theme.
type hues struct {
	text, dim, line, strong                                      colour
	orange, sky, green, yellow, vermillion, purple, grey, violet colour
	onMatch                                                      colour
}

func (h hues) inks() [tokens]ink {
	var t [tokens]ink
	for i := range t {
		t[i] = ink{fg: h.text}
	}
	set := func(c colour, a attr, names ...Token) {
		for _, n := range names {
			t[n] = ink{c, a}
		}
	}
	set(h.strong, bold, Strong, Title)
	set(h.dim, 0, Dim, FateFirst, FateRecent, FateEmptied, Pair)
	set(h.line, 0, Border, TrackCell, ReserveCell)
	set(h.dim, 0, GhostCell)
	set(h.sky, bold, Accent, BorderFocus, PairSelected)
	set(h.sky, 0, Key, FatePaired, FateShrunk)
	set(h.green, 0, Good)
	set(h.yellow, 0, Warning)
	set(h.orange, bold, Over)
	set(h.vermillion, bold, Emergency, Fault)
	set(h.vermillion, bold|reverse, Alarm)
	set(h.onMatch, bold|underline, Match)
	set(h.strong, bold, CutLine)
	set(h.yellow, 0, Mark)
	set(h.grey, 0, KindOverhead, KindSystem)
	set(h.yellow, 0, KindUser)
	set(h.green, 0, KindAssistant)
	set(h.purple, 0, KindThinking, KindSealed)
	set(h.orange, 0, KindCalls)
	set(h.sky, 0, KindResults)
	set(h.vermillion, 0, KindImages, KindDocuments)
	set(h.violet, bold, KindSummary)
	set(h.purple, 0, FateReattached, FateInserted)
	set(h.vermillion, 0, FateDropped)
	return t
}

func darkPalette() *palette {
	h := hues{
		text: noColour, dim: rgb(0xa8a8a8, 248, 7), line: rgb(0x6c6c6c, 242, 7), strong: rgb(0xffffff, 231, 15),
		orange: rgb(0xffaf00, 214, 3), sky: rgb(0x5fafd7, 74, 14), green: rgb(0x2fb890, 36, 10),
		yellow: rgb(0xf0e442, 228, 11), vermillion: rgb(0xff7f50, 209, 9),
		purple: rgb(0xd787af, 175, 13), grey: rgb(0x9e9e9e, 247, 7), violet: rgb(0xaf87ff, 141, 13), onMatch: rgb(0x000000, 16, 11),
	}
	return &palette{
		page: noColour, assumed: 0x1e1e1e, inks: h.inks(),
		grounds: [grounds]colour{Base: noColour, Cursor: rgb(0x303030, 236, 7), Picked: rgb(0x262626, 235, 0)},
		ramp:    viridis(),
	}
}

func lightPalette() *palette {
	h := hues{
		text: noColour, dim: rgb(0x585858, 240, 0), line: rgb(0x949494, 246, 0), strong: rgb(0x000000, 16, 0),
		orange: rgb(0x9a4f00, 130, 1), sky: rgb(0x005faf, 25, 4), green: rgb(0x00704e, 29, 4),
		yellow: rgb(0x7a5600, 94, 5), vermillion: rgb(0xaf0000, 124, 1),
		purple: rgb(0x870087, 90, 5), grey: rgb(0x626262, 241, 0), violet: rgb(0x5f0087, 54, 5), onMatch: rgb(0xffffff, 231, 1),
	}
	inks := h.inks()
	// Yellow that is dark enough for white is nearly orange, so a person's own
	// words are black here.
	inks[KindUser].fg = rgb(0x303030, 236, 0)
	inks[KindOverhead].fg = rgb(0x8a8a8a, 245, 7)
	return &palette{
		page: noColour, assumed: 0xffffff, inks: inks,
		grounds: [grounds]colour{Base: noColour, Cursor: rgb(0xe4e4e4, 254, 7), Picked: rgb(0xf0f0f0, 255, 7)},
		ramp:    viridis(),
	}
}

func contrastPalette() *palette {
	white, black := rgb(0xffffff, 231, 15), rgb(0x000000, 16, 0)
	h := hues{
		text: white, dim: rgb(0xd0d0d0, 252, 15), line: rgb(0xbcbcbc, 250, 15), strong: white,
		orange: rgb(0xffaf00, 214, 11), sky: rgb(0x87d7ff, 117, 14), green: rgb(0x5fd7af, 79, 10),
		yellow: rgb(0xffff5f, 227, 11), vermillion: rgb(0xffaf87, 216, 11),
		purple: rgb(0xffafd7, 218, 13), grey: rgb(0xc6c6c6, 251, 15), violet: rgb(0xd7afff, 183, 13), onMatch: black,
	}
	return &palette{
		page: black, assumed: 0x000000, inks: h.inks(),
		grounds: [grounds]colour{Base: black, Cursor: rgb(0xffff5f, 227, 11), Picked: rgb(0x303030, 236, 0)},
		onRow:   [grounds]*ink{Cursor: {fg: black, attr: bold}},
		ramp:    viridis(),
	}
}

func monoPalette() *palette {
	p := &palette{page: noColour, assumed: 0x000000}
	for i := range p.inks {
		p.inks[i] = ink{fg: noColour}
	}
	for i := range p.grounds {
		p.grounds[i] = noColour
	}
	for _, t := range []Token{Strong, Title, Accent, Over, Emergency, Fault, PairSelected, CutLine, BorderFocus, Key} {
		p.inks[t].attr = bold
	}
	p.inks[Alarm].attr = bold | reverse
	p.inks[Match].attr = bold | underline
	return p
}

// viridis is a ramp of eight steps from low to high that reads the same with any
// colour vision and in grey.
func viridis() []step {
	black, white := rgb(0x000000, 16, 0), rgb(0xffffff, 231, 15)
	return []step{
		{white, rgb(0x440154, 53, 4)}, {white, rgb(0x46327e, 60, 4)}, {white, rgb(0x365c8d, 24, 4)},
		{white, rgb(0x1f6a70, 29, 4)}, {black, rgb(0x1fa187, 36, 6)}, {black, rgb(0x4ac16d, 77, 6)},
		{black, rgb(0xa0da39, 148, 3)}, {black, rgb(0xfde725, 220, 3)},
	}
}
