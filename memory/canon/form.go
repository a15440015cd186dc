package canon

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxMarks is how many combining marks count on one letter. More is noise, and
// an endless run of them would be normalised in arbitrary pieces.
const maxMarks = 8

// maxSteps bounds how often a segment is refined. Two steps settle every
// character of Unicode; the third is for marks in an order of their own.
const maxSteps = 4

// Form returns the canonical form of a text: compatibility composed (NFKC,
// UAX #15), without invisible characters and enclosing marks, every decimal
// digit of any script as 0–9, full case folding (ß is ss, and the four letters
// i of Turkish are one), and every run of spaces and punctuation as one space,
// none at the ends. Accents stay, and so do symbols such as + and €.
//
// Form(Form(x)) equals Form(x). Two texts with the same form are the same to
// everything that remembers and forgets.
func Form(text string) string {
	return string(fold(text, nil, false))
}

// unit says where a piece of a canonical form came from.
type unit struct {
	start, end int // in the form, without spaces at its ends
	from, to   int // in the text
}

// fold returns the canonical form of a text, and adds the units it is made of
// to units unless that is nil: of single characters, or of whole words.
func fold(text string, units *[]unit, whole bool) []byte {
	f := folder{form: make([]byte, 0, len(text)), units: units, whole: whole}
	for at := 0; at < len(text); {
		n := simple(text[at:])
		for i := at; i < at+n; i++ {
			f.take(canonicalASCII(text[i]), i)
		}
		at += n
		n = other(text[at:])
		segments(text[at:at+n], func(seg []byte, from, to int) { f.add(seg, at+from, at+to) })
		at += n
	}
	if n := len(f.form); n > 0 && f.form[n-1] == ' ' {
		f.form = f.form[:n-1]
	}
	return f.form
}

// folder makes a canonical form.
type folder struct {
	form    []byte
	units   *[]unit
	whole   bool // its units are words
	scratch [64]byte
}

// take adds the canonical form of a character of ASCII at place i of the text.
func (f *folder) take(c byte, i int) {
	switch {
	case c != ' ':
		f.form = append(f.form, c)
		f.note(unit{len(f.form) - 1, len(f.form), i, i + 1})
	case len(f.form) > 0 && f.form[len(f.form)-1] != ' ':
		f.form = append(f.form, ' ')
	}
}

// add adds the canonical form of a segment.
func (f *folder) add(seg []byte, from, to int) {
	u := unit{start: -1, from: from, to: to}
	for _, c := range canonical(f.scratch[:0], seg) {
		if c == ' ' {
			if len(f.form) > 0 && f.form[len(f.form)-1] != ' ' {
				f.form = append(f.form, ' ')
			}
			continue
		}
		if u.start < 0 {
			u.start = len(f.form)
		}
		f.form = append(f.form, c)
		u.end = len(f.form)
	}
	if u.start >= 0 {
		f.note(u)
	}
}

// note keeps a unit, as a part of the word before if it goes on with that.
func (f *folder) note(u unit) {
	if f.units == nil {
		return
	}
	list := *f.units
	if n := len(list); f.whole && n > 0 && list[n-1].end == u.start {
		list[n-1].end, list[n-1].to = u.end, u.to
		return
	}
	*f.units = append(list, u)
}

// simple returns how many bytes a text begins with that are segments each: of ASCII,
// with nothing behind that could combine with them.
func simple(text string) int {
	for i := range len(text) {
		if !counts(text[i]) {
			return max(0, i-1)
		}
	}
	return len(text)
}

// other returns how many bytes of a text come before the next that are simple.
func other(text string) int {
	for i := 1; i < len(text); i++ {
		if counts(text[i]) && (i+1 == len(text) || counts(text[i+1])) {
			return i
		}
	}
	return len(text)
}

// counts reports whether a byte is a character of ASCII that is not ignorable.
func counts(c byte) bool { return ' ' <= c && c < 0x7F || '\t' <= c && c <= '\r' }

