package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"nacre/agent/llm"
)

func TestObject(t *testing.T) {
	tests := []struct{ name, args, want string }{
		{"object", `{"x": 1.0, "a":12345678901234567890}`, `{"x": 1.0, "a":12345678901234567890}`},
		{"nothing", "", "{}"},
		{"null", " null ", "{}"},
		{"list", `[1]`, `{"invalid":"[1]"}`},
		{"text", `"a<b"`, `{"invalid":"\"a<b\""}`},
		{"cut", `{"x`, `{"invalid":"{\"x"}`},
		{"two", `{} {}`, `{"invalid":"{} {}"}`},
		{"more", `{}]`, `{"invalid":"{}]"}`},
		{"pair of halves", `{"x":"\ud83c\udfa9","n":12345678901234567890}`, `{"n":12345678901234567890,"x":"🎩"}`},
		{"lone half", `{"x":"\uD83C"}`, `{"x":"` + "\uFFFD" + `"}`},
		{"invalid bytes", "{\"x\":\"\xff\"}", `{"x":"` + "\uFFFD" + `"}`},
		{"deep", strings.Repeat(`{"a":`, 20_000), ""},
	}
	for _, tt := range tests {
		got := string(Object(json.RawMessage(tt.args)))
		if tt.want != "" && got != tt.want || !json.Valid([]byte(got)) {
			t.Errorf("%s: got %.80s; want %s", tt.name, got, tt.want)
		}
	}
}

func TestName(t *testing.T) {
	for in, want := range map[string]string{
		"memory_find-2":         "memory_find-2",
		"Now":                   "Now",
		"no such()":             "no_such__",
		"zeit für":              "zeit_f_r",
		"a[b`c{d@e":             "a_b_c_d_e",
		strings.Repeat("x", 99): strings.Repeat("x", 64),
	} {
		if got := Name(in); got != want {
			t.Errorf("%q: got %q; want %q", in, got, want)
		}
	}
}

func TestIDs(t *testing.T) {
	ids := NewIDs(&llm.Request{Messages: []llm.Message{{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "old"}}}}})
	if got := ids.Take("new"); got != "new" {
		t.Errorf("a fresh id became %q", got)
	}
	seen := map[string]bool{"old": true, "new": true}
	for _, id := range []string{"old", "new", "", "", strings.Repeat("x", maxID+1)} {
		got := ids.Take(id)
		if got == "" || seen[got] || len(got) > maxID {
			t.Errorf("%q became %q, which is taken or too long", id, got)
		}
		seen[got] = true
	}
}

func TestArgs(t *testing.T) {
	var a Args
	for i, piece := range []string{`null`, `"{\"x\""`, ``, `":1}"`} {
		if err := a.Add(json.RawMessage(piece)); err != nil || a.Whole() != (i == 3) {
			t.Errorf("piece %d: whole %t, %v", i, a.Whole(), err)
		}
	}
	if got := string(a.End()); got != `{"x":1}` {
		t.Errorf("got %s", got)
	}
	if got := string(new(Args).End()); got != "{}" {
		t.Errorf("nothing became %s", got)
	}
	var full Args
	if err := full.Put(json.RawMessage(strings.Repeat("x", maxArgs))); err != nil {
		t.Errorf("arguments of the greatest size: %v", err)
	}
	if err := full.Add(json.RawMessage(`"x"`)); err == nil {
		t.Error("arguments over the limit pass")
	}
}

// A thought whose beginning stands in the prompt ends at a tag on a line of its
// own.
func TestAnswer(t *testing.T) {
	for text, want := range map[string]string{
		"Let me think.\n</think>\n\nHello!":    "Hello!",
		"plain":                                "plain",
		"the tag </think> ends a thought":      "the tag </think> ends a thought",
		"<think> and\n</think>\nare both here": "<think> and\n</think>\nare both here",
	} {
		if got := Answer(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
