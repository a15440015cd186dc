// Package phrase reads what people type to an assistant: pure, anchored
// grammars in English, German, Spanish, French and Chinese that tell "remember
// that …" and "forget …" from "I remember when …" and "don't forget to …", and
// others that read times and repetitions. It knows no model and no memory. A
// phrase that no grammar knows is None, and a time that is not wholly understood
// is refused, never a guess.
package phrase

import (
	"slices"
	"strings"
	"unicode"
)

// Kind is what a phrase wants.
type Kind int

// The kinds.
const (
	None         Kind = iota // anything else
	Remember                 // "remember that …", "don't forget to …"
	Forget                   // "forget …"
	Correct                  // "actually, …"
	Preference               // "I prefer …", "always …", "never …"
	Question                 // "where did I …?"
	TimeQuestion             // "what time is it in …?", "what day is it?"
	Greeting                 // nothing but "hello"
	Thanks                   // nothing but "thank you"
	RemindMe                 // "remind me tomorrow at 9 to …", which Remind reads
	Reminders                // "what reminders do I have?"
	Change                   // "delete reminder 3", "snooze"
)

func (k Kind) String() string {
	return [...]string{"none", "remember", "forget", "correct", "preference", "question", "time question", "greeting", "thanks", "remind me", "reminders", "change"}[k]
}

// Intent is what Parse found. The payload is the part of the text that the
// phrase is about, without the words around it: what to remember or forget,
// the corrected statement, the whole preference ("always …" included), the
// question, the place of a TimeQuestion, all of a RemindMe. It is empty where there is none.
type Intent struct {
	Kind       Kind
	Lang       string // "en", "de", "es", "fr", "zh"; empty if not recognised
	Payload    string // exactly text[Start:End]
	Start, End int    // bytes
}

// Parse reads one message. It is deterministic, and linear in the length of
// the text.
func Parse(text string) Intent {
	in, _ := parse(text, 0)
	if in.Kind != Correct {
		return in
	}
	// "Actually, what time is it?" corrects nothing.
	inner, ok := parse(text, in.Start)
	if ok && inner.Kind != Correct && inner.Kind != Preference {
		return inner
	}
	return in
}

// parse reads the part of a text that begins at from, and reports whether any
// rule knows it.
func parse(text string, from int) (Intent, bool) {
	from += len(text[from:]) - len(strings.TrimLeftFunc(text[from:], opening))
	asks := asking(text)
	if wish, ok := request(text[from:]); ok {
		in := Intent{Kind: RemindMe, Lang: wish.lang}
		in.set(text, from, from+len(strings.TrimSpace(text[from:])))
		return in, true
	}
	for _, g := range grammars() {
		if in, ok := g.parse(text, from, asks); ok {
			return in, true
		}
	}
	in := Intent{Lang: language(text[from:])}
	if n := len(trimEnd(text[from:])); asks && n > 0 {
		in.Kind = Question
		in.set(text, from, from+n)
	}
	return in, in.Kind == Question
}

func (in *Intent) set(text string, start, end int) {
	in.Start, in.End, in.Payload = start, end, text[start:end]
}

// opening reports what may stand before the first word.
func opening(r rune) bool { return unicode.IsSpace(r) || r == '¡' || r == '¿' }

// asking reports whether a text ends as a question does.
func asking(text string) bool {
	text = strings.TrimRightFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '!' || r == '！' })
	asked := trimEnd(text)
	return endsIn(text, "?", "？", "吗", "嗎", "呢") &&
		!endsIn(asked, ", ok", ", okay", ", please", ", bitte", ", vale", ", por favor", ", d'accord", "，好吗", "，好嗎")
}

func endsIn(text string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(e string) bool {
		n := len(text) - len(e)
		return n >= 0 && strings.EqualFold(text[n:], e)
	})
}

// trimEnd cuts blanks and the marks that end a sentence.
func trimEnd(s string) string {
	return strings.TrimRightFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".!?…,;:。！？，；：、", r)
	})
}

// trimStart cuts what separates a command from its object.
func trimStart(s string) string {
	return strings.TrimLeftFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:.!–—，；：。！、", r)
	})
}
