package llmtest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"nacre/agent/llm"
)

// recording holds two exchanges.
func recording(t *testing.T) string {
	t.Helper()
	var w bytes.Buffer
	m := llm.Record(NewModel(), &w)
	for _, req := range []llm.Request{conversation(said("a")), conversation(said("a"), answered("b"), said("c"))} {
		if _, err := m.Complete(t.Context(), req, nil); err != nil {
			t.Fatal(err)
		}
	}
	return w.String()
}

func TestReplayDiffers(t *testing.T) {
	replay, err := Replay(strings.NewReader(recording(t)))
	if err != nil {
		t.Fatal(err)
	}
	first := conversation(said("a"))
	tests := []struct {
		name string
		req  llm.Request
		want string // of the error; empty for an answer
	}{
		{"other words", conversation(said("b")), "exchange 1 has another request:\n" +
			"      {\n  " + `      "role": "user",` + "\n- " + `      "text": "a"`},
		{"other words, the new ones", conversation(said("b")), "+ " + `      "text": "b"`},
		{"more", conversation(said("a"), said("b")), `+       "text": "b"`},
		{"a system prompt", llm.Request{System: "s", Messages: first.Messages}, `+   "system": "s"`},
		{"another tail", llm.Request{Messages: first.Messages, Tail: "noon", Account: "ann"}, ""},
		{"the first again", first, "exchange 2 has another request"},
		{"the second", conversation(said("a"), answered("b"), said("c")), ""},
		{"one too many", first, "asked once more than its 2 exchanges"},
	}
	for _, tt := range tests {
		resp, err := replay.Complete(t.Context(), tt.req, nil)
		if tt.want == "" && (err != nil || !strings.HasPrefix(resp.Text, "echo: ")) {
			t.Errorf("%s: got %q, %v", tt.name, resp.Text, err)
		}
		if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v; want %q", tt.name, err, tt.want)
		}
		if llm.Passing(err) {
			t.Errorf("%s: a Retry would hide %v", tt.name, err)
		}
	}
}

func TestReplayCancelled(t *testing.T) {
	replay, err := Replay(strings.NewReader(recording(t)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := replay.Complete(ctx, conversation(said("a")), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestReplayUnreadable(t *testing.T) {
	if _, err := Replay(strings.NewReader(recording(t) + `{"request":`)); err == nil || !strings.Contains(err.Error(), "exchange 3") {
		t.Errorf("got %v", err)
	}
	if replay, err := Replay(strings.NewReader("")); err != nil || replay.Left() != 0 {
		t.Errorf("an empty recording: %v", err)
	}
}
