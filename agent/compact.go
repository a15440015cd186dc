package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/prompt"
)

// fit returns the prompt of the next step without evidence, made small enough
// that a conversation never gets stuck: older turns become a summary, and if that
// is not enough, the summary and what this turn holds are cut.
func (s *session) fit(ctx context.Context, t *turn) (llm.Request, error) {
	req := s.request(t, "")
	if s.gauge.over(req, fullShare) <= 0 {
		return req, nil
	}
	if put, err := s.compact(ctx, t, req); !put || err != nil {
		return req, err
	}
	if req = s.request(t, ""); s.gauge.over(req, lastShare) <= 0 {
		return req, nil // a long turn may fill the window
	}
	s.head = within(s.head, s.gauge.room(req)/4)
	if over := s.gauge.over(s.request(t, ""), fullShare); over > 0 {
		before := t.said
		t.said = shorten(t.said, over)
		t.log.Warn("what this turn holds was cut to fit the model's window", "tokens", over)
		t.noteCuts(before)
	}
	return s.request(t, ""), nil
}

// noteCuts says what was cut of what the person sent.
func (t *turn) noteCuts(before []llm.Message) {
	for i, m := range t.said {
		switch {
		case len(m.Images) < len(before[i].Images):
			t.note("There was no room for the picture in what the language model takes at once, so it did not see it. Send it alone, after /new.")
		case m.Role == llm.User && m.Text != before[i].Text:
			t.note("That was more than the language model takes at once, so I left out a part of it.")
		}
	}
}

// compact puts a summary in the place of the older turns, here and in the
// journal. A journal that fails leaves them there for the next process. While
// no model can be asked for a summary and there is still room, it puts that off
// and returns false.
func (s *session) compact(ctx context.Context, t *turn, req llm.Request) (put bool, err error) {
	room := s.gauge.room(req)
	old, tail := split(s.past, room/4)
	if len(old) == 0 {
		return true, nil
	}
	going := messagesOf(old)
	s.flush(ctx, t, going)
	text, err := s.summarize(ctx, going, summaryRoom(room))
	if cause := context.Cause(ctx); cause != nil {
		return false, cause
	}
	switch {
	case err != nil && unreachable(err) && s.gauge.over(req, lastShare) <= 0:
		t.log.Warn("summary put off", "err", err)
		return false, nil
	case err != nil:
		t.log.Warn("no model could write a summary; the person's words stand for it", "err", err)
		text = digest(s.earlier(), going, summaryRoom(room))
	}
	head := []llm.Message{prompt.Summary(text, sourceOf(slices.Concat(s.head, going)))}
	if len(tail) == 0 { // the last turn is too large to stay whole
		head = append(head, slim(old[len(old)-1].messages, summaryRoom(room))...)
	}
	last := old[len(old)-1].id
	s.head, s.past = head, tail
	if err := s.keepHead(ctx, t, last); err != nil {
		t.log.Error("summary not kept, the next start makes another", "err", err)
	}
	s.refresh(ctx, t, Frozen{})
	t.log.Info("older turns were put into a summary", "turns", len(old), "left", len(tail))
	return true, nil
}

// flush lets others see what goes into a summary; nothing that they do can
// hold it up.
func (s *session) flush(ctx context.Context, t *turn, going []llm.Message) {
	if s.agent.opts.Flush == nil {
		return
	}
	ctx, end := context.WithTimeout(ctx, timeFor(ctx))
	defer end()
	err := safely(t.log, func() error { return s.agent.opts.Flush(ctx, s.caller(t), going) })
	if err != nil {
		t.log.Warn("what goes into a summary was not seen by memory", "err", err)
	}
}

// keepHead stores what stands for the turns up to through, without what is to be
// forgotten by then.
func (s *session) keepHead(ctx context.Context, t *turn, through nacre.TurnID) error {
	s.storing.Lock()
	defer s.storing.Unlock()
	s.forgetHeld(t)
	raw, err := json.Marshal(s.head)
	if err != nil {
		return err
	}
	return s.agent.opts.Journal.Compact(ctx, s.info, through, raw)
}

