package prompt

import (
	"unicode"

	"nacre/agent/llm"
)

// Tokens estimates how many tokens a request has, images included and without
// the answer. It errs on the high side for prose; providers' own counts
// calibrate it (see agent).
func Tokens(r llm.Request) int {
	n := TextTokens(r.System) + TextTokens(r.Tail)
	for _, t := range r.Tools {
		n += TextTokens(t.Name) + TextTokens(t.Description) + TextTokens(string(t.Schema))
	}
	return n + MessageTokens(r.Messages)
}

// What a message costs besides its text, and an image: what the largest one
// that is sent costs with Anthropic (width · height / 750), and enough for its
// bytes, which providers bound as well.
const (
	perMessage    = 4
	perImage      = 1600
	bytesPerToken = 200 // of an image
)

// MessageTokens estimates messages.
func MessageTokens(messages []llm.Message) int {
	n := 0
	for i := range messages {
		n += messageTokens(&messages[i])
	}
	return n
}

func messageTokens(m *llm.Message) int {
	n := perMessage + TextTokens(m.Text) + TextTokens(string(m.Blob))
	for _, c := range m.Calls {
		n += perMessage + TextTokens(c.Name) + TextTokens(string(c.Args))
	}
	for _, image := range m.Images {
		n += max(perImage, len(image.Data)/bytesPerToken)
	}
	return n
}

// Quarters of a token that a rune costs, by script. Measured with the
// vocabularies of current models: English prose has four to five letters to a
// token, other Latin text three, Cyrillic, Greek, Arabic and Hebrew two; Han,
// kana and Hangul about one; what has no letters of its own, such as emoji,
// comes apart into bytes.
const (
	asciiLetter = 1
	latinLetter = 3
	otherLetter = 2
	digit       = 2
	mark        = 2 // punctuation and line ends
	ideograph   = 5
	symbol      = 10
)

// TextTokens estimates the tokens of a text.
func TextTokens(s string) int {
	quarters := 0
	for _, r := range s {
		quarters += quartersOf(r)
	}
	return (quarters + 3) / 4
}

func quartersOf(r rune) int {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == ' ':
		return asciiLetter
	case r >= '0' && r <= '9':
		return digit
	case r < 0x80:
		return mark
	case r < 0x250:
		return latinLetter
	case r < 0x1100 && unicode.IsLetter(r):
		return otherLetter
	case r < 0x1100:
		return latinLetter
	case r < 0x10000:
		return ideograph
	}
	return symbol
}
