package terminal

import (
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"nacre"
	"nacre/gateway/live"
)

func TestRender(t *testing.T) {
	line := strings.Repeat("word ", 1999) + "word\n" // 10,000 characters
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"Markdown stays", "# Hi\n\n- **a**\t`b`", []string{"# Hi\n\n- **a**\t`b`"}},
		{"nothing", "", nil},
		{"blank", " \n\t\n", nil},
		{"invisible", "\u200b\x00\u2060", nil},
		{"escape sequences are harmless", "\x1b]0;owned\x07\x1b[2Jhi\x9b31m\u009b31m", []string{"]0;owned[2Jhi\uFFFD31m31m"}},
		{"carriage returns go", "safe\rrm -rf\r\nnext\b\x7f", []string{"saferm -rf\nnext"}},
		{"other scripts stay", "日本 שלום e\u0301 👩‍👩‍👧", []string{"日本 שלום e\u0301 👩‍👩‍👧"}},
		{"longest part", strings.Repeat("é", maxPart), []string{strings.Repeat("é", maxPart)}},
		{"cut at a line", line + line, []string{line[:9999], line}},
		{"cut at a word", strings.Repeat("word ", 4000), []string{strings.Repeat("word ", 3200), strings.Repeat("word ", 800)}},
		{"cut anywhere", strings.Repeat("日", maxPart+1), []string{strings.Repeat("日", maxPart), "日"}},
		{"not inside a character", strings.Repeat("e\u0301", maxPart/2-1) + "ae\u0301x", []string{strings.Repeat("e\u0301", maxPart/2-1) + "a", "e\u0301x"}},
		{"not inside an emoji", strings.Repeat("a", maxPart-2) + "👩‍👧x", []string{strings.Repeat("a", maxPart-2), "👩‍👧x"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var want []nacre.Part
			for _, text := range tc.want {
				want = append(want, nacre.Part{Text: text})
			}
			got := New(nil).Render(nacre.Reply{Text: tc.text})
			if len(got) != len(want) {
				t.Fatalf("got %d parts, want %d", len(got), len(want))
			}
			for i := range got {
				if got[i].Text != want[i].Text {
					t.Errorf("part %d is %.80q, want %.80q", i, got[i].Text, want[i].Text)
				}
			}
		})
	}
}

// FuzzRender checks what every channel promises of Render, and that no part
// holds anything that a terminal obeys, while no visible character is lost.
func TestOptionsAreShown(t *testing.T) {
	parts := (&Channel{}).Render(nacre.Reply{Text: "Which colour?", Options: []string{"red", "\x1b[31mblue"}})
	if len(parts) != 1 || parts[0].Text != "Which colour?\n\n- red\n- [31mblue" {
		t.Errorf("%+v", parts)
	}
}

func TestFilesAreParts(t *testing.T) {
	long := strings.Repeat("word ", maxFilePart/5) + "the end\x1b[2J"
	for _, tc := range []struct {
		name string
		file nacre.File
		want []nacre.Part
	}{
		{"a text", nacre.File{Name: "a\n b.md", Data: []byte("# Hi\r\n")}, []nacre.Part{{File: &nacre.File{Name: "a b.md", Data: []byte("# Hi\n")}}}},
		{"a long text", nacre.File{Name: "b.txt", Data: []byte(long)}, []nacre.Part{
			{File: &nacre.File{Name: "b.txt", Data: []byte(long[:maxFilePart])}}, {File: &nacre.File{Name: "b.txt", Data: []byte("the end[2J")}}}},
		{"no text", nacre.File{Name: "c.png", Data: []byte{0xff, 0xd8}}, []nacre.Part{{Text: "c.png: a file that a terminal cannot show."}}},
		{"empty", nacre.File{Name: "d.txt"}, []nacre.Part{{Text: "d.txt: a file that a terminal cannot show."}}},
	} {
		got := New(nil).Render(nacre.Reply{Text: "Here.", Files: []nacre.File{tc.file}})
		if want := append([]nacre.Part{{Text: "Here."}}, tc.want...); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %.200v, want %.200v", tc.name, got, want)
		}
		for _, p := range got[1:] {
			if p.File == nil {
				continue
			}
			if _, err := (frame{T: framePart, File: p.File.Name, Text: strings.Repeat("<", len([]rune(string(p.File.Data))))}).encode(); err != nil {
				t.Errorf("%s: a part of %d bytes fits into no frame", tc.name, len(p.File.Data))
			}
		}
	}
}

func FuzzRender(f *testing.F) {
	f.Add("hello \x1b[31m*you*\r\n", uint16(1))
	f.Add("日本語 \u009b e\u0301 \xff", uint16(5000))
	f.Add("```go\nx\n```\n", uint16(2000))
	f.Add("\xe6", uint16(5000))
	f.Fuzz(func(t *testing.T, text string, times uint16) {
		if len(text) > 64 {
			times %= 256
		}
		text = strings.Repeat(text, int(times)+1)
		var all strings.Builder
		for _, p := range New(nil).Render(nacre.Reply{Text: text}) {
			if n := utf8.RuneCountInString(p.Text); n > maxPart || !live.Visible(p.Text) || !utf8.ValidString(p.Text) {
				t.Fatalf("a part of %d characters, visible %v, valid %v", n, live.Visible(p.Text), utf8.ValidString(p.Text))
			}
			if i := strings.IndexFunc(p.Text, obeyed); i >= 0 {
				t.Fatalf("a part holds %q", p.Text[i:min(i+8, len(p.Text))])
			}
			all.WriteString(p.Text)
		}
		if got, want := onlyVisible(all.String()), onlyVisible(text); got != want {
			t.Fatalf("visible characters changed:\n%.200q\n%.200q", got, want)
		}
	})
}

// obeyed reports whether a terminal does something other than show r.
func obeyed(r rune) bool {
	return r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0
}

func onlyVisible(text string) string {
	return strings.Map(func(r rune) rune {
		if obeyed(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text)
}
