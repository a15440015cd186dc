package terms

import (
	"sort"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plain is a text in the form in which it is read: compatibility composed (NFKC,
// UAX #15) so that full-width letters and decomposed accents make no difference,
// with one apostrophe and one hyphen, and without characters that cannot be
// seen. Case and accents are still there.
type plain struct {
	text   string
	points []point // empty when text is what was written, byte for byte
}

// point says where the bytes of a plain text from at on were written.
type point struct {
	at, from int
	copied   bool // byte for byte; otherwise all of them stand for what was at from
}

// newPlain returns the plain form of a text. Most texts are their own.
func newPlain(text string) plain {
	strange := false
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			strange = true
			break
		}
	}
	switch {
	case !strange:
		return plain{text: text}
	case !norm.NFKC.IsNormalString(text):
		return composed(text)
	case !hasRespelled(text):
		return plain{text: text}
	}
	w := plainWriter{out: make([]byte, 0, len(text))}
	from := 0
	for i, r := range text {
		if r >= utf8.RuneSelf && respelled(r) != r {
			w.copy(text[from:i], from)
			from = i + utf8.RuneLen(r)
			w.write(text[i:from], i, text[i:from])
		}
	}
	w.copy(text[from:], from)
	return w.plain()
}

// composed is newPlain for a text that NFKC changes.
func composed(text string) plain {
	w := plainWriter{out: make([]byte, 0, len(text))}
	var it norm.Iter
	it.InitString(norm.NFKC, text)
	for !it.Done() {
		from := it.Pos()
		segment := it.Next()
		w.write(text[from:it.Pos()], from, string(segment))
	}
	return w.plain()
}

// width is the number of bytes of the rune that s begins with; a byte that is
// not UTF-8 is one.
func width(s string, r rune) int {
	if r == utf8.RuneError {
		_, n := utf8.DecodeRuneInString(s)
		return n
	}
	return utf8.RuneLen(r)
}

// plainWriter puts a plain text together.
type plainWriter struct {
	out    []byte
	points []point
	last   rune // the last rune written
}

// copy adds what was written at from and is plain.
func (w *plainWriter) copy(source string, from int) {
	if source != "" {
		w.points = append(w.points, point{at: len(w.out), from: from, copied: true})
		w.out = append(w.out, source...)
		w.last, _ = utf8.DecodeLastRuneInString(source)
	}
}

// write adds what was written at from, and what NFKC made of it.
func (w *plainWriter) write(source string, from int, made string) {
	start := len(w.out)
	for i, r := range made {
		switch to := respelled(r); {
		case to == r && r == utf8.RuneError:
			w.out = append(w.out, made[i:i+width(made[i:], r)]...)
		case to >= 0:
			w.out = utf8.AppendRune(w.out, to)
		case r == joiner && pictured(w.last):
			w.out = utf8.AppendRune(w.out, r)
			continue
		default:
			continue
		}
		w.last = r
	}
	if len(w.out) == start {
		return
	}
	p := point{at: start, from: from, copied: string(w.out[start:]) == source}
	if n := len(w.points); n > 0 && p.copied {
		if q := w.points[n-1]; q.copied && p.at-q.at == p.from-q.from {
			return
		}
	}
	w.points = append(w.points, p)
}

func (w *plainWriter) plain() plain { return plain{string(w.out), w.points} }

// from returns the byte of the original at which what stands at a byte of the
// plain text was written.
func (p plain) from(at int) int {
	if len(p.points) == 0 {
		return at
	}
	i := sort.Search(len(p.points), func(i int) bool { return p.points[i].at > at }) - 1
	if q := p.points[i]; q.copied {
		return q.from + at - q.at
	}
	return p.points[i].from
}

func hasRespelled(text string) bool {
	for _, r := range text {
		if r >= utf8.RuneSelf && respelled(r) != r {
			return true
		}
	}
	return false
}

// respelled returns the character by which a plain text writes another, -1 if by
// none.
func respelled(r rune) rune {
	if r < 0xAD || '\u0100' <= r && r < '\u02b0' || '\u3040' <= r && r <= '\ud7a3' {
		return r
	}
	switch r {
	case '’', '‘', 'ʼ', 'ʻ', 'ʹ', '′', '׳', '՚':
		return '\''
	case '‐', '‑', '−', '־':
		return '-'
	case '⁄':
		return '/'
	case '\u2028', '\u2029', '\u200b':
		return ' '
	case '\u00ad', '\u0640', '\u20e3':
		return -1
	}
	switch {
	case invisible(r):
		return -1
	case unicode.Is(unicode.Nd, r):
		return '0' + decimal(r)
	}
	return r
}

// decimal returns the value of a decimal digit. Those of a script stand in a row,
// zero first.
func decimal(r rune) rune {
	zero := r
	for unicode.Is(unicode.Nd, zero-1) && zero > r-9 {
		zero--
	}
	return r - zero
}

// invisible reports whether a character only steers how others look. The tags
// that spell the flags of regions stay.
func invisible(r rune) bool {
	switch {
	case r < 0x034f, tag(r):
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
