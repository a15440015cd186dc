// Package offline is the built-in model: no key, no network and no state. It
// sees nothing but the Request and always gives the same answer to it. It
// understands the phrases of agent/phrase, asks for tools where the request
// offers them, answers questions by quoting what the person said in this
// conversation, and says plainly what it cannot do. It never makes anything up.
//
// The tools it asks for are memory_learn and memory_forget with the arguments
// {"text": "…"}, and now with {"zone": "Asia/Tokyo"} or {}. Their results are
// passed on as they are; one that begins with "Error: " is told as a failure.
package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"nacre/agent/llm"
	"nacre/agent/phrase"
)

// Model implements llm.Model. It is safe for many goroutines.
type Model struct{}

// Complete implements llm.Model. It fails only when ctx has ended.
func (Model) Complete(ctx context.Context, req llm.Request, emit func(string)) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	t := newTurn(req)
	lines, calls := t.run()
	if len(calls) > 0 {
		return llm.Response{Calls: calls, Stop: llm.StopTools, Model: "offline"}, nil
	}
	text := strings.Join(lines, "\n")
	if emit != nil {
		emit(text)
	}
	return llm.Response{Text: text, Stop: llm.StopEnd, Model: "offline"}, nil
}

// turn is what happened since the last answer.
type turn struct {
	said    []saying            // everything the person said, in order
	first   int                 // the first saying that is not answered yet
	tools   map[string]bool     // offered
	made    map[string][]string // ids of the calls since then, by tool, in order
	results map[string]string   // by call id
	lastID  int                 // highest number used in a call's id
	helped  bool                // the help was given in this conversation
}

// saying is one message of the person.
type saying struct {
	text   string         // own words
	intent *phrase.Intent // what they want, once asked for
}

func (s *saying) wants() *phrase.Intent {
	if s.intent == nil {
		in := phrase.Parse(s.text)
		s.intent = &in
	}
	return s.intent
}

func newTurn(req llm.Request) *turn {
	t := &turn{tools: map[string]bool{}, made: map[string][]string{}, results: map[string]string{}}
	for _, tool := range req.Tools {
		t.tools[tool.Name] = true
	}
	for _, m := range req.Messages {
		switch m.Role {
		case llm.User:
			t.said = append(t.said, saying{text: ownWords(m.Text)})
		case llm.Assistant:
			t.answered(m)
		case llm.Tool:
			t.results[m.CallID] = m.Text
		}
	}
	return t
}

func (t *turn) answered(m llm.Message) {
	t.helped = t.helped || strings.Contains(m.Text, helpMark)
	for _, c := range m.Calls {
		var n int
		fmt.Sscanf(c.ID, callID, &n)
		t.lastID = max(t.lastID, n)
		t.made[c.Name] = append(t.made[c.Name], c.ID)
	}
	if len(m.Calls) == 0 {
		t.first = len(t.said)
		clear(t.made)
	}
}

// callID is the form of the ids of calls. They count up over a conversation.
const callID = "offline_%d"

// run deals with every saying in order: either all lines of the answer, or the
// calls that are needed first. Sayings are only ever added to a turn, so the
// nth call of a tool always belongs to the nth saying that wants that tool.
func (t *turn) run() (lines []string, calls []llm.ToolCall) {
	plain := false
	for i := t.first; i < len(t.said); i++ {
		tool, args := t.wish(i)
		if tool == "" {
			lines = append(lines, t.answer(i))
			plain = plain || t.said[i].wants().Kind == phrase.None
			continue
		}
		if ids := t.made[tool]; len(ids) > 0 {
			t.made[tool] = ids[1:]
			lines = append(lines, t.report(i, t.results[ids[0]]))
			continue
		}
		t.lastID++
		calls = append(calls, llm.ToolCall{ID: fmt.Sprintf(callID, t.lastID), Name: tool, Args: args})
	}
	switch v := t.voice(len(t.said) - 1); {
	case plain && !t.helped:
		lines = append(lines, v.help)
	case len(lines) == 0:
		lines = append(lines, v.idle)
	}
	return lines, calls
}

// wish returns the tool that a saying needs, with its arguments, or "".
func (t *turn) wish(i int) (tool string, args json.RawMessage) {
	want := t.said[i].wants()
	in := map[string]string{}
	switch want.Kind {
	case phrase.Remember, phrase.Preference, phrase.Correct:
		tool, in["text"] = "memory_learn", want.Payload
	case phrase.Forget:
		tool, in["text"] = "memory_forget", want.Payload
	case phrase.TimeQuestion:
		tool = "now"
		if want.Payload != "" {
			if in["zone"] = zone(want.Payload); in["zone"] == "" {
				return "", nil
			}
		}
	}
	if !t.tools[tool] {
		return "", nil
	}
	args, _ = json.Marshal(in) // a map of strings always encodes
	return tool, args
}

// ownWords removes the lines by which prompts show text that came along with a
// message: [quoted: "…"] and the like are not what the person said.
func ownWords(text string) string {
	var own []string
	for line := range strings.Lines(text) {
		if !alongside(strings.TrimSpace(line)) {
			own = append(own, line)
		}
	}
	return strings.TrimSpace(strings.Join(own, ""))
}

func alongside(line string) bool {
	label, rest, ok := strings.Cut(strings.TrimPrefix(line, "["), `: "`)
	if !ok || !strings.HasPrefix(line, "[") || !strings.HasSuffix(rest, `"]`) {
		return false
	}
	switch label {
	case "quoted", "forwarded", "prefill", "label", "system":
		return true
	}
	return false
}
