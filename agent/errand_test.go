package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// errand is one that a test does.
func errand(text string) agent.Errand {
	return agent.Errand{Info: info, Run: nacre.Run{Job: "j", Owner: "o", Slot: time.UnixMilli(1000)}, Text: text}
}

// do does an errand within an hour.
func (w *world) do(e agent.Errand) (agent.ErrandResult, error) {
	if w.sessions == nil {
		w.begin()
	}
	ctx, end := context.WithTimeout(context.Background(), time.Hour)
	defer end()
	return w.sessions.Run(ctx, e)
}

// offered are the names of the tools in a request.
func offered(req llm.Request) (names []string) {
	for _, t := range req.Tools {
		names = append(names, t.Name)
	}
	return names
}

func silentTool(name string) agent.Tool {
	return tool{name, "", func(nacre.Caller, string) (agent.Result, error) { return agent.Result{Text: name}, nil }}
}

// An errand runs on the job's behalf, apart from the conversation for which it is
// done, and leaves nothing.
func TestErrand(t *testing.T) {
	in(t, func(w *world) {
		var callers []nacre.Caller
		n := &notes{now: agent.Frozen{Notes: "<memory-x>\nabout/bike: red\n</memory-x>"}}
		w.notes = n
		found := w.found("what was said")
		w.tools = []agent.Tool{agent.AskUser{}, agent.SendFile{}, silentTool("memory_learn"), tool{"look", "", func(c nacre.Caller, _ string) (agent.Result, error) {
			callers = append(callers, c)
			m := typed("me too") // no part of it
			m.Chat, m.Private, m.Received, m.External = info.Chat, true, time.Now(), "too"
			w.journal.put(m)
			return agent.Result{Text: "sunny", Source: llm.FromWeb}, nil
		}}}
		w.say("hello")
		*found = nil
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "look", `{}`)}}, llmtest.Step{Text: " It is sunny. "})
		e := errand("tell the weather\nof Graz")
		e.MayPlan, e.Extra = true, []agent.Tool{silentTool("decide")}
		got, err := w.do(e)
		if err != nil || got.Text != "It is sunny." || !got.Strange || !slices.Equal(got.Called, []string{"look"}) {
			t.Errorf("it comes to %+v, %v", got, err)
		}
		req := w.model.Requests()[1]
		if want := []string{"look", "decide"}; !slices.Equal(offered(req), want) {
			t.Errorf("it is offered %q, want %q", offered(req), want)
		}
		if text := req.Messages[0].Text; len(req.Messages) != 1 || !strings.HasPrefix(text, `[system: "This is a scheduled run: `) || !strings.HasSuffix(text, "\"]\ntell the weather\nof Graz") {
			t.Errorf("the model sees %q", req.Messages)
		}
		if !strings.HasSuffix(req.Tail, ", scheduled run for a private chat on telegram]") || !strings.HasSuffix(req.System, n.now.Notes) {
			t.Errorf("its request ends with %q and begins with %q", req.Tail, req.System)
		}
		c := callers[0]
		if c.Run == nil || c.Run.Job != "j" || !c.MayPlan || c.Turn != "j:1000" || c.Session != "errand:o" || c.Owner != "o" || c.Chat != info.Chat || !c.Private || c.Author != (nacre.Address{}) ||
			len(c.Said) != 1 || !slices.Equal(c.Said[0].Segments, []nacre.Segment{{Provenance: nacre.BySystem, Text: e.Text}}) {
			t.Errorf("tools run for %+v", c)
		}
		if len(*found) != 0 {
			t.Error("evidence was looked for")
		}
		w.sessions.Wake(info, nacre.Message{})
		w.pass(time.Minute)
		w.expect("echo: hello", "echo: me too")
		all := w.model.Requests()
		if chat := all[len(all)-1]; !slices.Equal(offered(chat), []string{"ask_user", "send_file", "memory_learn", "look"}) || strings.Contains(bytesOf(chat), "sunny") || !strings.HasSuffix(chat.Tail, ", private chat on telegram]") {
			t.Errorf("the chat goes on with %s %q %q", bytesOf(chat), offered(chat), chat.Tail)
		}
		if last := n.asked[len(n.asked)-1].caller; last.Run != nil || last.MayPlan {
			t.Errorf("in the chat memory is asked for %+v", last)
		}
	})
}

