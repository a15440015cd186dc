package agent

import (
	"strings"

	"nacre"
)

// Replied is what a message answers, and with which words: by a press of a button, or
// typed behind what was asked last. It is false for what answers nothing. Askers call it.
func Replied(c nacre.Caller, m *nacre.Message) (question, answer string, ok bool) {
	if m.Quiet || m.Revision > 0 || len(m.Attachments) > 0 {
		return "", "", false
	}
	if s := m.Segments; strings.HasPrefix(string(m.External), nacre.Pressed) {
		if len(s) != 2 || s[0].Provenance != nacre.Quoted || s[1].Provenance != nacre.Prefill {
			return "", "", false
		}
		return s[0].Text, s[1].Text, true
	}
	text := m.Typed()
	return c.Asked, unaddressed(text), c.Asked != "" && text == m.Text() && len(m.Segments) == 1
}

// unaddressed is a text without the name by which a group calls us.
func unaddressed(text string) string {
	if words := strings.Fields(text); len(words) > 1 && strings.HasPrefix(words[0], "@") {
		return strings.Join(words[1:], " ")
	}
	return strings.TrimSpace(text)
}
