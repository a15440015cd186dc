package web

import (
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"nacre"
)

func now() time.Time { return time.UnixMilli(1_700_000_000_000) }

func TestRender(t *testing.T) {
	a, b := nacre.File{Name: "a.txt", Data: []byte("a")}, nacre.File{Name: "b.txt", Data: []byte("b")}
	long := strings.Repeat("word ", 40_000)
	for _, c := range []struct {
		name  string
		reply nacre.Reply
		want  []nacre.Part
	}{
		{"text", nacre.Reply{Text: "# Hi\n\x1b[2J <b>"}, []nacre.Part{{Text: "# Hi\n\x1b[2J <b>"}}},
		{"any length", nacre.Reply{Text: long}, []nacre.Part{{Text: long}}},
		{"no UTF-8", nacre.Reply{Text: "a\xff"}, []nacre.Part{{Text: "a\uFFFD"}}},
		{"options", nacre.Reply{ID: "q", Text: "Which?", Options: []string{"x", "y"}}, []nacre.Part{{Text: "Which?", Question: "q", Options: []string{"x", "y"}}}},
		{"files", nacre.Reply{Text: "Here", Files: []nacre.File{a, b}}, []nacre.Part{{Text: "Here"}, {File: &a}, {File: &b}}},
		{"files without text", nacre.Reply{Text: " ", Files: []nacre.File{a}}, []nacre.Part{{File: &a}}},
		{"options under the last", nacre.Reply{ID: "q", Text: "Keep it?", Files: []nacre.File{a}, Options: []string{"yes"}},
			[]nacre.Part{{Text: "Keep it?"}, {File: &a, Question: "q", Options: []string{"yes"}}}},
		{"nothing", nacre.Reply{ID: "q", Text: "\u200b\n", Options: []string{"yes"}}, nil},
	} {
		if got := NewChat(slog.New(slog.DiscardHandler)).Render(c.reply); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}
