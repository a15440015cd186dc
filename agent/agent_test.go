package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

func call(id, name, args string) llm.ToolCall {
	return llm.ToolCall{ID: id, Name: name, Args: json.RawMessage(args)}
}

// tool is a scripted tool.
type tool struct {
	name, schema string
	run          func(nacre.Caller, string) (agent.Result, error)
}

func (t tool) Spec() llm.ToolSpec {
	schema := t.schema
	if schema == "" {
		schema = `{"type":"object"}`
	}
	return llm.ToolSpec{Name: t.name, Description: "A tool.", Schema: json.RawMessage(schema)}
}

func (t tool) Call(_ context.Context, c nacre.Caller, args json.RawMessage) (agent.Result, error) {
	return t.run(c, string(args))
}

// results are what the tools returned, as the newest request shows it.
func (w *world) results() []string {
	w.t.Helper()
	all := w.model.Requests()
	var texts []string
	for _, m := range all[len(all)-1].Messages {
		if m.Role == llm.Tool {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

func TestArgumentsMustFitTheSchema(t *testing.T) {
	in(t, func(w *world) {
		ran := 0
		w.tools = []agent.Tool{tool{"put", `{"type":"object","properties":{"n":{"type":"integer","minimum":1},"to":{"type":"string"}},"required":["n"],"additionalProperties":false}`,
			func(nacre.Caller, string) (agent.Result, error) { ran++; return agent.Result{Text: "done"}, nil }}}
		for i, c := range []struct{ args, want string }{
			{`{"n":1}`, "done"},
			{`{"n":2,"to":"x"}`, "done"},
			{`{"n":0}`, "Error: the arguments do not fit"},
			{`{"n":"1"}`, "Error: the arguments do not fit"},
			{`{}`, "Error: the arguments do not fit"},
			{`{"n":1,"more":true}`, "Error: the arguments do not fit"},
			{`[]`, "Error: the arguments do not fit"},
			{`null`, "Error: the arguments do not fit"},
			{`{"n":1`, "Error: the arguments are not valid JSON"},
			{``, "Error: the arguments are not valid JSON"},
		} {
			w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call(fmt.Sprint("c", i), "put", c.args)}}, llmtest.Step{Text: "ok"})
			w.say("go")
			if got := w.results(); len(got) != i+1 || !strings.HasPrefix(got[i], c.want) {
				t.Errorf("%s: the model reads %q, want %q", c.args, got[len(got)-1], c.want)
			}
		}
		if ran != 2 {
			t.Errorf("the tool ran %d times, want 2", ran)
		}
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("u", "puzzle", `{}`)}}, llmtest.Step{Text: "ok"})
		w.say("go")
		if got := w.results(); !strings.Contains(got[len(got)-1], `there is no tool "puzzle"; there are put`) {
			t.Errorf("of an unknown tool the model reads %q", got[len(got)-1])
		}
	})
}

func TestLongResultsAreCutAndSaidSo(t *testing.T) {
	in(t, func(w *world) {
		w.window = 200_000
		w.tools = []agent.Tool{tool{"read", "", func(_ nacre.Caller, args string) (agent.Result, error) {
			return agent.Result{Text: strings.Repeat("ü", 300_000), Source: llm.FromWeb}, nil
		}}}
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "read", `{}`)}})
		w.say("go")
		got := w.results()
		if len(got) != 1 || !strings.HasSuffix(got[0], "[cut after 16,000 characters]") || strings.Count(got[0], "ü") != 16_000 {
			t.Errorf("the model reads %d results, the first of %d bytes", len(got), len(got[0]))
		}
		w.end() // what a page said stays marked as such over a restart
		w.say("more")
		for _, m := range w.model.Requests()[len(w.model.Requests())-1].Messages {
			if m.Role == llm.Tool && m.Source != llm.FromWeb {
				t.Errorf("after a restart the result is from %q", m.Source)
			}
		}
	})
}

func TestStepsEnd(t *testing.T) {
	for _, steps := range []int{39, 40} {
		in(t, func(w *world) {
			w.window = 100_000
			for i := range steps {
				w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call(fmt.Sprint("c", i), "now", `{}`)}})
			}
			want := "I went round in circles"
			if steps < 40 {
				want = "there"
				w.model.Push(llmtest.Step{Text: want})
			}
			w.say("go on and on")
			w.expect(want)
			if n := len(w.model.Requests()); n != 40 {
				t.Errorf("the model was asked %d times", n)
			}
			w.model.Push(llmtest.Step{Text: "fine"})
			w.say("and now?")
			if got := w.answers(); got[len(got)-1] != "fine" {
				t.Errorf("after that the answer is %q", got[len(got)-1])
			}
		})
	}
}

