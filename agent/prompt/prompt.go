// Package prompt turns a conversation into a model request. It is pure: the
// same input gives the same bytes, and a later request of a conversation
// begins with the bytes of the one before, so that providers' caches hit.
package prompt

import (
	_ "embed"
	"strconv"
	"strings"

	"nacre"
	"nacre/agent/llm"
)

//go:embed voice.md
var voice string

// Build makes the request of one step: who the assistant is, its tools in a
// fixed order, what was said before, and what this turn holds so far.
func Build(tools []llm.ToolSpec, history, turn []llm.Message) llm.Request {
	messages := make([]llm.Message, 0, len(history)+len(turn))
	messages = append(append(messages, history...), turn...)
	return llm.Request{System: voice, Tools: tools, Messages: messages}
}

// User makes the prompt's form of a message: the author's own words as they
// are, every other segment as one quoted and labelled line, so that its text
// cannot pass for the author's.
func User(m *nacre.Message) llm.Message {
	var lines []string
	if m.Revision > 0 {
		lines = append(lines, "[edit of an earlier message]")
	}
	for _, s := range m.Segments {
		if s.Text == "" {
			continue
		}
		lines = append(lines, segment(s))
	}
	return llm.Message{Role: llm.User, Text: strings.Join(lines, "\n")}
}

func segment(s nacre.Segment) string {
	switch s.Provenance {
	case nacre.ByOwner, nacre.ByVoice, nacre.InGroup:
		return s.Text
	default:
		return "[" + string(s.Provenance) + ": " + strconv.Quote(s.Text) + "]"
	}
}
