package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// blanking blanks a value byte for byte; the empty one blanks everything.
func blanking(value string) func(string) (string, bool) {
	return func(text string) (string, bool) {
		if value == "" {
			return strings.Repeat("*", len(text)), true
		}
		return strings.ReplaceAll(text, value, strings.Repeat("*", len(value))), strings.Contains(text, value)
	}
}

// screen is a host that keeps what is shown of an answer while it grows.
type screen struct {
	host
	mu    sync.Mutex
	shown []string // guarded by mu
}

func (s *screen) Progress(nacre.Chat, nacre.TurnID) (func(string), func()) {
	return func(text string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.shown = append(s.shown, text)
	}, func() {}
}

// stored is all that the journal holds of the turns from a place on.
func (w *world) stored(from int) string {
	w.journal.mu.Lock()
	defer w.journal.mu.Unlock()
	b, err := json.Marshal(w.journal.turns[from:])
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

// holds checks what a text holds and what it does not.
func (w *world) holds(what, text, present, absent string) {
	w.t.Helper()
	if !strings.Contains(text, present) || strings.Contains(text, absent) {
		w.t.Errorf("%s: want %q and no %q in\n%s", what, present, absent, text)
	}
}

const pin, dog = "4711", "Rex"

// What is forgotten while the model answers is in nothing that comes of it.
func TestForgetWhileTheModelAnswers(t *testing.T) {
	in(t, func(w *world) {
		s := &screen{host: w.host}
		w.network = s
		w.tools = []agent.Tool{agent.SendFile{}, agent.AskUser{}}
		w.model.Push(llmtest.Step{Text: "noted"})
		w.say("my PIN is 4711, my dog is Rex")
		gate := llmtest.NewGate()
		file := `{"name":"4711.txt","content":"PIN 4711, dog Rex"}`
		w.model.Push(llmtest.Step{Gate: gate, Text: "PIN 4711 and dog Rex", Blob: []byte(`{"why":"4711"}`), Calls: []llm.ToolCall{call("a", "send_file", file)}},
			llmtest.Step{Text: "again 4711 and Rex", Calls: []llm.ToolCall{call("b", "ask_user", `{"question":"4711 or Rex?","options":["4711","Rex"]}`)}})
		w.send(typed("what were 4711 and Rex?"))
		<-gate.Reached()
		w.sessions.Forget("o", blanking(pin))
		gate.Open()
		w.pass(time.Minute)
		w.holds("what is stored of the turn", w.stored(1), dog, pin)
		if strings.Contains(w.stored(1), "blob") {
			t.Error("reasoning of what is forgotten is kept")
		}
		w.holds("what is shown", strings.Join(s.shown, "\n"), dog, pin)
		reply := w.journal.turns[1].Replies[0]
		w.holds("what is asked", fmt.Sprint(reply.Text, reply.Options, reply.Parts), dog, pin)
		w.holds("the next request", bytesOf(w.model.Requests()[2]), dog, pin)
		w.say("4712, then?")
		w.holds("the next turn's request", bytesOf(w.model.Requests()[3]), dog, pin)
		w.say("a new one: 4711")
		w.holds("what is said anew", bytesOf(w.model.Requests()[4]), pin, "nobody says this")
		var before string
		for _, m := range w.model.Requests()[1].Messages {
			before += m.Text
		}
		if !strings.Contains(before, pin) {
			t.Error("the value was never there")
		}
	})
}

// The files of a turn go out without it.
func TestForgetInFiles(t *testing.T) {
	in(t, func(w *world) {
		var files []nacre.File
		w.network = filing{w.host, &files}
		w.tools = []agent.Tool{agent.SendFile{}}
		gate := llmtest.NewGate()
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "send_file", `{"name":"4711 Rex.txt","content":"PIN 4711, dog Rex"}`)}}, llmtest.Step{Gate: gate, Text: "there"})
		w.send(typed("send me all"))
		<-gate.Reached()
		w.sessions.Forget("o", blanking(pin))
		gate.Open()
		w.pass(time.Minute)
		if len(files) != 1 || files[0].Name != "**** Rex.txt" || string(files[0].Data) != "PIN ****, dog Rex" {
			t.Errorf("the person gets %q", files)
		}
	})
}

// filing is a host that keeps the files of replies.
type filing struct {
	host
	files *[]nacre.File
}

func (f filing) Render(r nacre.Reply) []nacre.Part {
	*f.files = append(*f.files, r.Files...)
	return f.host.Render(r)
}