func TestErrandTools(t *testing.T) {
	in(t, func(w *world) {
		ran := false
		look := tool{"look", "", func(nacre.Caller, string) (agent.Result, error) { ran = true; return agent.Result{}, nil }}
		w.tools = []agent.Tool{agent.Now{Zone: utc}, look, silentTool("memory_find")}
		for _, c := range []struct{ allowed, want []string }{
			{nil, []string{"now", "look", "memory_find"}},
			{[]string{"memory_find", "now", "calc"}, []string{"now", "memory_find"}},
			{[]string{}, nil},
		} {
			e := errand("go")
			e.Tools, ran = c.allowed, false
			w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "look", `{}`)}}, llmtest.Step{Text: "done"})
			got, err := w.do(e)
			if all := w.model.Requests(); err != nil || !slices.Equal(offered(all[len(all)-1]), c.want) {
				t.Errorf("allowed %q: offered %q, %v", c.allowed, offered(all[len(all)-1]), err)
			}
			if ran != (c.allowed == nil) || !slices.Equal(got.Called, []string{"look"}) {
				t.Errorf("allowed %q: look ran: %v, called was %q", c.allowed, ran, got.Called)
			}
		}
	})
}

// Nobody is there to be asked, whatever a tool wants.
func TestErrandAsksNobody(t *testing.T) {
	in(t, func(w *world) {
		w.tools = []agent.Tool{tool{"plan", "", func(nacre.Caller, string) (agent.Result, error) {
			return agent.Result{Ask: &agent.Ask{Question: "Really?", Options: []string{"yes", "no"}}}, nil
		}}}
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "plan", `{}`)}}, llmtest.Step{Text: "not done"})
		got, err := w.do(errand("plan"))
		if err != nil || got.Text != "not done" || !strings.HasPrefix(w.results()[0], "Error: nobody is there") {
			t.Errorf("it comes to %+v, %v after %q", got, err, w.results())
		}
	})
}

func TestErrandEndsByATool(t *testing.T) {
	in(t, func(w *world) {
		w.tools = []agent.Tool{tool{"decide", "", func(nacre.Caller, string) (agent.Result, error) { return agent.Result{Ends: true}, nil }}, silentTool("look")}
		step := llmtest.Step{Calls: []llm.ToolCall{call("a", "decide", `{}`), call("b", "look", `{}`)}}
		w.model.Push(step)
		if got, err := w.do(errand("decide")); err != nil || !slices.Equal(got.Called, []string{"decide"}) {
			t.Errorf("it comes to %+v, %v", got, err)
		}
		w.model.Push(step)
		w.say("decide") // people get an answer
		if w.expect("echo: decide"); len(w.model.Requests()) != 3 {
			t.Errorf("%d requests, want 3", len(w.model.Requests()))
		}
	})
}

// How an errand fails, and how often a model is asked for it.
func TestErrandFails(t *testing.T) {
	late := &llm.Error{Cause: llm.Overloaded, After: time.Hour}
	loop := llmtest.Step{Calls: []llm.ToolCall{call("a", "now", `{}`)}}
	for _, c := range []struct {
		name   string
		change func(*agent.Errand)
		steps  []llmtest.Step
		calls  int
		kind   nacre.Kind
		want   string // of the sentence, or of the text if it does not fail
	}{
		{"empty", nil, []llmtest.Step{{Text: " "}, {Text: "\n"}}, 2, nacre.Transient, "The language model gave no answer, twice."},
		{"empty, then not", nil, []llmtest.Step{{Text: " "}, {Text: "there"}}, 2, nacre.Internal, "there"},
		{"silent", func(e *agent.Errand) { e.Silent = true }, []llmtest.Step{{Text: " "}}, 1, nacre.Internal, ""},
		{"silent, cut", func(e *agent.Errand) { e.Silent = true }, []llmtest.Step{{Text: "It is", Stop: llm.StopLength}}, 1, nacre.Internal, ""},
		{"cut before any word", func(e *agent.Errand) { e.Silent = true }, []llmtest.Step{{Stop: llm.StopLength}}, 1, nacre.Internal, ""},
		{"refused", nil, []llmtest.Step{{Stop: llm.StopRefused}}, 1, nacre.Invalid, "The language model declined"},
		{"overloaded", nil, []llmtest.Step{{Err: late}}, 1, nacre.Transient, "The language model takes nothing more"},
		{"not understood", nil, []llmtest.Step{{Err: &llm.Error{Cause: llm.BadRequest, Status: 400}}}, 1, nacre.Invalid, "The language model could not answer that"},
		{"in circles", func(e *agent.Errand) { e.Steps = 2 }, []llmtest.Step{loop, loop, loop}, 2, nacre.Invalid, "I went round in circles"},
		{"in circles, silent", func(e *agent.Errand) { e.Steps, e.Silent = 2, true }, []llmtest.Step{loop, loop, loop}, 2, nacre.Internal, ""},
		{"panic", nil, []llmtest.Step{{Panic: "boom"}}, 1, nacre.Internal, "Something went wrong"},
		{"hanging", nil, []llmtest.Step{{Gate: llmtest.NewGate()}}, 1, nacre.Transient, "The language model did not begin"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in(t, func(w *world) {
				e := errand("go")
				if c.change != nil {
					c.change(&e)
				}
				if c.steps[0].Gate != nil {
					c.steps[0].Gate = llmtest.NewGate() // of this bubble
				}
				w.model.Push(c.steps...)
				got, err := w.do(e)
				if n := len(w.model.Requests()); n != c.calls {
					t.Errorf("the model is asked %d times, want %d", n, c.calls)
				}
				if err == nil {
					if got.Text != c.want || c.kind != nacre.Internal {
						t.Errorf("it comes to %+v", got)
					}
					return
				}
				if !strings.HasPrefix(err.Error(), c.want) || c.want == "" || nacre.KindOf(err) != c.kind || got.Text != "" {
					t.Errorf("it fails with %v, %v", nacre.KindOf(err), err)
				}
				if c.name == "overloaded" && (nacre.RetryAfter(err) != time.Hour || !errors.Is(err, late)) {
					t.Errorf("it waits for %v", nacre.RetryAfter(err))
				}
				if len(w.journal.turns) != 0 {
					t.Errorf("the person reads %q", w.answers())
				}
			})
		})
	}
}

