package terminal

import (
	"slices"
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, tc := range []struct {
		name  string
		text  string
		width int
		want  []string
	}{
		{"fits", "one two", 7, []string{"one two"}},
		{"at a space", "one two", 6, []string{"one", "two"}},
		{"the space at the edge goes", "one two", 3, []string{"one", "two"}},
		{"a long word stays whole", "ab https://example.org cd", 5, []string{"ab", "https://example.org", "cd"}},
		{"a long word between wide characters", "日abcdef日", 4, []string{"日", "abcdef", "日"}},
		{"several spaces", "a   b", 2, []string{"a", "b"}},
		{"wide characters", "日本語です", 4, []string{"日本", "語で", "す"}},
		{"wide in a narrow line", "日本", 1, []string{"日", "本"}},
		{"emoji", "ok 🥕🥕 ok", 7, []string{"ok 🥕🥕", "ok"}},
		{"combining marks take no room", "e\u0301e\u0301 x", 4, []string{"e\u0301e\u0301 x"}},
		{"nothing", "", 4, []string{""}},
		{"spaces alone", "     ", 2, []string{""}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, row := range wrap(glyphs(tc.text, 0), tc.width) {
				got = append(got, plainText(row))
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func plainText(gs []glyph) string {
	var b strings.Builder
	for _, g := range gs {
		b.WriteRune(g.r)
	}
	return b.String()
}

func FuzzWrap(f *testing.F) {
	f.Add("one two three", uint8(5))
	f.Add("日本語 e\u0301 👩‍👩‍👧", uint8(2))
	f.Fuzz(func(t *testing.T, text string, width uint8) {
		w := int(width) + 1
		var all strings.Builder
		for _, row := range wrap(glyphs(text, 0), w) {
			used := 0
			for _, g := range row {
				used += cells(g.r)
			}
			breakable := func(g glyph) bool { return g.r == ' ' || cells(g.r) == 2 }
			if used > w && slices.ContainsFunc(row[1:], breakable) {
				t.Errorf("a row of %d columns at a width of %d: %q", used, w, plainText(row))
			}
			all.WriteString(plainText(row))
		}
		noSpaces := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if got, want := noSpaces(all.String()), noSpaces(string([]rune(text))); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestPaint(t *testing.T) {
	var b strings.Builder
	paint(&b, []glyph{{'a', 0}, {'b', bold}, {'c', bold | cyan}, {'d', italic | dim}})
	if got, want := b.String(), "a\x1b[0;1mb\x1b[0;1;36mc\x1b[0;3;2md\x1b[0m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
