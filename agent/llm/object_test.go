package llm_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"nacre/agent/llm"
)

func TestObject(t *testing.T) {
	for _, tt := range []struct {
		name, answer, want string // an empty want is ErrNoObject
	}{
		{"alone", `{"notes":[]}`, `{"notes":[]}`},
		{"in prose and a fence", "Here:\n```json\n{\"notes\": [1]}\n```\nAnything else {?}", `{"notes": [1]}`},
		{"by its other field", `{"ids":["m1"]}`, `{"ids":["m1"]}`},
		{"behind another object", `{"thought":{"a":1}} {"notes":[]} {"notes":[2]}`, `{"notes":[]}`},
		{"behind a brace that opens nothing", `a set {m1, m2}: {"notes":[]}`, `{"notes":[]}`},
		{"null", `{"notes":null}`, `{"notes":null}`},
		{"of another name", `{"note":[]}`, ""},
		{"of another case", `{"Notes":[]}`, ""},
		{"deeper down", `[{"note":{"x":1}}]`, ""},
		{"cut off", `{"notes":[{"text":"a"`, ""},
		{"behind too many braces", strings.Repeat("{", 16) + `{"notes":[]}`, ""},
		{"behind braces (control)", strings.Repeat("{", 15) + `{"notes":[]}`, `{"notes":[]}`},
		{"a list", `["notes"]`, ""},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := llm.Object(tt.answer, "notes", "ids")
			if string(got) != tt.want || errors.Is(err, llm.ErrNoObject) != (tt.want == "") {
				t.Errorf("got %s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

// What is found is a part of the answer, and an object with the field.
func FuzzObject(f *testing.F) {
	for _, s := range []string{`{"notes":[]}`, "```{\"notes\":{}}```", `{{"notes":1}`, `{"x":"{\"notes\":1}"}`, "{", `{"notes":1,"notes":2}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		got, err := llm.Object(answer, "notes")
		if err != nil {
			return
		}
		var o map[string]json.RawMessage
		err = json.Unmarshal(got, &o)
		if _, ok := o["notes"]; !ok || err != nil || !strings.Contains(answer, string(got)) {
			t.Errorf("%q has %q", answer, got)
		}
	})
}
