// Package prompt turns a conversation into a model request. It is pure: the
// same input gives the same bytes, and a later request of a conversation
// begins with the bytes of the one before, so that providers' caches hit.
package prompt

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"nacre"
	"nacre/agent/llm"
)

// voice is who the assistant is where its owner wrote nothing else.
//
//go:embed voice.md
var voice string

// rules say what is whose in a prompt; no voice of an owner's own takes their
// place.
//
//go:embed rules.md
var rules string

// Input is what a request is made of, the most lasting first.
type Input struct {
	Tools    []llm.ToolSpec // in the order in which they are always sent
	Voice    string         // who the assistant is; empty means the built-in one
	Person   string         // how the person wants to be spoken to, as Person writes it; empty for nothing
	Notes    string         // what is remembered of the person, fenced; empty for nothing
	Head     []llm.Message  // stands for what is older than History
	History  []llm.Message  // the turns before this one
	Turn     []llm.Message  // this turn so far
	Blind    bool           // the model takes no images
	Evidence string         // what was found for this turn, fenced; empty for nothing
	Moment   Moment
}

// Moment is what holds for one request alone.
type Moment struct {
	Now     time.Time // in the person's zone
	Channel nacre.ChannelName
	Private bool
	Alone   bool // a scheduled run, for that conversation and apart from it
}

// Build makes the request of one step. Everything that moves stands in its
// Tail, behind the last message that later requests repeat.
func Build(in Input) llm.Request {
	messages := slices.Concat(in.Head, in.History, in.Turn)
	for i := range messages {
		messages[i] = sendable(messages[i], in.Blind)
	}
	return llm.Request{System: system(in.Voice, in.Person, in.Notes), Tools: in.Tools, Messages: messages, Tail: line(in.Evidence, in.Moment.String())}
}

// Person writes how somebody wants to be spoken to: by which name, and in which
// language, that of its English name; empty for no wish. The name is data, on one
// line and in quotes.
func Person(name, language string) string {
	var lines []string
	if name != "" {
		lines = append(lines, "The person wants to be called "+strconv.Quote(name)+".")
	}
	if language != "" {
		lines = append(lines, "Answer them in "+language+", unless they ask for another language.")
	}
	return strings.Join(lines, "\n")
}

// system is the beginning of every prompt: the voice, how the person wants to be
// spoken to, the rules and, behind a blank line each, what is remembered.
func system(own, person, notes string) string {
	own = strings.TrimSpace(own)
	if own == "" {
		own = strings.TrimSpace(voice)
	}
	all := own + "\n\n"
	if person != "" {
		all += person + "\n\n"
	}
	all += rules
	if notes != "" {
		all += "\n" + notes
	}
	return all
}

// String is the line that tells the model where and when it is.
func (m Moment) String() string {
	where := "private chat"
	if !m.Private {
		where = "group"
	}
	if m.Alone {
		where = "scheduled run for a " + where
	}
	return fmt.Sprintf("[now: %s (%s), %s on %s]", m.Now.Format("Mon 2 Jan 2006 15:04"), ZoneName(m.Now), where, m.Channel)
}

// ZoneName is what people call the zone of a time; that of this machine has
// only an abbreviation.
func ZoneName(t time.Time) string {
	if t.Location() == time.Local {
		return strings.TrimPrefix(t.Format("MST, UTC-07:00"), "UTC, ")
	}
	return t.Location().String()
}

// sendable puts a note in the place of an image that cannot be sent: the model
// takes none, or its bytes are gone.
func sendable(m llm.Message, blind bool) llm.Message {
	var kept []llm.Image
	for _, image := range m.Images {
		switch {
		case blind:
			m.Text = line(m.Text, "[an image, which you cannot see]")
		case len(image.Data) == 0:
			m.Text = line(m.Text, "[an image, which is not there any more]")
		default:
			kept = append(kept, image)
		}
	}
	m.Images = kept
	return m
}

func line(text, more string) string {
	if text == "" {
		return more
	}
	return text + "\n" + more
}

// User makes the prompt's form of a message: the author's own words as they
// are, every other segment as one quoted and labelled line, so that its text
// cannot pass for the author's.
func User(m *nacre.Message) llm.Message {
	var lines []string
	if m.Revision > 0 {
		lines = append(lines, "[edit of an earlier message]")
	}
	if m.Late {
		lines = append(lines, fmt.Sprintf("[this came %d hours after it was sent, while you were away; the person is told that it gets no answer]",
			int(m.Received.Sub(m.Sent).Hours())))
	}
	for _, s := range m.Segments {
		if s.Text == "" {
			continue
		}
		lines = append(lines, segment(s))
	}
	out := llm.Message{Role: llm.User, Text: strings.Join(lines, "\n")}
	switch {
	case slices.ContainsFunc(m.Segments, byOthers):
		out.Source = llm.FromOthers
	case len(m.Segments) > 0 && !slices.ContainsFunc(m.Segments, notBySystem):
		out.Source = llm.FromSystem
	}
	return out
}

func notBySystem(s nacre.Segment) bool { return s.Provenance != nacre.BySystem }

// byOthers is a segment whose words need not be the author's.
func byOthers(s nacre.Segment) bool {
	return s.Provenance == nacre.Quoted || s.Provenance == nacre.Forwarded || s.Provenance == nacre.InFile
}

func segment(s nacre.Segment) string {
	switch s.Provenance {
	case nacre.ByOwner, nacre.InGroup:
		return s.Text
	case nacre.ByVoice: // on one line, so that what a machine heard cannot look like a label
		return strings.Join(strings.Fields(s.Text), " ")
	default:
		return labelled(string(s.Provenance), s.Text)
	}
}

// Summary makes the message that stands for older ones. Source is FromWeb if
// any of them was.
func Summary(text string, source llm.Source) llm.Message {
	return llm.Message{Role: llm.User, Text: labelled("summary", text), Source: source}
}

// SummaryText reads what Summary was made of; false for another message.
func SummaryText(m llm.Message) (string, bool) {
	quoted, ok := strings.CutPrefix(m.Text, "[summary: ")
	if !ok || m.Source == "" {
		return "", false
	}
	text, err := strconv.Unquote(strings.TrimSuffix(quoted, "]"))
	return text, err == nil
}
