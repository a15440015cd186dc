package agent

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/prompt"
)

// Shares of the model's window.
const (
	fullShare = 0.75 // a prompt beyond this is made smaller
	tailShare = 0.25 // newest turns that stay word for word
	restShare = 0.60 // what a prompt with a turn that must be shortened may have then
)

// fit makes the prompt of the next step small enough, so that a conversation
// never gets stuck: older turns become a summary, and if that is not enough,
// what this turn holds is cut.
func (s *session) fit(ctx context.Context, t *turn) error {
	if s.gauge.tokens(s.request(t)) <= int(s.gauge.window*fullShare) {
		return nil
	}
	if err := s.compact(ctx, t); err != nil {
		return err
	}
	if over := prompt.Tokens(s.request(t)) - s.gauge.share(fullShare); over > 0 {
		goal := prompt.Tokens(s.request(t)) - s.gauge.share(restShare)
		t.said = shorten(t.said, goal)
		t.log.Warn("what this turn holds was cut to fit the model's window", "tokens", goal)
	}
	return nil
}

// compact puts a summary in the place of the older turns, here and in the
// journal. A journal that fails leaves them there for the next process.
func (s *session) compact(ctx context.Context, t *turn) error {
	old, tail := split(s.past, s.gauge.share(tailShare))
	if len(old) == 0 {
		return nil
	}
	going := slices.Clone(s.head)
	for _, p := range old {
		going = append(going, p.messages...)
	}
	if s.agent.opts.Flush != nil {
		if err := s.agent.opts.Flush(ctx, s.caller(&t.last, t.id), going); err != nil {
			t.log.Warn("nothing was learned from what goes into a summary", "kind", nacre.KindOf(err))
		}
	}
	room := min(maxSummary, max(minSummary, s.gauge.share(summaryShare)*charsPerToken))
	text := s.summarize(ctx, going, room)
	if err := context.Cause(ctx); err != nil {
		return err
	}
	head := []llm.Message{prompt.Summary(text, sourceOf(going))}
	if len(tail) == 0 { // the last turn is too large to stay whole
		head = append(head, slim(old[len(old)-1].messages, room)...)
	}
	if err := s.keepHead(ctx, old[len(old)-1].id, head); err != nil {
		t.log.Error("summary not kept, the next start makes another", "err", err)
	}
	s.head, s.past = head, tail
	t.log.Info("older turns were put into a summary", "turns", len(old), "left", len(tail))
	return nil
}

func (s *session) keepHead(ctx context.Context, through nacre.TurnID, head []llm.Message) error {
	raw, err := json.Marshal(head)
	if err != nil {
		return err
	}
	return s.agent.opts.Journal.Compact(ctx, s.info, through, raw)
}

// split parts turns into older ones and the newest that have so many tokens
// together. Whole turns are a safe cut: tool calls stand with their results.
func split(turns []past, tokens int) (old, tail []past) {
	i := len(turns)
	for i > 0 {
		tokens -= prompt.MessageTokens(turns[i-1].messages)
		if tokens < 0 {
			break
		}
		i--
	}
	return turns[:i], slices.Clone(turns[i:])
}

// slim keeps of a turn what people said last and the answer, in so many
// characters.
func slim(messages []llm.Message, room int) []llm.Message {
	const newest = 4
	most := room / (newest + 1)
	said := ownWords(slices.Clone(messages))
	var kept []llm.Message
	for _, m := range said[max(0, len(said)-newest):] {
		kept = append(kept, llm.Message{Role: llm.User, Text: clip(m.Text, most), Source: m.Source})
	}
	if last := messages[len(messages)-1]; last.Role == llm.Assistant && len(last.Calls) == 0 && len(kept) > 0 {
		kept = append(kept, llm.Message{Role: llm.Assistant, Text: clip(last.Text, most)})
	}
	return kept
}

// sourceOf is where a summary of messages is from: what a stranger wrote stays
// marked as such.
func sourceOf(messages []llm.Message) llm.Source {
	for _, m := range messages {
		if m.Source == llm.FromWeb {
			return llm.FromWeb
		}
	}
	return llm.FromSummary
}

// shorten takes so many tokens out of a turn: first what tools returned, the
// oldest first, then images, then the middle of long texts. Calls and results
// stay, so that each has its other.
func shorten(said []llm.Message, tokens int) []llm.Message {
	said = slices.Clone(said)
	for _, cut := range []func(*llm.Message){dropResult, dropImages, halve, halve, halve, halve} {
		for i := range said {
			if tokens <= 0 {
				return said
			}
			before := prompt.MessageTokens(said[i : i+1])
			cut(&said[i])
			tokens -= before - prompt.MessageTokens(said[i:i+1])
		}
	}
	return said
}

