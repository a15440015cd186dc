package llm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

const golden = "testdata/recording.jsonl"

// talk is a small conversation with a tool, an image, a failure and a model
// that writes no JSON. It returns all that it was answered.
func talk(t *testing.T, m llm.Model) []any {
	t.Helper()
	var out []any
	step := func(req llm.Request) llm.Response {
		var shown []string
		resp, err := m.Complete(t.Context(), req, func(s string) { shown = append(shown, s) })
		var e *llm.Error
		errors.As(err, &e)
		out = append(out, resp, e, shown)
		return resp
	}
	req := llm.Request{
		System:    "You are <kind>.",
		Tools:     []llm.ToolSpec{{Name: "now", Description: "Tells the time.", Schema: json.RawMessage(`{"type":"object"}`)}},
		Messages:  []llm.Message{{Role: llm.User, Text: "What time is it here?", Images: []llm.Image{{Ref: "1", MIME: "image/png", Data: []byte("pixels")}}}},
		Tail:      "It is " + time.Now().Format(time.Kitchen),
		MaxTokens: 100,
		Account:   "ann",
	}
	step(req)
	resp := step(req)
	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: resp.Calls, Blob: resp.Blob})
	for _, c := range resp.Calls {
		req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, CallID: c.ID, Text: "noon", Source: llm.FromTool})
	}
	step(req)
	return out
}

func scripted() llm.Model {
	return llmtest.NewModel(
		llmtest.Step{Text: "Let ", Err: &llm.Error{Cause: llm.Overloaded, Provider: "p", Status: 529, Message: "busy", After: time.Second, Streamed: true}},
		llmtest.Step{
			Calls: []llm.ToolCall{{ID: "1", Name: "now", Args: json.RawMessage(`{"zone":`)}, {ID: "2", Name: "now", Args: json.RawMessage(`{}`)}},
			Blob:  []byte(`{"reasoning":"hm"}`), Usage: llm.Usage{Input: 30, Output: 4},
		},
		llmtest.Step{Text: "It is noon. <3", Usage: llm.Usage{Input: 50, Output: 5, CacheRead: 30}},
	)
}

// A recording holds everything of a conversation, and a replay of it answers as
// the model did.
func TestRecord(t *testing.T) {
	var w bytes.Buffer
	want := talk(t, llm.Record(scripted(), &w))
	if *update {
		if err := os.WriteFile(golden, blankTail(w.Bytes()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := blankTail(w.Bytes()); !bytes.Equal(got, kept) {
		t.Errorf("recorded\n%s\nwant\n%s", got, kept)
	}
	replay, err := llmtest.Replay(bytes.NewReader(kept))
	if err != nil {
		t.Fatal(err)
	}
	if got := talk(t, replay); !reflect.DeepEqual(got, want) {
		t.Errorf("replayed\n%+v\nwant\n%+v", got, want)
	}
	if replay.Left() != 0 {
		t.Errorf("%d exchanges left", replay.Left())
	}
}

// blankTail takes the time of day out of a recording.
func blankTail(recording []byte) []byte {
	before, rest, _ := strings.Cut(string(recording), `"tail":"`)
	tail, _, _ := strings.Cut(rest, `"`)
	return []byte(before + `"tail":"` + strings.ReplaceAll(rest, tail, "It is late"))
}

func TestRecordHoldsNoBytes(t *testing.T) {
	var w bytes.Buffer
	talk(t, llm.Record(scripted(), &w))
	for _, absent := range []string{"pixels", "cGl4ZWxz", "ann"} {
		if strings.Contains(w.String(), absent) {
			t.Errorf("%q is in the recording", absent)
		}
	}
	for _, present := range []string{"image/png", `"bytes":6`, "<kind>"} {
		if !strings.Contains(w.String(), present) {
			t.Errorf("%q is not in the recording", present)
		}
	}
}

// Lines of calls that run at once do not mix.
func TestRecordIsSafe(t *testing.T) {
	var w bytes.Buffer
	m := llm.Record(&llmtest.Model{}, &w)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { m.Complete(t.Context(), ask, nil) })
	}
	wg.Wait()
	replay, err := llmtest.Replay(&w)
	if err != nil || replay.Left() != 50 {
		t.Errorf("%v, %d exchanges; want 50", err, replay.Left())
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestRecordUnwritable(t *testing.T) {
	resp, err := llm.Record(&llmtest.Model{}, full{}).Complete(t.Context(), ask, nil)
	if err == nil || !strings.Contains(err.Error(), "disk full") || resp.Text != "echo: hello" {
		t.Errorf("got %q, %v; want the answer and the failure", resp.Text, err)
	}
}