// A turn that is repeated after a crash gives tools the same key.
func TestToolsGetTheTurnsID(t *testing.T) {
	in(t, func(w *world) {
		var keys []nacre.TurnID
		gate := llmtest.NewGate()
		w.tools = []agent.Tool{tool{"pay", "", func(c nacre.Caller, _ string) (agent.Result, error) {
			keys = append(keys, c.Turn)
			return agent.Result{Text: "paid"}, nil
		}}}
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "pay", `{}`)}}, llmtest.Step{Gate: gate})
		w.send(nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: "pay"}}})
		<-gate.Reached()
		w.end() // parked: the turn is not committed
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("b", "pay", `{}`)}}, llmtest.Step{Text: "paid once"})
		w.begin()
		w.sessions.Wake(info, nacre.Message{})
		time.Sleep(time.Second)
		w.expect("paid once")
		if len(keys) != 2 || keys[0] != keys[1] || keys[0] == "" {
			t.Errorf("the keys are %q", keys)
		}
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("c", "pay", `{}`)}}, llmtest.Step{Text: "paid again"})
		w.say("pay again")
		if len(keys) != 3 || keys[2] == keys[0] {
			t.Errorf("another turn has the key %q", keys)
		}
	})
}

func TestRetry(t *testing.T) {
	in(t, func(w *world) {
		w.say("/retry")
		w.model.Push(llmtest.Step{Text: "bad"}, llmtest.Step{Text: "good"}, llmtest.Step{Text: "in French"})
		w.say("question")
		w.say("/retry")
		if got := w.seen(); !slices.Equal(got, []string{"question"}) {
			t.Errorf("the second try sees %q", got)
		}
		w.say("/retry in French")
		if got := w.seen(); !slices.Equal(got, []string{"question", "in French"}) {
			t.Errorf("the third try sees %q", got)
		}
		w.say("next")
		want := []string{"question", "in French", "in French", "next"}
		if got := w.seen(); !slices.Equal(got, want) {
			t.Errorf("later requests see %q, want %q", got, want)
		}
		w.end()
		w.say("after a restart")
		if got := w.seen(); !slices.Equal(got[:4], want) {
			t.Errorf("after a restart requests see %q", got)
		}
		w.expect("There is nothing that I could answer again.", "bad", "good", "in French", "echo: next", "echo: after")
	})
}

// A retry that fails leaves what was said before; a turn that failed can be
// tried again.
func TestRetryAndFailure(t *testing.T) {
	in(t, func(w *world) {
		fail := llmtest.Step{Err: &llm.Error{Cause: llm.Billing, Provider: "double"}}
		w.model.Push(fail, llmtest.Step{Text: "answer"}, fail)
		w.say("question")
		w.say("/retry")
		w.say("/retry")
		w.expect("The account for the language model", "answer", "The account for the language model")
		w.say("next")
		if got := w.seen(); !slices.Equal(got, []string{"question", "answer", "next"}) {
			t.Errorf("later requests see %q", got)
		}
	})
}

func TestModelIsChosenForAConversation(t *testing.T) {
	in(t, func(w *world) {
		other := &llmtest.Model{Strict: true}
		w.more = []agent.Choice{{Name: "openai/other", Model: other, Window: 8000}}
		w.say("/model")
		w.say("/model 3")
		w.say("/model OpenAI/Other")
		w.say("hello")
		w.end()
		w.say("hello again")
		if len(other.Requests()) != 2 || len(w.model.Requests()) != 0 {
			t.Errorf("the other model was asked %d times, the usual one %d times", len(other.Requests()), len(w.model.Requests()))
		}
		w.say("/model 1")
		w.say("and back")
		w.end()
		w.more = nil // a choice that is gone falls back to the usual one
		w.journal.model = "openai/other"
		w.say("still there?")
		if len(other.Requests()) != 2 || len(w.model.Requests()) != 2 {
			t.Errorf("the other model was asked %d times, the usual one %d times", len(other.Requests()), len(w.model.Requests()))
		}
		w.expect("usual/model answers here. You can choose:", "There is no model \"3\"", "openai/other answers here from now on.", "echo: hello", "echo: hello again",
			"usual/model answers here", "echo: and back", "echo: still there?")
	})
}

// Where none is chosen the model answers that the owner wants, from the next message
// on; what is chosen in a conversation stays.
func TestOwnerHasAUsualModel(t *testing.T) {
	in(t, func(w *world) {
		other := &llmtest.Model{Strict: true}
		w.more = []agent.Choice{{Name: "openai/other", Model: other, Window: 8000}}
		asked := func(usual, others int) {
			t.Helper()
			if n, m := len(w.model.Requests()), len(other.Requests()); n != usual || m != others {
				t.Errorf("the first model was asked %d times, the other one %d times; want %d and %d", n, m, usual, others)
			}
		}
		w.say("one")
		asked(1, 0)
		w.usual = "openai/other"
		w.say("two")
		asked(1, 1)
		w.say("/model usual/model") // which is not the usual one to them
		w.say("three")
		w.end()
		w.say("four")
		asked(3, 1)
		w.say("/model 2")
		if w.journal.model != "" {
			t.Errorf("choosing what is usual is kept as %q", w.journal.model)
		}
		w.usual = "gone/model"
		w.say("five")
		asked(4, 1)
		w.usual = "openai/other"
		if _, err := w.sessions.Run(w.t.Context(), agent.Errand{Info: info, Text: "look"}); err != nil {
			t.Fatal(err)
		}
		asked(4, 2)
	})
}