// keepShort is how many characters of a text are never cut.
const keepShort = 300

func dropResult(m *llm.Message) {
	if n := utf8.RuneCountInString(m.Text); m.Role == llm.Tool && n > keepShort {
		m.Text = fmt.Sprintf("[a result of %d characters, left out to make room; ask for less, or for a part]", n)
	}
}

func dropImages(m *llm.Message) {
	for range m.Images {
		m.Text = strings.TrimPrefix(m.Text+"\n[an image, left out to make room]", "\n")
	}
	m.Images = nil
}

// halve cuts the middle of a long text, and arguments of a call that are long
// whole, since half of them would be none.
func halve(m *llm.Message) {
	if n := utf8.RuneCountInString(m.Text); n > 2*keepShort {
		m.Text = clip(m.Text, n/2)
	}
	calls := slices.Clone(m.Calls)
	for i := range calls {
		if len(calls[i].Args) > 4*keepShort {
			calls[i].Args = json.RawMessage(`{"left_out":"too long"}`)
		}
	}
	m.Calls = calls
}

// clip cuts the middle out of a text that has more than so many characters.
func clip(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most*2/3]) + fmt.Sprintf(" [… %d characters left out …] ", len(runes)-most) + string(runes[len(runes)-most/3:])
}

//go:embed summary.md
var summaryTask string

// How a summary is made.
const (
	summaryTime   = 60 * time.Second
	summaryTries  = 2
	summaryTokens = 1500 // of the answer
	maxSummary    = 6000 // characters, or as many as have room in summaryShare
	minSummary    = 400
	summaryShare  = 0.10 // of the window of the model that reads it
	scriptShare   = 0.50 // of the window of the model that writes it
	charsPerToken = 3
)

// summarize puts messages into so many characters. Where no model can, or it fails, the
// words are those of the person.
func (s *session) summarize(ctx context.Context, going []llm.Message, room int) string {
	m := s.agent.opts.Memory
	ctx, end := context.WithTimeout(ctx, summaryTime)
	defer end()
	for try := 0; try < summaryTries && !m.Simple; try++ {
		r, err := m.Model.Complete(ctx, llm.Request{System: summaryTask, MaxTokens: summaryTokens, Account: string(s.info.Owner),
			Messages: []llm.Message{{Role: llm.User, Text: script(going, int(float64(m.Window)*scriptShare))}}}, nil)
		if text := strings.TrimSpace(r.Text); err == nil && len(r.Calls) == 0 && text != "" && r.Stop != llm.StopRefused {
			return clip(text, room)
		}
		s.log.Warn("summary failed", "err", err, "stop", r.Stop)
		if ctx.Err() != nil {
			break
		}
	}
	return digest(going, room)
}

// script writes a conversation down, within so many tokens: the oldest lines
// go first, but for an earlier summary.
func script(messages []llm.Message, tokens int) string {
	first, lines := "", []string(nil)
	for i, m := range messages {
		if text, ok := prompt.SummaryText(m); ok && i == 0 {
			first = "Summary so far: " + text + "\n"
			continue
		}
		lines = append(lines, scriptLines(m)...)
	}
	tokens -= prompt.TextTokens(first)
	from := len(lines)
	for from > 0 {
		tokens -= prompt.TextTokens(lines[from-1])
		if tokens < 0 {
			break
		}
		from--
	}
	return first + strings.Join(lines[from:], "")
}

// scriptLines is a message in a script. What tools returned is left out: it
// may be a stranger's, and what mattered of it is in the answers.
func scriptLines(m llm.Message) []string {
	const most = 4000
	switch {
	case m.Role == llm.User:
		return []string{"Person: " + clip(m.Text, most) + "\n"}
	case m.Role == llm.Tool || m.Text == "" && len(m.Calls) == 0:
		return nil
	}
	line := "You: " + clip(m.Text, most)
	for _, c := range m.Calls {
		line += " [used " + c.Name + "]"
	}
	return []string{line + "\n"}
}

// digest stands in for a summary: what the person said, each cut short, the
// newest that have room, after what was left of an earlier summary.
func digest(messages []llm.Message, all int) string {
	const each = 200
	first, lines := "", []string(nil)
	for i, m := range messages {
		if text, ok := prompt.SummaryText(m); ok && i == 0 {
			first = clip(text, all/2) + "\n"
		} else if m.Role == llm.User {
			lines = append(lines, "- "+clip(strings.Join(strings.Fields(m.Text), " "), each))
		}
	}
	room, from := all-len(first), len(lines)
	for from > 0 && len(lines[from-1]) < room {
		from--
		room -= len(lines[from]) + 1
	}
	return first + "The person wrote:\n" + strings.Join(lines[from:], "\n")
}
