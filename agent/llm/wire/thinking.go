package wire

import "strings"

const (
	openTag  = "<think>"
	closeTag = "</think>"
	blank    = " \t\r\n"
)

// Thinking removes the reasoning that local models write into the text itself:
// <think>…</think> at its very start. Elsewhere the tag is ordinary text.
type Thinking struct {
	at     place
	blanks strings.Builder // before the first visible character
	held   string          // what cannot be decided yet, and is never long
}

type place int

const (
	atStart   place = iota // before the first visible character
	inThought              // after <think>
	atAnswer               // after </think>, skipping blanks
	inAnswer
)

// Next returns what may be shown after a further piece of text.
func (t *Thinking) Next(s string) string {
	if t.at == inAnswer {
		return s
	}
	if t.at == atStart && t.held == "" {
		s = t.skipBlanks(s)
	}
	t.held += s
	if t.at == atStart {
		t.begin()
	}
	if t.at == inThought {
		t.skip()
	}
	if t.at == atAnswer {
		t.held = strings.TrimLeft(t.held, blank)
		if t.held != "" {
			t.at = inAnswer
		}
	}
	if t.at != inAnswer {
		return ""
	}
	return t.release()
}

// skipBlanks keeps the blanks at the beginning of s and returns the rest.
func (t *Thinking) skipBlanks(s string) string {
	rest := strings.TrimLeft(s, blank)
	t.blanks.WriteString(s[:len(s)-len(rest)])
	return rest
}

func (t *Thinking) begin() {
	switch {
	case strings.HasPrefix(t.held, openTag):
		t.at, t.held = inThought, t.held[len(openTag):]
		t.blanks.Reset()
	case !strings.HasPrefix(openTag, t.held): // it may still become the tag
		t.at = inAnswer
	}
}

// skip drops the thought, but for what may be the beginning of its end.
func (t *Thinking) skip() {
	if _, rest, ok := strings.Cut(t.held, closeTag); ok {
		t.at, t.held = atAnswer, rest
	} else if n := len(t.held) - len(closeTag) + 1; n > 0 {
		t.held = t.held[n:]
	}
}

// release returns all that was held back.
func (t *Thinking) release() string {
	s := t.blanks.String() + t.held
	t.blanks.Reset()
	t.held = ""
	return s
}

// End returns what was held back and turned out to be text.
func (t *Thinking) End() string {
	if t.at != atStart {
		return ""
	}
	t.at = inAnswer
	return t.release()
}

// Answer returns what follows a thought whose beginning stands in the prompt, as
// the templates of several local models have it. The tag must have a line of its
// own, so that an answer may speak about it.
func Answer(text string) string {
	thought, rest, ok := strings.Cut(text, "\n"+closeTag+"\n")
	if !ok || strings.Contains(thought, openTag) {
		return text
	}
	return strings.TrimLeft(rest, blank)
}