func attach(kinds ...nacre.AttachmentKind) []nacre.Attachment {
	var list []nacre.Attachment
	for i, k := range kinds {
		list = append(list, nacre.Attachment{Kind: k, Ref: fmt.Sprint(i)})
	}
	return list
}

func TestAttachmentsAreRead(t *testing.T) {
	in(t, func(w *world) {
		w.host.files["0"], w.host.files["1"], w.host.files["2"] = []byte("image of a cat"), []byte("text The plan."), []byte("film")
		w.send(nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: "look"}}, Attachments: attach(nacre.Photo, nacre.Document, nacre.Video)})
		time.Sleep(time.Second)
		w.expect("echo: look\n[file: \"The plan.\"]\n[label: \"[a file that could not be read]\"]\n\nI cannot watch a video.")
		first := w.model.Requests()[0].Messages[0]
		if len(first.Images) != 1 || string(first.Images[0].Data) != "image of a cat" {
			t.Fatalf("the model sees %v", first)
		}
		w.end()
		w.say("and now?")
		again := w.model.Requests()[1].Messages[0]
		if again.Text != first.Text || len(again.Images) != 1 || string(again.Images[0].Data) != "image of a cat" {
			t.Errorf("after a restart the model sees %+v, want %+v", again, first)
		}
		w.end()
		clear(w.journal.readings)
		w.say("forgotten")
		if m := w.model.Requests()[2].Messages[0]; len(m.Images) != 0 || !strings.HasSuffix(m.Text, "[an image, which is not there any more]") {
			t.Errorf("once its bytes are gone the model sees %+v", m)
		}
	})
}

// Bytes that came along with a message, and are stored, are never fetched. Once they
// are forgotten there is nothing to fetch.
func TestAttachmentsThatCameAlong(t *testing.T) {
	in(t, func(w *world) {
		w.journal.files[fmt.Sprint("m1", 0)] = []byte("image of a cat")
		for range 2 {
			w.send(nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: "look"}}, Attachments: []nacre.Attachment{{Kind: nacre.Photo, Bytes: 14}}})
			time.Sleep(time.Second)
		}
		if images := w.model.Requests()[0].Messages[0].Images; len(images) != 1 {
			t.Errorf("the model saw %d images", len(images))
		}
		w.expect("echo: look", "echo: look\n[label: \"[a file that could not be read]\"]\n\nThat file is not there any more.")
	})
}

// What cannot be read is answered without a model, unless there are words.
func TestUnreadableAttachments(t *testing.T) {
	in(t, func(w *world) {
		w.host.files["0"] = []byte("film")
		film := attach(nacre.Video)
		w.send(nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.Label, Text: "[video]"}}, Attachments: film})
		time.Sleep(time.Second)
		if n := len(w.model.Requests()); n != 0 {
			t.Errorf("the model was asked %d times", n)
		}
		w.send(nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: "who is it?"}}, Attachments: film})
		time.Sleep(time.Second)
		w.send(nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: "lost"}}, Attachments: []nacre.Attachment{{Kind: nacre.Photo, Ref: "9"}}})
		time.Sleep(time.Second)
		w.expect("I cannot watch a video.", "echo: ", "echo: lost\n[label: \"[a file that could not be read]\"]\n\nI could not fetch the file")
	})
}

// A model that refuses images gets the words alone, from then on; one refusal of
// another one changes nothing for the conversation.
func TestModelThatRefusesImages(t *testing.T) {
	for provider, want := range map[string]int{"usual": 3, "another": 4} {
		in(t, func(w *world) {
			w.host.files["0"] = []byte("image of a cat")
			refuse := llmtest.Step{Err: &llm.Error{Cause: llm.BadRequest, Provider: provider, Status: 400}}
			w.model.Push(refuse)
			w.send(nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: "look"}}, Attachments: attach(nacre.Photo)})
			time.Sleep(time.Second)
			w.expect("echo: look\n[an image, which you cannot see]")
			w.model.Push(refuse)
			w.say("again")
			if n := len(w.model.Requests()); n != want {
				t.Errorf("%s: the model was asked %d times, want %d", provider, n, want)
			}
			if sees := len(w.model.Requests()[2].Messages[0].Images) == 1; sees != (provider == "another") {
				t.Errorf("%s: the next request holds the image: %v", provider, sees)
			}
		})
	}
}