// The turn that forgets goes on, and the model does not see the value again.
func TestForgetFromATool(t *testing.T) {
	in(t, func(w *world) {
		w.notes = &notes{now: agent.Frozen{Notes: "<memory-x>PIN 4711</memory-x>"}}
		w.tools = []agent.Tool{tool{"memory_forget", "", func(c nacre.Caller, args string) (agent.Result, error) {
			w.notes.(*notes).now.Notes = "<memory-x>dog Rex</memory-x>"
			w.sessions.Forget(c.Owner, blanking(pin))
			return agent.Result{Text: "Forgotten."}, nil
		}}}
		w.say("my PIN is 4711, my dog is Rex")
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "memory_forget", `{"about":"the PIN 4711","n":4711,"of":[{"4711":"Rex"}]}`)}}, llmtest.Step{Text: "I forgot 4711, and not Rex."})
		w.say("forget the PIN 4711")
		all := w.model.Requests()
		w.holds("the request after it", bytesOf(all[2])+all[2].System, dog, pin)
		w.holds("the stored turn", w.stored(1), dog, pin)
		w.expect("echo: my PIN", "I forgot ****, and not Rex.")
		if got := all[2].Messages[3].Calls[0].Args; string(got) != `{"about":"the PIN ****","n":"****","of":[{"****":"Rex"}]}` {
			t.Errorf("the arguments are %s", got)
		}
		if got := all[2].Messages[4].Text; got != "Forgotten." {
			t.Errorf("the model reads %q", got)
		}
	})
}

// journals keep the conversations of several sessions apart.
type journals struct {
	*journal
	of map[nacre.SessionID]*journal
}

func (j journals) Pending(ctx context.Context, s nacre.SessionInfo, after int64) ([]nacre.Message, error) {
	return j.of[s.ID].Pending(ctx, s, after)
}

func (j journals) Conversation(ctx context.Context, s nacre.SessionInfo) (nacre.Conversation, error) {
	return j.of[s.ID].Conversation(ctx, s)
}

func (j journals) Commit(ctx context.Context, t nacre.Turn) ([]nacre.Delivery, error) {
	return j.of[t.Session].Commit(ctx, t)
}

// All sessions of an owner forget, those of others do not.
func TestForgetIsTheOwners(t *testing.T) {
	in(t, func(w *world) {
		sessions := []nacre.SessionInfo{{ID: "chat", Owner: "o", Chat: info.Chat, Private: true}, {ID: "group", Owner: "o", Chat: info.Chat}, {ID: "other", Owner: "p", Chat: info.Chat, Private: true}}
		all := journals{w.journal, map[nacre.SessionID]*journal{}}
		w.store = all
		w.begin()
		say := func(s nacre.SessionInfo, text string) {
			m := typed(text)
			m.Chat, m.Received = s.Chat, time.Now()
			w.sessions.Wake(s, all.of[s.ID].put(m))
			w.pass(time.Minute)
		}
		for _, s := range sessions {
			all.of[s.ID] = &journal{}
			say(s, "my PIN is 4711, my dog is Rex")
		}
		w.sessions.Forget("o", blanking(pin))
		for i, s := range sessions {
			say(s, "and?")
			got := bytesOf(w.model.Requests()[3+i])
			if !strings.Contains(got, dog) || strings.Contains(got, pin) != (s.Owner == "p") {
				t.Errorf("%s: the model sees %q", s.ID, got)
			}
		}
	})
}

// Only the turns that hold it lose what a provider keeps with them.
func TestForgetDropsReasoningOfThatTurn(t *testing.T) {
	in(t, func(w *world) {
		for i, text := range []string{"my PIN is 4711", "my dog is Rex"} {
			w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call(fmt.Sprint("c", i), "now", `{}`)}, Blob: fmt.Appendf(nil, `{"thought":%q}`, text)}, llmtest.Step{Text: "noted"})
			w.say(text)
		}
		w.sessions.Forget("o", blanking(pin))
		w.say("and?")
		var blobs []string
		for _, m := range w.model.Requests()[4].Messages {
			if m.Blob != nil {
				blobs = append(blobs, string(m.Blob))
			}
		}
		if want := []string{`{"thought":"my dog is Rex"}`}; !slices.Equal(blobs, want) {
			t.Errorf("the reasoning %q is left, want %q", blobs, want)
		}
	})
}

// What somebody else said is forgotten and keeps its label.
func TestForgetInForeignWords(t *testing.T) {
	in(t, func(w *world) {
		w.send(nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.Forwarded, Text: "my \"PIN\nis\" 4711, my dog is Rex"}}})
		w.pass(time.Minute)
		w.sessions.Forget("o", blanking("\"PIN\nis\" 4711"))
		w.say("and?")
		if got, want := w.seen()[0], `[forwarded: "my *************, my dog is Rex"]`; got != want {
			t.Errorf("the model sees %s, want %s", got, want)
		}
	})
}