// plain returns a text as Form does, but with its case, spaces and punctuation
// kept: the form in which keys, numbers and links are looked for.
func plain(text string) string {
	if simple(text) == len(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for at := 0; at < len(text); {
		n := simple(text[at:])
		b.WriteString(text[at : at+n])
		at += n
		n = other(text[at:])
		plainPart(&b, text[at:at+n])
		at += n
	}
	return b.String()
}

// plainPart adds a part of a text as plain makes it.
func plainPart(b *strings.Builder, text string) {
	segments(text, func(seg []byte, _, _ int) {
		if r, size := utf8.DecodeRune(seg); size == len(seg) && (size == 1 || folds(r) >= 0) {
			b.Write(seg)
			return
		}
		for _, r := range norm.NFKC.String(string(seg)) {
			if digits := digits(r); digits != "" {
				b.WriteString(digits)
			} else if !ignorable(r) {
				b.WriteRune(r)
			}
		}
	})
}

// segments calls yield for the pieces of a text that are normalised apart: a
// separator, or a character with the marks that combine with it. Characters
// that do not count are left out of seg, which is valid until yield returns;
// from and to bound its first and last byte in the text.
func segments(text string, yield func(seg []byte, from, to int)) {
	var scratch [64]byte
	seg, from, to, marks := scratch[:0], 0, 0, 0
	flush := func() {
		if len(seg) > 0 {
			yield(seg, from, to)
		}
		seg, marks = seg[:0], 0
	}
	afterSeparator := false
	for i, r := range text {
		letter := folds(r) >= 0
		if !letter && ignorable(r) {
			continue
		}
		sep := !letter && separator(r)
		starts := letter || sep || r < utf8.RuneSelf || startsSegment(text[i:])
		if starts || afterSeparator {
			flush()
		}
		if !starts {
			if marks++; marks > maxMarks {
				continue
			}
		}
		if len(seg) == 0 {
			from = i
		}
		afterSeparator = sep
		seg = utf8.AppendRune(seg, r)
		_, size := utf8.DecodeRuneInString(text[i:])
		to = i + size
	}
	flush()
}

// startsSegment reports whether the first character of s never combines with
// what stands before it.
func startsSegment(s string) bool {
	return norm.NFKC.PropertiesString(s).BoundaryBefore()
}

// canonical appends the canonical form of a segment to dst; separators become
// spaces.
func canonical(dst, seg []byte) []byte {
	if len(seg) == 1 {
		return append(dst, canonicalASCII(seg[0]))
	}
	if r, size := utf8.DecodeRune(seg); size == len(seg) {
		if folded := folds(r); folded >= 0 {
			return utf8.AppendRune(dst, folded)
		}
		if separator(r) {
			return append(dst, ' ')
		}
	}
	if caseless(seg) && norm.NFKC.IsNormal(seg) {
		return append(dst, seg...)
	}
	s := string(seg)
	for range maxSteps {
		next := refine(s)
		if next == s {
			break
		}
		s = next
	}
	return append(dst, s...)
}

// caseless reports whether a segment is made of letters without case and their
// marks, which folding leaves alone; the iota subscript becomes a letter.
func caseless(seg []byte) bool {
	return bytes.IndexFunc(seg, func(r rune) bool {
		return r == '\u0345' || !unicode.In(r, unicode.Lo, unicode.Mn, unicode.Mc)
	}) < 0
}

// folds returns the folded form of the letters that most texts outside ASCII
// consist of, which need no normalisation and begin a segment; -1 for all
// others. It spares them the general way, and agrees with it.
func folds(r rune) rune {
	switch {
	case 'а' <= r && r <= 'џ', 'ა' <= r && r <= 'ჰ', '一' <= r && r <= '鿿', '가' <= r && r <= '힣', 'ぁ' <= r && r <= 'ゖ', 'ァ' <= r && r <= 'ヺ':
		return r
	case 'α' <= r && r <= 'ω' && r != 'ς':
		return r
	case 'А' <= r && r <= 'Я', 'Α' <= r && r <= 'Ω' && r != '\u03a2':
		return r + 0x20
	}
	return -1
}

func canonicalASCII(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A'
	case separator(rune(c)):
		return ' '
	}
	return c
}

// refine takes one step towards the canonical form. Folding may undo
// composition and the other way round, so it is repeated until nothing changes.
func refine(s string) string {
	s = norm.NFKC.String(s)
	var b strings.Builder
	for _, r := range s {
		switch digits := digits(r); {
		case digits != "":
			b.WriteString(digits)
		case r == 'İ' || r == 'ı':
			b.WriteByte('i')
		case separator(r):
			b.WriteByte(' ')
		case !ignorable(r):
			b.WriteRune(r)
		}
	}
	if s = b.String(); strings.ContainsFunc(s, cherokee) {
		s = strings.ToUpper(s)
	} else {
		s = cases.Fold().String(s)
	}
	s = strings.ReplaceAll(s, "i\u0307", "i") // the dot of a folded İ
	return norm.NFKC.String(s)
}

// cherokee reports whether a letter is folded to its capital, as Unicode wants
// it for this script alone; package cases swaps its two cases instead.
func cherokee(r rune) bool { return unicode.Is(unicode.Cherokee, r) }

// ignorable reports whether a character does not count: control and format
// characters, variation selectors, enclosing marks (the frame of a keycap) and
// whatever else Unicode says to ignore (DerivedCoreProperties,
// Default_Ignorable_Code_Point).
func ignorable(r rune) bool {
	if r < utf8.RuneSelf {
		return !counts(byte(r))
	}
	if r < 0xAD {
		return unicode.IsControl(r) && !unicode.IsSpace(r)
	}
	return unicode.In(r, unicode.Cf, unicode.Me, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// separator reports whether a character only separates words: spaces,
// punctuation, modifier symbols, the apostrophes that count as letters, and the
// blank Braille pattern.
func separator(r rune) bool {
	switch r {
	case 'ʼ', 'ʻ', '\u2800':
		return true
	}
	return unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.Is(unicode.Sk, r)
}

// digits returns the value of a digit that is not one of 0–9, in those, or "".
// Unicode's decimal digits lie in tens, zero first; the circled numbers that
// NFKC leaves alone are listed.
func digits(r rune) string {
	const tens = "0123456789"
	if r < 0x0660 {
		return ""
	}
	for _, t := range circled {
		if t.first <= r && int(r-t.first) < len(t.values) {
			return t.values[r-t.first]
		}
	}
	if !unicode.Is(unicode.Nd, r) {
		return ""
	}
	v := decimal(r)
	return tens[v : v+1]
}

// decimal returns the value of a decimal digit.
func decimal(r rune) int {
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10
		}
	}
	return 0
}

// circled are the digits and numbers in circles that have no compatibility
// decomposition (the Dingbats and Enclosed Alphanumerics blocks).
var circled = [...]struct {
	first  rune
	values []string
}{
	{0x24EB, []string{"11", "12", "13", "14", "15", "16", "17", "18", "19", "20"}},
	{0x24F5, oneToTen},
	{0x24FF, []string{"0"}},
	{0x2776, oneToTen},
	{0x2780, oneToTen},
	{0x278A, oneToTen},
	{0x1F10B, []string{"0", "0"}},
}

var oneToTen = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}
