package media

import (
	"math"
	"strings"

	"github.com/ledongthuc/pdf"
)

// matrix maps x, y to a·x+c·y+e, b·x+d·y+f (ISO 32000-1, 8.3.3).
type matrix struct{ a, b, c, d, e, f float64 }

func identity() matrix { return matrix{a: 1, d: 1} }

func shift(x, y float64) matrix { return matrix{a: 1, d: 1, e: x, f: y} }

// mul returns the matrix that applies m first and then n.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		a: m.a*n.a + m.b*n.c, b: m.a*n.b + m.b*n.d,
		c: m.c*n.a + m.d*n.c, d: m.c*n.b + m.d*n.d,
		e: m.e*n.a + m.f*n.c + n.e, f: m.e*n.b + m.f*n.d + n.f,
	}
}

// graphics is the part of the graphics state that places text (ISO 32000-1,
// 8.4.1 and 9.3.1).
type graphics struct {
	ctm        matrix // page
	tm, line   matrix // text, and the start of its line
	font       *font
	size       float64 // of the font
	char, word float64 // extra space behind each character, each blank
	stretch    float64 // horizontal scale; 1 is plain
	leading    float64 // between lines
	rise       float64
}

// layout makes text of the drawing operators of a page. The file says where
// glyphs stand, not what words and lines are; those are told from the gaps.
// The library has a function for it, which knows no gaps and so runs the words
// of most typeset documents together.
type layout struct {
	graphics
	named *resources
	saved []graphics
	depth int  // forms inside each other
	image bool // between the head and the end of an inline image
	torn  bool // something could not be read

	out   strings.Builder
	limit int     // bytes of out that are enough
	x, y  float64 // where the last text ended
	em    float64 // height of the last text
}

// enough is panicked to leave the interpreter, which has no other way out.
type enough struct{}

// pageText returns the text of a page, or of its beginning where that has the
// given number of characters. What was read before a fault counts, and a note
// says that there was one.
func pageText(p pdf.Page, chars int) (text string) {
	l := &layout{limit: 4 * chars}
	l.graphics = graphics{ctm: identity(), tm: identity(), line: identity(), stretch: 1}
	defer func() {
		if fault := recover(); fault != nil && fault != (enough{}) {
			l.torn = true
		}
		text = ligatures().Replace(l.out.String())
		if l.torn {
			text += "\n[a part of this page cannot be read]"
		}
	}()
	l.named = newResources(p.Resources())
	if contents := p.V.Key("Contents"); contents.Kind() != pdf.Null {
		l.interpret(contents)
	}
	return ""
}

// interpret runs the operators of a stream. The library takes the bytes of an
// inline image for operators and operands; those which look like the start of a
// string hide everything behind them, the end of the image first of all.
func (l *layout) interpret(stream pdf.Value) {
	l.image = false
	pdf.Interpret(stream, l.do)
	l.torn = l.torn || l.image
}

// ligatures spells out those that typesetting made.
func ligatures() *strings.Replacer {
	return strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl")
}

// operands are the arguments of an operator; missing ones are zero.
type operands []pdf.Value

func (o operands) value(i int) pdf.Value {
	if i < len(o) {
		return o[i]
	}
	return pdf.Value{}
}

func (o operands) num(i int) float64 { return o.value(i).Float64() }

func (o operands) matrix() matrix {
	return matrix{o.num(0), o.num(1), o.num(2), o.num(3), o.num(4), o.num(5)}
}

// do runs one operator (ISO 32000-1, annex A). Those which draw no text are
// skipped.
func (l *layout) do(stack *pdf.Stack, op string) {
	args := make(operands, stack.Len())
	for i := len(args) - 1; i >= 0; i-- {
		args[i] = stack.Pop()
	}
	switch op {
	case "Do":
		l.doForm(args.value(0).Name())
	case "ID", "EI":
		l.image = op == "ID"
	case "q", "Q", "cm":
		l.doGraphics(op, args)
	case "Tf", "Tc", "Tw", "Tz", "TL", "Ts":
		l.doState(op, args)
	case "BT", "Td", "TD", "Tm", "T*":
		l.doMove(op, args)
	case "Tj", "TJ", "'", "\"":
		l.doShow(op, args)
	}
}