// What is forgotten while an errand runs is in nothing that comes of it.
func TestForgetInAnErrand(t *testing.T) {
	for _, value := range []string{pin, ""} {
		in(t, func(w *world) {
			w.tools = []agent.Tool{tool{"look", "", func(c nacre.Caller, _ string) (agent.Result, error) {
				return agent.Result{Text: c.Said[0].Segments[0].Text}, nil
			}}}
			gate := llmtest.NewGate()
			w.model.Push(llmtest.Step{Text: "4711", Calls: []llm.ToolCall{call("a", "look", `{}`)}}, llmtest.Step{Gate: gate, Text: "PIN 4711, dog Rex"})
			w.begin()
			go func() {
				<-gate.Reached()
				w.sessions.Forget("another", blanking(dog))
				w.sessions.Forget("o", blanking(value))
				gate.Open()
			}()
			got, err := w.do(errand("PIN 4711, dog Rex"))
			want := "PIN ****, dog Rex"
			if value == "" {
				want = ""
			}
			if err != nil || got.Text != want {
				t.Errorf("forgetting %q it comes to %+v, %v", value, got, err)
			}
			w.holds("what it saw before", bytesOf(w.model.Requests()[1]), pin, "nobody says this")
		})
	}
	in(t, func(w *world) {
		gate := llmtest.NewGate()
		w.model.Push(llmtest.Step{Gate: gate, Calls: []llm.ToolCall{call("a", "now", `{}`)}})
		w.begin()
		go func() {
			<-gate.Reached()
			w.sessions.Forget("o", blanking(pin))
			gate.Open()
		}()
		if _, err := w.do(errand("PIN 4711, dog Rex")); err != nil {
			t.Error(err)
		}
		w.holds("what it sees then", bytesOf(w.model.Requests()[1]), dog, pin)
	})
}

// An errand is waited for when the program ends, then parked; none begins then.
func TestErrandAtTheEnd(t *testing.T) {
	for _, patient := range []bool{true, false} {
		in(t, func(w *world) {
			gate := llmtest.NewGate()
			w.model.Push(llmtest.Step{Gate: gate, Text: "done"})
			w.begin()
			sessions := w.sessions
			ended, drained := make(chan error), make(chan bool)
			go func() {
				_, err := sessions.Run(context.Background(), errand("go"))
				ended <- err
			}()
			<-gate.Reached()
			go func() { w.end(); close(drained) }()
			time.Sleep(time.Second)
			if patient {
				gate.Open()
			}
			if err := <-ended; patient && err != nil || !patient && err != agent.ErrParked {
				t.Errorf("patient %v: it ends with %v", patient, err)
			}
			<-drained
			if _, err := sessions.Run(context.Background(), errand("go")); err != agent.ErrParked {
				t.Errorf("afterwards another one ends with %v", err)
			}
		})
	}
}
