package mail

import (
	"io"
	"strings"
	"time"
	"unicode"
)

// Letter is a mail as far as its sender typed it.
type Letter struct {
	Sent time.Time // by its Date; zero if that cannot be read
	Text string    // own words, paragraphs as they were, greeting and closing included; never quoted text or a signature
	To   int       // how many people it went to
}

// Reason is why nothing of a mail is its sender's own; a code, not for people.
type Reason string

// The reasons.
const (
	Unreadable Reason = "unreadable" // no mail, or none that can be read within the limits
	Automatic  Reason = "automatic"  // a program wrote it: a list, an automatic reply, an invitation, a receipt
	NothingOwn Reason = "nothing"    // all of it is quoted, forwarded or a signature
	TooShort   Reason = "short"      // fewer than MinWords of its own
	Repeated   Reason = "repeated"   // the same words went out again and again
)

// MinWords is how many own words a mail must have to tell how somebody writes.
const MinWords = 20

// MaxBytes bounds what is read of one mail.
const MaxBytes = 4 << 20

// Read reads one mail. The Reason is empty where the Letter is of use, and the Letter
// is empty where there is a Reason. It never fails otherwise, whatever the bytes are,
// and its time and memory are bounded by MaxBytes: of a longer mail, as one with big
// attachments is, the beginning is read.
func Read(r io.Reader) (Letter, Reason) {
	raw, err := io.ReadAll(io.LimitReader(r, MaxBytes))
	if err != nil {
		return Letter{}, Unreadable
	}
	header, body, ok := open(raw)
	if !ok {
		return Letter{}, Unreadable
	}
	if automatic(header) {
		return Letter{}, Automatic
	}
	w := walker{left: maxText}
	p := w.read(header, body, 0)
	if w.refused != "" {
		return Letter{}, w.refused
	}
	text := own(p.lines)
	switch n := Words(text); {
	case n == 0:
		return Letter{}, NothingOwn
	case n < MinWords:
		return Letter{}, TooShort
	case absence(text):
		return Letter{}, Automatic
	}
	return Letter{Sent: sent(header), Text: text, To: recipients(header)}, ""
}

// Words counts the words of a text; of scripts that are written without spaces, two
// characters are about a word.
func Words(text string) int {
	spaced, unspaced, inside := 0, 0, false
	for _, r := range text {
		switch {
		case r < unicode.MaxASCII && !isWord(r), r == '’':
			inside = inside && (r == '\'' || r == '’') // one word: don't
		case r >= firstDense && unicode.In(r, dense...):
			unspaced++
			inside = false
		case isWord(r):
			if !inside {
				spaced++
			}
			inside = true
		case !unicode.Is(unicode.M, r): // an accent apart from its letter ends no word
			inside = false
		}
	}
	return spaced + (unspaced+1)/2
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// firstDense is where the first of the dense scripts begins.
const firstDense = '\u0E00'

// dense are the scripts without spaces between words.
var dense = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// wordsOf counts the words of what stands in lines, quoted or not.
func wordsOf(list []line) int {
	n := 0
	for _, l := range list {
		n += Words(l.text)
	}
	return n
}

// blank reports whether nothing is to be seen in a line.
func blank(s string) bool { return strings.TrimSpace(s) == "" }