// Reasoning about the past may repeat it where no word of the turn does.
func TestForgetDropsReasoningUnderWay(t *testing.T) {
	in(t, func(w *world) {
		w.model.Push(llmtest.Step{Text: "noted"})
		w.say("my PIN is 4711, my dog is Rex")
		gate := llmtest.NewGate()
		w.model.Push(llmtest.Step{Gate: gate, Calls: []llm.ToolCall{call("a", "now", `{}`)}, Blob: []byte(`{"thought":"4711"}`)},
			llmtest.Step{Calls: []llm.ToolCall{call("b", "now", `{}`)}, Blob: []byte(`{"thought":"Rex"}`)}, llmtest.Step{Text: "fine"})
		w.send(typed("what time is it?"))
		<-gate.Reached()
		w.sessions.Forget("o", blanking(pin))
		gate.Open()
		w.pass(time.Minute)
		w.holds("the stored turn", w.stored(1), dog, pin)
	})
}

// What is said anew once it was forgotten is heard.
func TestForgottenAndSaidAnew(t *testing.T) {
	in(t, func(w *world) {
		w.model.Push(llmtest.Step{Text: "noted"})
		w.say("my PIN is 4711, my dog is Rex")
		w.sessions.Forget("o", blanking(pin))
		w.model.Push(llmtest.Step{Text: "noted"})
		w.say("the PIN is 4711 again")
		if got, want := w.seen(), []string{"my PIN is ****, my dog is Rex", "noted", "the PIN is 4711 again"}; !slices.Equal(got, want) {
			t.Errorf("the model sees %q, want %q", got, want)
		}
		w.holds("the stored turn", w.stored(1), pin, "***")
	})
}

// A summary that was under way is stored without it.
func TestForgetDuringASummary(t *testing.T) {
	in(t, func(w *world) {
		gate := llmtest.NewGate()
		w.memory.Push(llmtest.Step{Gate: gate, Text: "PIN 4711, \"dog\" Rex"})
		asked := make(chan struct{})
		go func() {
			<-gate.Reached()
			w.sessions.Forget("o", blanking(pin))
			gate.Open()
			close(asked)
		}()
		for i := 0; len(w.journal.head) == 0; i++ {
			w.say(prose(300, "4711 Rex"))
		}
		<-asked
		w.holds("the stored summary", string(w.journal.head), dog, pin)
		w.holds("the request", bytesOf(w.model.Requests()[len(w.model.Requests())-1]), dog, pin)
	})
}

// slowly is a journal that takes its time to commit.
type slowly struct {
	*journal
	begun, let chan struct{}
}

func (j slowly) Commit(ctx context.Context, t nacre.Turn) ([]nacre.Delivery, error) {
	close(j.begun)
	<-j.let
	return j.journal.Commit(ctx, t)
}

// Who looks into the journal once Forget has returned sees what was stored before.
func TestForgetWaitsForACommit(t *testing.T) {
	in(t, func(w *world) {
		j := slowly{w.journal, make(chan struct{}), make(chan struct{})}
		w.store = j
		w.send(typed("my PIN is 4711"))
		<-j.begun
		var once sync.Once
		w.sessions.Forget("o", func(text string) (string, bool) {
			once.Do(func() {
				go func() { // long after Forget would have returned
					for range 10_000 {
						runtime.Gosched()
					}
					close(j.let)
				}()
			})
			return blanking(pin)(text)
		})
		if n := len(w.answers()); n != 1 {
			t.Errorf("when Forget returns %d turns are stored", n)
		}
	})
}