func (l *layout) doGraphics(op string, args operands) {
	switch op {
	case "q":
		l.saved = append(l.saved, l.graphics)
	case "Q":
		if n := len(l.saved); n > 0 {
			l.graphics, l.saved = l.saved[n-1], l.saved[:n-1]
		}
	case "cm":
		l.ctm = args.matrix().mul(l.ctm)
	}
}

func (l *layout) doState(op string, args operands) {
	switch op {
	case "Tf":
		l.font, l.size = l.named.font(args.value(0).Name()), args.num(1)
	case "Tc":
		l.char = args.num(0)
	case "Tw":
		l.word = args.num(0)
	case "Tz":
		l.stretch = args.num(0) / 100
	case "TL":
		l.leading = args.num(0)
	case "Ts":
		l.rise = args.num(0)
	}
}

func (l *layout) doMove(op string, args operands) {
	switch op {
	case "BT":
		l.tm, l.line = identity(), identity()
		l.image = false // its end was overlooked, as nothing parted it from the bytes before it
	case "Td":
		l.move(args.num(0), args.num(1))
	case "TD":
		l.leading = -args.num(1)
		l.move(args.num(0), args.num(1))
	case "Tm":
		l.line = args.matrix()
		l.tm = l.line
	case "T*":
		l.move(0, -l.leading)
	}
}

func (l *layout) doShow(op string, args operands) {
	switch op {
	case "Tj":
		l.show(args.value(0).RawString())
	case "'":
		l.move(0, -l.leading)
		l.show(args.value(0).RawString())
	case "\"":
		l.word, l.char = args.num(0), args.num(1)
		l.move(0, -l.leading)
		l.show(args.value(2).RawString())
	case "TJ":
		for i := range args.value(0).Len() {
			if v := args.value(0).Index(i); v.Kind() == pdf.String {
				l.show(v.RawString())
			} else {
				l.advance(-v.Float64() / 1000 * l.size)
			}
		}
	}
}

func (l *layout) move(x, y float64) {
	l.line = shift(x, y).mul(l.line)
	l.tm = l.line
}

func (l *layout) advance(x float64) { l.tm = shift(x*l.stretch, 0).mul(l.tm) }

// show draws a string of glyph codes.
func (l *layout) show(raw string) {
	if l.font == nil || raw == "" {
		return
	}
	at := matrix{a: l.size * l.stretch, d: l.size, f: l.rise}.mul(l.tm).mul(l.ctm)
	em := math.Hypot(at.c, at.d)
	text := l.font.enc.Decode(raw)
	l.separate(at.e, at.f, em, strings.HasPrefix(text, " "))
	l.out.WriteString(text)
	if l.out.Len() >= l.limit {
		panic(enough{})
	}
	width, glyphs, blanks := l.font.width(raw)
	l.advance(width*l.size + float64(glyphs)*l.char + float64(blanks)*l.word)
	end := l.tm.mul(l.ctm)
	l.x, l.y, l.em = end.e, end.f, em
}

// separate writes what stands between the last text and the next one, which
// begins at x, y. Gaps of a sixth of the font's height part words: kerning is
// narrower, and the narrowest blank in justified text is wider.
func (l *layout) separate(x, y, em float64, blank bool) {
	if l.out.Len() == 0 {
		return
	}
	gap, drop, size := x-l.x, math.Abs(y-l.y), max(em, l.em)
	switch {
	case drop > 1.8*size:
		l.out.WriteString("\n\n")
	case drop > 0.5*size:
		l.out.WriteByte('\n')
	case !blank && (gap > size/6 || gap < -size):
		l.out.WriteByte(' ')
	}
}
