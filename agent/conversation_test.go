package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/prompt"
)

// Whatever happens in a conversation, every prompt pairs calls with results and
// fits its window, the next message is answered, and what is due is said once.
func FuzzConversation(f *testing.F) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		b := make([]byte, 60)
		for i := range b {
			b[i] = byte(r.UintN(256))
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, events []byte) {
		in(t, func(w *world) { conversation(w, events[:min(len(events), 120)]) })
	})
}

func conversation(w *world, events []byte) {
	const window = 4000
	w.window = 4000
	w.notes = &notes{now: agent.Frozen{Version: 1, Notes: "<memory-x>\nabout/x: " + prose(100, "y") + "\n</memory-x>"}}
	forgotten := map[string]int{} // requests before it was
	var pills []string            // how reminders begin
	w.recall = finder(w.lookUp)
	w.more = []agent.Choice{{Name: "small", Model: small{w.model, window}, Window: 9000}}
	w.tools = []agent.Tool{tool{"read", `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, func(_ nacre.Caller, args string) (agent.Result, error) {
		var in struct{ N int }
		json.Unmarshal([]byte(args), &in)
		switch {
		case in.N == 7:
			panic("boom")
		case in.N == 6:
			return agent.Result{}, nacre.Errorf(nacre.NotFound, "nothing there")
		}
		return agent.Result{Text: prose(in.N*100, "result")}, nil
	}}, agent.AskUser{}}
	for i, e := range events {
		kind, size := e%24, int(e/16)
		id := fmt.Sprint("c", i)
		switch kind {
		case 0, 1, 2, 3:
			w.say(prose(size*40+1, fmt.Sprint("w", i)))
		case 4:
			w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call(id, "read", fmt.Sprintf(`{ "n" : %d }`, size)), call(id+"b", "read", `{"n":1}`)}})
		case 5:
			w.model.Push(llmtest.Step{Text: "so", Calls: []llm.ToolCall{call(id, []string{"read", "none", "ask_user"}[size%3], []string{`{"n":1`, ``, `"<&>"`, `{"question":"q <b>?","options":["a","b"]}`}[size%4])}})
		case 6:
			w.model.Push(llmtest.Step{Text: strings.Repeat(" ", size%3)}, llmtest.Step{Text: prose(size*30, "answer <&>")})
		case 7:
			w.model.Push(llmtest.Step{Err: &llm.Error{Cause: []llm.Cause{llm.Overloaded, llm.TooLong, llm.BadRequest, llm.BadAnswer}[size%4], Streamed: size > 8}})
		case 8:
			w.model.Push(llmtest.Step{Text: "half", Stop: []llm.Stop{llm.StopLength, llm.StopRefused}[size%2]})
		case 9:
			w.say("/new")
		case 10:
			w.say("/retry")
		case 11:
			w.end()
		case 12:
			w.say([]string{"/model 1", "/model 2"}[size%2])
		case 13:
			w.model.Push(llmtest.Step{Gate: llmtest.NewGate()})
			w.send(nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: fmt.Sprint("stop", i)}}})
			time.Sleep(time.Minute)
			w.say("/stop")
		case 14:
			synctest.Wait() // nobody reads it now
			w.journal.broken = size%2 == 0
		case 16:
			w.send(reaction())
		case 17:
			synctest.Wait()
			w.host.files["0"] = []byte([]string{"image of a cat", "film", "text " + prose(size*100, "file"), "voice " + prose(size*10, "words")}[size%4])
			w.send(nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.Label, Text: "[file]"}}, Attachments: attach(nacre.Document)})
		case 18:
			m := typed("edited")
			m.Revision, m.Quiet = int64(i+1), size%2 == 0
			w.send(m)
		case 19:
			gate := llmtest.NewGate()
			w.model.Push(llmtest.Step{Gate: gate, Calls: []llm.ToolCall{call(id, "read", `{"n":2}`)}})
			w.send(typed("first"))
			time.Sleep(time.Minute)
			w.send(typed("follow-up"))
			w.send(reaction())
			gate.Open()
			w.say("and more")
		case 20:
			synctest.Wait()
			if word := fmt.Sprint("w", size); size < i { // nobody says it anew
				w.forget(word)
				forgotten[word] = len(w.model.Requests())
			}
		case 21:
			gate, word := llmtest.NewGate(), fmt.Sprint("w", i)
			w.model.Push(llmtest.Step{Gate: gate, Calls: []llm.ToolCall{call(id, "read", `{"n":2}`)}})
			w.send(typed("what was " + word))
			time.Sleep(time.Minute)
			w.forget(word)
			forgotten[word] = len(w.model.Requests())
			gate.Open()
			w.say("and more")
		case 22:
			w.send(reminder(fmt.Sprintf("pill%d: w%d", i, i)))
			pills = append(pills, fmt.Sprintf("pill%d:", i))
		case 23:
			gate, word := llmtest.NewGate(), fmt.Sprint("w", i)
			w.model.Push(llmtest.Step{Gate: gate, Calls: []llm.ToolCall{call(id, "read", `{"n":2}`)}})
			w.send(typed("first"))
			time.Sleep(time.Minute)
			w.send(reminder(fmt.Sprintf("pill%d: %s", i, word)))
			pills = append(pills, fmt.Sprintf("pill%d:", i))
			w.send(typed("follow-up"))
			if synctest.Wait(); size%2 == 0 {
				w.forget(word)
				forgotten[word] = len(w.model.Requests())
			}
			gate.Open()
			w.say("and more")
		case 15:
			w.memory.Push(llmtest.Step{Text: prose(size*100, "summary")})
		}
	}
	synctest.Wait()
	w.journal.broken = false
	for range len(events) + 2 { // whatever is left of the script
		w.model.Push(llmtest.Step{Text: "fine"})
	}
	for range len(events) + 2 {
		w.say("and now?")
	}
	checkConversation(w)
	said := strings.Join(w.answers(), "\n")
	for _, pill := range pills {
		if n := strings.Count(said, pill); n != 1 {
			w.t.Errorf("%s is said %d times", pill, n)
		}
	}
	for word, before := range forgotten {
		w.checkForgotten(word, before)
	}
}

// lookUp finds the newest turns that have room, and lets answers out a little
// changed.
func (w *world) lookUp(_ context.Context, _ nacre.Caller, seen agent.Window) (agent.Evidence, error) {
	w.journal.mu.Lock()
	defer w.journal.mu.Unlock()
	var e agent.Evidence
	for _, t := range slices.Backward(w.journal.turns) {
		if seen.Room -= prompt.TextTokens(string(t.History)); seen.Room < 0 {
			break
		}
		e.Text += string(t.History)
	}
	if len(e.Text)%2 == 0 {
		e.Check = func(_ context.Context, draft string) (string, error) { return draft + ".", nil }
	}
	return e, nil
}

// forget forgets a word.
func (w *world) forget(word string) {
	exactly := regexp.MustCompile(`\b` + word + `\b`)
	redact := func(text string) (string, bool) {
		return exactly.ReplaceAllString(text, strings.Repeat("*", len(word))), exactly.MatchString(text)
	}
	if w.sessions != nil {
		w.sessions.Forget("o", redact)
	}
	w.journal.forget(redact)
}

// forget is what a ledger does to what it holds.
func (j *journal) forget(redact func(string) (string, bool)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	places := []*json.RawMessage{&j.head}
	for i := range j.turns {
		places = append(places, &j.turns[i].History)
	}
	for _, p := range places { // a word may begin a line
		if text, found := redact(strings.ReplaceAll(string(*p), `\n`, "\n")); found {
			*p = json.RawMessage(strings.ReplaceAll(text, "\n", `\n`))
		}
	}
	for i := range j.pending {
		segments := slices.Clone(j.pending[i].Segments)
		for k, s := range segments {
			segments[k].Text, _ = redact(s.Text)
		}
		j.pending[i].Segments = segments
	}
}

// checkForgotten looks for a word in what is stored and in the requests that were
// made since it was forgotten. Nobody says it anew.
func (w *world) checkForgotten(word string, before int) {
	w.t.Helper()
	there := regexp.MustCompile(`\b` + word + `\b`)
	kept := []string{string(w.journal.head)}
	for _, t := range w.journal.turns {
		kept = append(kept, strings.ReplaceAll(string(t.History), `\n`, "\n"))
	}
	if i := slices.IndexFunc(kept, there.MatchString); i >= 0 {
		w.t.Errorf("%s is kept in %.2000s", word, kept[i])
	}
	for i, req := range w.model.Requests()[before:] {
		if text := bytesOf(req) + req.Tail; there.MatchString(text) {
			w.t.Errorf("request %d, %d after it was forgotten, holds %s in %.2000s", before+i, i, word, text)
		}
	}
}

func checkConversation(w *world) {
	w.t.Helper()
	if got := w.answers(); !strings.HasPrefix(got[len(got)-1], "fine") && !strings.HasPrefix(got[len(got)-1], "echo: ") {
		w.t.Errorf("the last answer is %.100q", got[len(got)-1])
	}
	all := w.model.Requests()
	for i, req := range all {
		if err := llmtest.Check(req); err != nil {
			w.t.Errorf("request %d: %v", i, err)
		}
		if n := prompt.Tokens(req); n > 4000 {
			w.t.Errorf("request %d has %d tokens", i, n)
		}
	}
}