// When everything is forgotten, the conversation is as if it had just begun, and
// the receipt can be read.
func TestForgetEverything(t *testing.T) {
	receipt := agent.Result{Text: "Everything is forgotten."}
	all := func(w *world) (agent.Result, error) {
		w.sessions.Forget("o", blanking(""))
		return receipt, nil
	}
	ways := map[string]func(w *world){
		"by a tool": func(w *world) {
			w.tools = append(w.tools, tool{"memory_forget", "", func(nacre.Caller, string) (agent.Result, error) { return all(w) }})
			w.model.Push(llmtest.Step{Text: "one moment", Calls: []llm.ToolCall{call("a", "memory_forget", `{"about":"Rex"}`)}}, llmtest.Step{Text: receipt.Text})
		},
		"by a command": func(w *world) {
			w.commands = map[string]agent.CommandFunc{"status": func(context.Context, nacre.Caller, string) (agent.Result, error) { return all(w) }}
		},
		"by an answer": func(w *world) {
			w.notes = &notes{answer: func(_ nacre.Caller, m nacre.Message) (agent.Result, bool, error) {
				if m.Text() != "/status all, Rex too" && !strings.HasPrefix(m.Text(), "forget all") {
					return agent.Result{}, false, nil
				}
				r, err := all(w)
				return r, true, err
			}}
		},
	}
	for name, prepare := range ways {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.model.Push(llmtest.Step{Text: "a fine dog"})
				w.say("my dog is Rex")
				w.end()
				prepare(w)
				if name == "by a command" {
					w.say("/status all, Rex too")
				} else {
					w.say("forget all, Rex too")
				}
				if got := w.answers(); len(got) != 2 || got[1] != receipt.Text {
					t.Errorf("the person reads %q", got)
				}
				if name == "by a tool" && !slices.Equal(w.results(), []string{receipt.Text}) {
					t.Errorf("the model reads %q", w.results())
				}
				if strings.Contains(w.stored(1), dog) || w.journal.turns[1].History != nil {
					t.Errorf("stored is %s", w.stored(1))
				}
				w.say("hello")
				if got := w.seen(); !slices.Equal(got, []string{"hello"}) {
					t.Errorf("then the model sees %q", got)
				}
			})
		})
	}
}

// An answer to what was forgotten with everything else is none.
func TestForgetEverythingWhileTheModelAnswers(t *testing.T) {
	in(t, func(w *world) {
		s := &screen{host: w.host}
		w.network = s
		gate := llmtest.NewGate()
		w.model.Push(llmtest.Step{Gate: gate, Text: "Rex is a dog"})
		w.send(typed("who is Rex?"))
		<-gate.Reached()
		w.sessions.Forget("o", blanking(""))
		gate.Open()
		w.pass(time.Minute)
		w.expect("I was told to forget everything while I was answering")
		if strings.Contains(w.stored(0)+strings.Join(s.shown, ""), dog) {
			t.Errorf("stored is %s, shown %q", w.stored(0), s.shown)
		}
	})
}

// A turn that is stopped, or fails, keeps no word of it either.
func TestForgetInATurnThatEndsBadly(t *testing.T) {
	for _, stop := range []bool{true, false} {
		in(t, func(w *world) {
			gate := llmtest.NewGate()
			w.model.Push(llmtest.Step{Gate: gate, Err: &llm.Error{Cause: llm.Billing}})
			w.send(typed("my PIN is 4711, my dog is Rex"))
			<-gate.Reached()
			w.sessions.Forget("o", blanking(pin))
			if stop {
				w.say("/stop")
			}
			gate.Open()
			w.pass(time.Minute)
			w.holds("the stored turn", w.stored(0), dog, pin)
		})
	}
}

// An answer of no use is asked for again without what was forgotten meanwhile.
func TestForgetBeforeAskingOnceMore(t *testing.T) {
	in(t, func(w *world) {
		gate := llmtest.NewGate()
		w.model.Push(llmtest.Step{Gate: gate, Text: " "})
		w.send(typed("my PIN is 4711, my dog is Rex"))
		<-gate.Reached()
		w.sessions.Forget("o", blanking(pin))
		gate.Open()
		w.pass(time.Minute)
		w.holds("the second request", bytesOf(w.model.Requests()[1]), dog, pin)
	})
}

// Tools hear of their turn what is left, and are not asked about the rest.
func TestToolsDoNotHearWhatIsForgotten(t *testing.T) {
	in(t, func(w *world) {
		callers := w.spy()
		w.tools = append(w.tools, tool{"find", "", func(_ nacre.Caller, args string) (agent.Result, error) {
			w.holds("the arguments", args, dog, pin)
			return agent.Result{Text: "nothing"}, nil
		}})
		gate := llmtest.NewGate()
		w.model.Push(spying("a"), llmtest.Step{Gate: gate, Calls: []llm.ToolCall{call("b", "spy", `{}`), call("c", "find", `{"words":"4711 Rex"}`)}})
		w.send(typed("my PIN is 4711, my dog is Rex"))
		<-gate.Reached()
		w.sessions.Forget("o", blanking(pin))
		gate.Open()
		w.pass(time.Minute)
		first, second := (*callers)[0].Said[0], (*callers)[1].Said[0]
		w.holds("first", first.Text(), pin, "nobody says this")
		w.holds("then", second.Text(), dog, pin)
	})
}
