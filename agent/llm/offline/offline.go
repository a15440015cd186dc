// Package offline is the built-in model: no key, no network and no state. It
// sees nothing but the Request and always gives the same answer to it. It
// understands the phrases of agent/phrase, asks for tools where the request
// offers them, answers questions by quoting what is remembered, what the person said
// in this conversation or what the evidence at the end of the request says that they
// said long ago, and says plainly what it cannot do. It never makes anything up.
//
// The tools it asks for are memory_learn with {}, once for all that was said by
// then, memory_forget with {"about": "…"}, now with {"zone": "Asia/Tokyo"} or {},
// remind with {"when": "…"}, which are the words of the person as they are, and
// jobs with {}. Their results are passed on as they are, but for those of memory_learn that
// begin with "Saved" or "Known", which it has words of its own for; one that begins
// with "Error: " is told as a failure.
//
// Where heartbeat_decision is offered nobody wrote, and it decides to tell nothing: it
// has no judgement of its own.
package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
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
	if t.tools[decisionTool] {
		return llm.Response{Calls: []llm.ToolCall{{ID: fmt.Sprintf(callID, t.lastID+1), Name: decisionTool, Args: json.RawMessage(`{"tell":false}`)}}, Stop: llm.StopTools, Model: "offline"}, nil
	}
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
	learned []learning          // the calls of memory_learn since then, in order
	results map[string]string   // by call id
	notes   []note              // what is remembered
	earlier []earlier           // what was said long ago, as far as it was found
	lastID  int                 // highest number used in a call's id
	helped  bool                // the help was given in this conversation
}

// The tools that need more care than to be called once for each wish.
const (
	learnTool    = "memory_learn"
	forgetTool   = "memory_forget"
	remindTool   = "remind"
	listTool     = "jobs"
	decisionTool = "heartbeat_decision"
	maxAbout     = 200 // characters that memory_forget takes
)

// learning is a call of memory_learn, which learns of the sayings before upto.
type learning struct {
	id   string
	upto int
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
	t := &turn{tools: map[string]bool{}, made: map[string][]string{}, results: map[string]string{}, notes: remembered(req.System)}
	found, said := evidence(req.Tail)
	t.notes, t.earlier = append(t.notes, found...), said
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
		if c.Name == learnTool {
			t.learned = append(t.learned, learning{c.ID, len(t.said)})
			continue
		}
		t.made[c.Name] = append(t.made[c.Name], c.ID)
	}
	if len(m.Calls) == 0 {
		t.first, t.learned = len(t.said), nil
		clear(t.made)
	}
}

// callID is the form of the ids of calls. They count up over a conversation.
const callID = "offline_%d"

// run deals with every saying in order: either all lines of the answer, or the
// calls that are needed first.
func (t *turn) run() (lines []string, calls []llm.ToolCall) {
	plain := false
	for i := t.first; i < len(t.said); i++ {
		tool, args := t.wish(i)
		if tool == "" {
			lines = append(lines, t.answer(i))
			plain = plain || t.said[i].wants().Kind == phrase.None
			continue
		}
		if id := t.call(tool, i); id != "" {
			if line := t.report(i, t.results[id]); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
			continue
		}
		t.lastID++
		id := fmt.Sprintf(callID, t.lastID)
		calls = append(calls, llm.ToolCall{ID: id, Name: tool, Args: args})
		if tool == learnTool {
			t.learned = append(t.learned, learning{id, len(t.said)})
		}
	}
	switch v := t.voice(len(t.said) - 1); {
	case plain && !t.helped:
		lines = append(lines, v.help)
	case len(lines) == 0:
		lines = append(lines, v.idle)
	}
	return lines, calls
}

// call takes the call of a tool that was made for a saying, empty if there is
// none. Sayings are only ever added to a turn, so the nth call of a tool belongs
// to the nth saying that wants that tool; memory_learn learns of all at once.
func (t *turn) call(tool string, i int) string {
	if tool == learnTool {
		for _, l := range t.learned {
			if i < l.upto {
				return l.id
			}
		}
		return ""
	}
	ids := t.made[tool]
	if len(ids) == 0 {
		return ""
	}
	t.made[tool] = ids[1:]
	return ids[0]
}

// wish returns the tool that a saying needs, with its arguments, or "".
func (t *turn) wish(i int) (tool string, args json.RawMessage) {
	want := t.said[i].wants()
	in := map[string]string{}
	switch want.Kind {
	case phrase.Remember, phrase.Preference, phrase.Correct:
		tool = learnTool
	case phrase.Forget:
		tool, in["about"] = forgetTool, cut(want.Payload, maxAbout)
	case phrase.None: // a wish to forget may be forgotten itself by now
		if strings.Contains(t.said[i].text, "**") && len(t.made[forgetTool]) > 0 {
			tool = forgetTool
		}
	case phrase.RemindMe:
		tool, in["when"] = remindTool, want.Payload
	case phrase.Reminders:
		tool = listTool
	case phrase.TimeQuestion:
		tool = "now"
		if want.Payload != "" {
			if in["zone"] = phrase.Zone(want.Payload); in["zone"] == "" {
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
