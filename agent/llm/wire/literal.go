package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Literals decodes the JSON strings of consecutive deltas as if they were one.
// A server may cut a character between its two UTF-16 escapes (\ud83c, then
// \udfa9), of which encoding/json alone would make two U+FFFD.
type Literals struct {
	held []byte // the escape of a first half, waiting for its second
}

// Next returns the text of one delta; null and an absent field are empty.
func (l *Literals) Next(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	if raw[0] != '"' {
		return "", Senseless("a piece of the answer that is no text", nil)
	}
	if len(l.held) == 0 && bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1 : len(raw)-1]), nil
	}
	return l.decode(raw[1 : len(raw)-1])
}

func (l *Literals) decode(inner []byte) (string, error) {
	joined := append(l.held, inner...)
	keep := len(joined)
	if firstHalf(joined) {
		keep -= len(`\ud83c`)
	}
	l.held = bytes.Clone(joined[keep:])
	var text string
	err := json.Unmarshal(append(append([]byte{'"'}, joined[:keep]...), '"'), &text)
	return text, err
}

// firstHalf reports whether inner ends in the escape of a leading surrogate,
// U+D800 to U+DBFF.
func firstHalf(inner []byte) bool {
	at := len(inner) - len(`\ud83c`)
	if at < 0 || !strings.EqualFold(string(inner[at:at+3]), `\ud`) || !strings.ContainsRune("89abAB", rune(inner[at+3])) {
		return false
	}
	slashes := 0
	for at-slashes-1 >= 0 && inner[at-slashes-1] == '\\' {
		slashes++
	}
	return slashes%2 == 0 // else the backslash is itself escaped
}

// End returns what a half that never found its second stands for.
func (l *Literals) End() string {
	if len(l.held) == 0 {
		return ""
	}
	l.held = nil
	return string(utf8.RuneError)
}
