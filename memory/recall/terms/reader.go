package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// reader reads one text at a time.
type reader struct {
	a        *Analyzer
	text     string // in its plain form
	tokens   []Token
	seen     []seen // what the tokens were made of, in the same order
	parts    []span // scratch
	small    []byte // scratch
	scores   []int  // scratch: for each language, how much speaks for it
	place    int
	begins   bool // a sentence begins
	lowers   bool // there is a small letter
	phoneEnd int  // no telephone number begins before
}

// span is a piece of the text being read.
type span struct{ from, to int }

// seen is what a token was made of.
type seen struct {
	lexeme  *lexeme
	written letters
	until   int // the tokens up to this one are its parts, 0 for none
}

// letters says how a word is written.
type letters uint8

const (
	lowerCase letters = iota
	opening           // a capital where a sentence begins
	capital           // one where none does
	allCaps           // two or more
)

// read adds the tokens of a text to dst.
func (r *reader) read(dst []Token, text string) []Token {
	p := newPlain(text)
	r.text, r.tokens, r.begins = p.text, dst, true
	for at := 0; at < len(r.text); {
		at = r.next(at)
	}
	tokens := r.tokens[len(dst):]
	r.finish(tokens)
	if len(p.points) > 0 {
		for i := range tokens {
			tokens[i].From = p.from(tokens[i].From)
		}
	}
	return r.tokens
}

// reset forgets the text.
func (r *reader) reset() {
	clear(r.seen)
	*r = reader{a: r.a, seen: r.seen[:0], parts: r.parts[:0], small: r.small[:0], scores: r.scores}
}

// next reads what stands at a byte, and returns where it ends.
func (r *reader) next(at int) int {
	c, size := rune(r.text[at]), 1
	if c >= utf8.RuneSelf {
		c, size = utf8.DecodeRuneInString(r.text[at:])
	}
	switch {
	case c < utf8.RuneSelf && asciiKind(byte(c)) != noKind:
		return r.spaced(at)
	case c == '#' || c == '@':
		r.marked(at)
	case c == '+' || c == '(':
		r.phone(at)
	case c < utf8.RuneSelf && c != '$':
	case unspaced(c):
		return r.grams(at)
	case startRune(c):
		return r.spaced(at)
	case picture(c):
		return r.picture(at)
	case unicode.Is(unicode.Sc, c):
		r.currency(at, at+size)
	}
	if strings.ContainsRune(".!?:\n。！？：…", c) {
		r.begins = true
	}
	return at + size
}

// wordRune reports whether words of writing with spaces consist of a character.
func wordRune(c rune) bool {
	return startRune(c) || c > unicode.MaxLatin1 && unicode.IsMark(c) && !unspaced(c)
}

// startRune reports whether they begin with it.
func startRune(c rune) bool {
	if c < utf8.RuneSelf {
		return asciiKind(byte(c)) != noKind
	}
	return (unicode.IsLetter(c) || unicode.IsNumber(c)) && !unspaced(c)
}

// spaced reads what begins with a letter or digit of writing with spaces. Most
// often it is a plain word with a space after it.
func (r *reader) spaced(from int) int {
	if to := r.smallEnd(from); to > from && (to == len(r.text) || strings.IndexByte(" ,;!?)\n", r.text[to]) >= 0) {
		r.word(span{from, to})
		return to
	}
	return r.cluster(from)
}

// smallEnd returns where the letters end that begin at a byte, all of them small
// but for the first; at the byte itself if there stands something else.
func (r *reader) smallEnd(from int) int {
	at := from
	for at < len(r.text) {
		if c := r.text[at]; c < utf8.RuneSelf {
			if kind := asciiKind(c); kind != smallKind && (kind != capitalKind || at > from) {
				return at
			}
			at++
			continue
		}
		c, size := utf8.DecodeRuneInString(r.text[at:])
		if !unicode.IsLetter(c) || unspaced(c) || at > from && (unicode.IsUpper(c) || unicode.IsTitle(c)) {
			return at
		}
		at += size
	}
	return at
}

// The kinds of ASCII characters that words consist of.
const (
	noKind = iota
	digitKind
	smallKind
	capitalKind
)

func asciiKind(c byte) int {
	switch {
	case 'a' <= c && c <= 'z':
		return smallKind
	case 'A' <= c && c <= 'Z':
		return capitalKind
	case '0' <= c && c <= '9':
		return digitKind
	}
	return noKind
}

// word adds the token of a word.
func (r *reader) word(s span) {
	word := r.text[s.from:s.to]
	lexeme := r.a.lexeme(r.lower(clip(word, maxWord)))
	written := r.written(word)
	r.add(Token{From: s.from, Kind: Word}, lexeme, written)
}

// exact adds the token of what is kept as it is.
func (r *reader) exact(text string, from int) {
	r.add(Token{From: from, Kind: Exact}, r.a.lexeme(r.lower(clip(text, maxWhole))), lowerCase)
}

// before adds the token of a whole at the place of its parts, which are read
// after it.
func (r *reader) before(text string, from int) {
	begins := r.begins
	r.exact(text, from)
	r.place--
	r.begins = begins
}

// add adds a token at the next place.
func (r *reader) add(t Token, l *lexeme, w letters) {
	t.Term, t.Form, t.Place = l.form, l.form, r.place
	r.tokens = append(r.tokens, t)
	r.seen = append(r.seen, seen{lexeme: l, written: w})
	r.place++
	r.begins = false
}

// lower returns a piece of the text in small letters, valid until the next call.
func (r *reader) lower(s string) []byte {
	r.small = appendLower(r.small[:0], s)
	return r.small
}

// written says how a word is written, and notes that there are small letters.
func (r *reader) written(word string) letters {
	first, size := utf8.DecodeRuneInString(word)
	lowers := strings.IndexFunc(word[size:], unicode.IsLower) >= 0 || unicode.IsLower(first)
	r.lowers = r.lowers || lowers
	switch {
	case !unicode.IsUpper(first) && !unicode.IsTitle(first):
		return lowerCase
	case !lowers && strings.IndexFunc(word[size:], unicode.IsUpper) >= 0:
		return allCaps
	case r.begins:
		return opening
	case size == len(word):
		return lowerCase // "I"
	}
	return capital
}
