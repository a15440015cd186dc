package markup

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		name  string
		text  string
		limit int
		want  string // pieces, joined by "|"
	}{
		{"fits", "hello", 5, "hello"},
		{"blank", " \n\t ", 5, ""},
		{"nothing to be seen", "\u3164\u115F\u1160\uFFA0\u034F\uFE0F", 5, ""},
		{"trimmed", "\n\n hello \n", 5, "hello"},
		{"at a space", "hello world", 8, "hello|world"},
		{"at the limit", "hello world", 5, "hello|world"},
		{"no newline", "aaaaaa bb cc dd", 12, "aaaaaa bb cc|dd"},
		{"newline in the second half", "aaaaaa\nb c dddddd", 12, "aaaaaa|b c dddddd"},
		{"newline in the first half", "aa\nbbbb cccccc", 12, "aa\nbbbb|cccccc"},
		{"only an early space", "a bbbbbbbb c", 8, "a|bbbbbbbb|c"},
		{"word too long", "aaaaaaaaaaaa", 5, "aaaaa|aaaaa|aa"},
		{"word too long after others", "a bbbbbbbbbbbb", 5, "a bbb|bbbbb|bbbb"},
		{"no spaces in Chinese", "第一 月亮吸引海水太阳", 7, "第一 月亮吸引|海水太阳"},
		{"windows lines", "aaaaa\r\nbbbbb", 7, "aaaaa|bbbbb"},
		{"many spaces", "aa" + strings.Repeat(" ", 50) + "bb", 5, "aa|bb"},
		{"surrogate pair", "aaaa🎩", 5, "aaaa|🎩"},
		{"marks", "aaaae\u0301\u0302", 5, "aaaa|e\u0301\u0302"},
		{"mark of Devanagari", "aaaa\u0915\u093E", 5, "aaaa|\u0915\u093E"},
		{"variation selector", "aaaa❤\uFE0F", 5, "aaaa|❤\uFE0F"},
		{"skin tone", "aaa👍🏽", 6, "aaa|👍🏽"},
		{"family", "aaa👨‍👩‍👧", 9, "aaa|👨‍👩‍👧"},
		{"flag", "aaa🇫🇷", 6, "aaa|🇫🇷"},
		{"flags in a row", "🇫🇷🇩🇪🇮🇹", 8, "🇫🇷🇩🇪|🇮🇹"},
		{"flag of a region", "aaa🏴\U000E0067\U000E0062\U000E007F", 10, "aaa|🏴\U000E0067\U000E0062\U000E007F"},
		{"keycap", "aaaa1\uFE0F\u20E3", 6, "aaaa|1\uFE0F\u20E3"},
		{"Korean in pieces", "aaaa\u1112\u1161\u11AB", 6, "aaaa|\u1112\u1161\u11AB"},
		{"absurd character", "a" + strings.Repeat("\u0301", 7), 4, "a\u0301\u0301\u0301|\u0301\u0301\u0301\u0301"},
		{"absurd family", strings.Repeat("👩\u200D", 3), 4, "👩\u200D|👩\u200D|👩\u200D"},
		{"half a character", "a\xF0\x9F", 5, "a\uFFFD"},
		{"invisible tail", "aaaaa\u200B\u200B\u200B", 5, "aaaaa"},
		{"control characters", "a\x00b\x1bc", 5, "abc"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(Split(test.text, test.limit, UTF16), "|"); got != test.want {
				t.Errorf("Split = %q, want %q", got, test.want)
			}
		})
	}
}

func TestUnits(t *testing.T) {
	const hats = "🎩🎩🎩🎩"
	if got := strings.Join(Split(hats, 4, UTF16), "|"); got != "🎩🎩|🎩🎩" {
		t.Errorf("in UTF-16 units %q", got)
	}
	if got := strings.Join(Split(hats, 3, Characters), "|"); got != "🎩🎩🎩|🎩" {
		t.Errorf("in characters %q", got)
	}
}

// FuzzSplit holds that no piece is refused, that nothing is lost that can be
// seen, and that no character is cut which fits into a piece.
func FuzzSplit(f *testing.F) {
	f.Add("hello world", 5)
	f.Add("a\r\nb\n\nc d", 2)
	f.Add("👨‍👩‍👧🇫🇷🇩🇪 👍🏽e\u0301\u0302", 30)
	f.Add(strings.Repeat("\u0301", 40)+"\u200D", 7)
	f.Add("\xff\xfe\x00", 4)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if limit < 2 || limit > 5000 {
			limit = 4096
		}
		pieces := Split(text, limit, UTF16)
		for _, piece := range pieces {
			if utf16Len(piece) > limit || !utf8.ValidString(piece) || !visible(piece) || strings.TrimSpace(piece) != piece {
				t.Errorf("piece %q of %d units would be refused", piece, utf16Len(piece))
			}
		}
		if got, want := seen(strings.Join(pieces, "")), seen(clean(text)); got != want {
			t.Errorf("Split(%q, %d) = %q loses something", text, limit, pieces)
		}
		checkGraphemes(t, clean(text), pieces, limit)
	})
}

// checkGraphemes compares the characters of pieces with those of the text,
// where no white space or blank hides how it was cut.
func checkGraphemes(t *testing.T, text string, pieces []string, limit int) {
	t.Helper()
	if strings.ContainsFunc(text, blank) {
		return
	}
	whole := graphemes(text)
	for _, g := range whole {
		if utf16Len(g) > limit {
			return
		}
	}
	n := 0
	for _, piece := range pieces {
		n += len(graphemes(piece))
	}
	if n != len(whole) {
		t.Errorf("Split(%q, %d) = %q cuts a character", text, limit, pieces)
	}
}

func graphemes(text string) []string {
	var all []string
	for g := uniseg.NewGraphemes(text); g.Next(); {
		all = append(all, g.Str())
	}
	return all
}

func BenchmarkSplit(b *testing.B) {
	for name, text := range map[string]string{
		"short":  "It is noon in Lyon, and the sun is out.",
		"long":   strings.Repeat("It is noon in Lyon, and the sun is out. ", 1000),
		"absurd": "a" + strings.Repeat("\u0301", 1<<20),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Split(text, 4096, UTF16)
			}
		})
	}
}
