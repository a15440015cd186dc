package terminal

import (
	"strings"
	"unicode"
)

// style is a set of ways to show a character.
type style uint8

const (
	bold style = 1 << iota
	italic
	dim
	cyan
)

// sgr holds the parameters of "select graphic rendition" (ECMA-48, 8.3.117)
// for the bits of a style, lowest first.
var sgr = [...]string{"1", "3", "2", "36"}

// glyph is a character with its style.
type glyph struct {
	r     rune
	style style
}

func glyphs(text string, s style) []glyph {
	var gs []glyph
	for _, r := range text {
		gs = append(gs, glyph{r, s})
	}
	return gs
}

// paint writes glyphs with the escape sequences between styles. It leaves the
// terminal in the plain style.
func paint(b *strings.Builder, gs []glyph) {
	var now style
	for _, g := range gs {
		if g.style != now {
			setStyle(b, g.style)
			now = g.style
		}
		b.WriteRune(g.r)
	}
	if now != 0 {
		setStyle(b, 0)
	}
}

func setStyle(b *strings.Builder, s style) {
	b.WriteString("\x1b[0")
	for i, p := range sgr {
		if s&(1<<i) != 0 {
			b.WriteString(";" + p)
		}
	}
	b.WriteByte('m')
}

// wide lists what terminals show in two cells, roughly: the East Asian Wide and
// Fullwidth blocks (Unicode Standard Annex 11) and the emoji blocks.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1},
		{Lo: 0x231a, Hi: 0x231b, Stride: 1},
		{Lo: 0x23e9, Hi: 0x23ec, Stride: 1},
		{Lo: 0x2614, Hi: 0x2615, Stride: 1},
		{Lo: 0x2648, Hi: 0x2653, Stride: 1},
		{Lo: 0x26aa, Hi: 0x26ab, Stride: 1},
		{Lo: 0x2705, Hi: 0x2705, Stride: 1},
		{Lo: 0x270a, Hi: 0x270b, Stride: 1},
		{Lo: 0x2728, Hi: 0x2728, Stride: 1},
		{Lo: 0x274c, Hi: 0x274c, Stride: 1},
		{Lo: 0x2753, Hi: 0x2755, Stride: 1},
		{Lo: 0x2795, Hi: 0x2797, Stride: 1},
		{Lo: 0x2b50, Hi: 0x2b50, Stride: 1},
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1},
		{Lo: 0x3041, Hi: 0x4dbf, Stride: 1},
		{Lo: 0x4e00, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xa960, Hi: 0xa97c, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff01, Hi: 0xff60, Stride: 1},
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1},
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1},
		{Lo: 0x1f7e0, Hi: 0x1f7eb, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1faff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

// cells returns how many columns a character takes.
func cells(r rune) int {
	switch {
	case r < 0x300: // the common case
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// wrap cuts a line into lines of at most width columns, at spaces and beside
// wide characters, whose scripts do without spaces. A longer word, such as a
// link, stays whole, so that the terminal knows it as one.
func wrap(gs []glyph, width int) [][]glyph {
	var lines [][]glyph
	for {
		n := fit(gs, width)
		lines = append(lines, trimSpaces(gs[:n]))
		gs = gs[n:]
		if len(gs) == 0 {
			return lines
		}
	}
}

// fit returns how many glyphs go on the first line, with the spaces at its end.
func fit(gs []glyph, width int) int {
	used, cut := 0, 0
	for i, g := range gs {
		if i > 0 && (cells(g.r) == 2 || cells(gs[i-1].r) == 2) {
			cut = i
		}
		used += cells(g.r)
		switch {
		case g.r == ' ':
			cut = i + 1
		case used > width && cut > 0:
			return cut
		}
	}
	return len(gs)
}

// trimSpaces drops the spaces at the end, where they would only wrap.
func trimSpaces(gs []glyph) []glyph {
	for len(gs) > 0 && gs[len(gs)-1].r == ' ' {
		gs = gs[:len(gs)-1]
	}
	return gs
}