// earlier is the summary so far, empty if there is none.
func (s *session) earlier() string {
	if len(s.head) == 0 {
		return ""
	}
	text, _ := prompt.SummaryText(s.head[0])
	return text
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

func messagesOf(turns []past) []llm.Message {
	var all []llm.Message
	for _, p := range turns {
		all = append(all, p.messages...)
	}
	return all
}

// slim keeps of a turn what people said last and the answer, in so many tokens.
func slim(messages []llm.Message, tokens int) []llm.Message {
	const newest = 4
	each := tokens / (newest + 1)
	said := ownWords(slices.Clone(messages))
	var kept []llm.Message
	for _, m := range said[max(0, len(said)-newest):] {
		dropImages(&m)
		kept = append(kept, llm.Message{Role: llm.User, Text: clip(m.Text, each), Source: m.Source})
	}
	if last := messages[len(messages)-1]; last.Role == llm.Assistant && len(last.Calls) == 0 && len(kept) > 0 {
		kept = append(kept, llm.Message{Role: llm.Assistant, Text: clip(last.Text, each)})
	}
	return kept
}

// within cuts what stands for older turns to so many tokens.
func within(head []llm.Message, tokens int) []llm.Message {
	if prompt.MessageTokens(head) <= tokens {
		return head
	}
	cut := slices.Clone(head)
	for i := range cut {
		if text, ok := prompt.SummaryText(cut[i]); ok {
			cut[i] = prompt.Summary(clip(text, tokens/len(head)), cut[i].Source)
			continue
		}
		cut[i].Text = clip(cut[i].Text, tokens/len(head))
	}
	return cut
}

// sourceOf is where a summary of messages is from: what others wrote stays
// marked as such.
func sourceOf(messages []llm.Message) llm.Source {
	for _, source := range []llm.Source{llm.FromWeb, llm.FromOthers, llm.FromTool} {
		if slices.ContainsFunc(messages, func(m llm.Message) bool { return m.Source == source }) {
			return source
		}
	}
	return llm.FromSummary
}

// shorten takes so many tokens out of a turn: first what tools returned, the
// oldest first, then reasoning but the newest, then images, then the middle of
// long texts, the longest first.
// Calls and results stay, so that each has its other.
func shorten(said []llm.Message, tokens int) []llm.Message {
	said = slices.Clone(said)
	dropBlob := func(m *llm.Message) {
		if m != &said[lastCalls(said)] {
			m.Blob = nil
		}
	}
	for _, cut := range []func(*llm.Message){dropResult, dropArgs, dropBlob, dropImages} {
		for i := range said {
			if tokens <= 0 {
				return said
			}
			tokens -= saved(&said[i], cut)
		}
	}
	for least := keepShort; tokens > 0; {
		i := longest(said)
		n := prompt.TextTokens(said[i].Text)
		got := saved(&said[i], func(m *llm.Message) { m.Text = clip(m.Text, max(least, n-tokens-markTokens)) })
		switch {
		case got <= 0 && least == 0:
			return said // no text is long any more
		case got <= 0:
			least = 0 // so many that even what is short must go, the oldest first
		}
		tokens -= max(0, got)
	}
	return said
}

// lastCalls is the place of the newest message with calls, whose reasoning some
// providers insist on; 0 if there is none.
func lastCalls(said []llm.Message) int {
	for i := len(said) - 1; i > 0; i-- {
		if len(said[i].Calls) > 0 {
			return i
		}
	}
	return 0
}

// saved is how many tokens a cut takes out of a message.
func saved(m *llm.Message, cut func(*llm.Message)) int {
	before := prompt.MessageTokens([]llm.Message{*m})
	cut(m)
	return before - prompt.MessageTokens([]llm.Message{*m})
}

// longest is the place of the message whose text has most tokens.
func longest(said []llm.Message) int {
	at, most := 0, 0
	for i := range said {
		if n := prompt.TextTokens(said[i].Text); n > most {
			at, most = i, n
		}
	}
	return at
}

// keepShort is how many tokens of a text are cut only if nothing else is left.
const keepShort = 100

func dropResult(m *llm.Message) {
	if m.Role == llm.Tool && prompt.TextTokens(m.Text) > keepShort {
		m.Text = fmt.Sprintf("[a result of %d characters, left out to make room; ask for less, or for a part]", utf8.RuneCountInString(m.Text))
	}
}

func dropImages(m *llm.Message) {
	for range m.Images {
		m.Text = strings.TrimPrefix(m.Text+"\n[an image, left out to make room]", "\n")
	}
	m.Images = nil
}

// dropArgs leaves out arguments of a call that are long whole, since half of
// them would be none.
func dropArgs(m *llm.Message) {
	m.Calls = slices.Clone(m.Calls)
	for i, c := range m.Calls {
		if prompt.TextTokens(string(c.Args)) > 2*keepShort {
			m.Calls[i].Args = json.RawMessage(`{"left_out":"too long"}`)
		}
	}
}

// markTokens is about what the mark of a cut costs.
const markTokens = 20

var cutMark = regexp.MustCompile(` \[… (\d+) characters left out …\] `)

// clip makes so many tokens of a text that has more. Lines with other people's
// words are cut each by itself, so that no cut takes their label away.
func clip(text string, tokens int) string {
	all := prompt.TextTokens(text)
	if all <= tokens+markTokens {
		return text
	}
	pieces := prompt.Pieces(text)
	for i, p := range pieces {
		pieces[i] = cutMiddle(p, tokens*prompt.TextTokens(p)/all)
	}
	return strings.Join(pieces, "\n")
}

// cutMiddle cuts the middle out of a text that has more than so many tokens, and
// says how much is missing, earlier cuts included.
func cutMiddle(text string, tokens int) string {
	if prompt.TextTokens(text) <= tokens+markTokens {
		return text
	}
	gone := 0
	if at := cutMark.FindStringSubmatchIndex(text); at != nil {
		gone, _ = strconv.Atoi(text[at[2]:at[3]])
		text = text[:at[0]] + text[at[1]:]
	}
	runes := []rune(text)
	most := min(len(runes), len(runes)*max(0, tokens)/max(1, prompt.TextTokens(text)))
	gone += len(runes) - most
	head := most * 2 / 3
	return string(runes[:head]) + fmt.Sprintf(" [… %d characters left out …] ", gone) + string(runes[len(runes)-most+head:])
}
