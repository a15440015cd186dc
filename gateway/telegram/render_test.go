package telegram

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"nacre"
	"nacre/gateway/gatewaytest"
)

func utf16Len(s string) int { return len(utf16.Encode([]rune(s))) }

func TestSplit(t *testing.T) {
	tests := []struct {
		name  string
		text  string
		limit int
		want  string // pieces, joined by "|"
	}{
		{"fits", "hello", 5, "hello"},
		{"blank", " \n\t ", 5, ""},
		{"trimmed", "\n\n hello \n", 5, "hello"},
		{"at a space", "hello world", 8, "hello|world"},
		{"at the limit", "hello world", 5, "hello|world"},
		{"no newline", "aaaaaa bb cc dd", 12, "aaaaaa bb cc|dd"},
		{"newline in the second half", "aaaaaa\nb c dddddd", 12, "aaaaaa|b c dddddd"},
		{"newline in the first half", "aa\nbbbb cccccc", 12, "aa\nbbbb|cccccc"},
		{"only an early space", "a bbbbbbbb c", 8, "a|bbbbbbbb|c"},
		{"word too long", "aaaaaaaaaaaa", 5, "aaaaa|aaaaa|aa"},
		{"word too long after others", "a bbbbbbbbbbbb", 5, "a|bbbbb|bbbbb|bb"},
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
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(split(test.text, test.limit), "|"); got != test.want {
				t.Errorf("split = %q, want %q", got, test.want)
			}
		})
	}
}

func TestRenderLimits(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []int // UTF-16 lengths
	}{
		{"4,096", strings.Repeat("x", 4096), []int{4096}},
		{"4,097", strings.Repeat("x", 4097), []int{4096, 1}},
		{"hat over the border", strings.Repeat("x", 4095) + "🎩", []int{4095, 2}},
		{"hats", strings.Repeat("🎩", 2048), []int{4096}},
		{"one hat more", strings.Repeat("🎩", 2049), []int{4096, 2}},
		{"nothing to see", "\u200B \u2800\n\uFEFF", nil},
		{"accents count once", strings.Repeat("é", 4096), []int{4096}},
	}
	c := New(Options{})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []int
			for _, p := range c.Render(nacre.Reply{Text: test.text}) {
				got = append(got, utf16Len(p.Text))
			}
			if len(got) != len(test.want) {
				t.Fatalf("parts of %v, want %v", got, test.want)
			}
			for i := range got {
				if got[i] != test.want[i] {
					t.Errorf("parts of %v, want %v", got, test.want)
				}
			}
		})
	}
}

// FuzzSplit holds that no piece is refused, and that nothing is lost that can
// be seen.
func FuzzSplit(f *testing.F) {
	f.Add("hello world", 5)
	f.Add("a\r\nb\n\nc d", 2)
	f.Add("👨‍👩‍👧🇫🇷🇩🇪 👍🏽e\u0301\u0302", 3)
	f.Add(strings.Repeat("\u0301", 40)+"\u200D", 7)
	f.Add("\xff\xfe\x00", 4)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if limit < 2 || limit > 5000 {
			limit = textLimit
		}
		pieces := split(text, limit)
		for _, piece := range pieces {
			if !gatewaytest.AcceptsText(piece) || utf16Len(piece) > limit || !utf8.ValidString(piece) {
				t.Errorf("piece %q of %d units would be refused", piece, utf16Len(piece))
			}
		}
		got, want := seen(strings.Join(pieces, "")), seen(strings.ToValidUTF8(text, "\uFFFD"))
		if got != want {
			t.Errorf("split(%q, %d) = %q loses something", text, limit, pieces)
		}
	})
}

// seen is what can be seen of a text.
func seen(s string) string {
	return strings.Map(func(r rune) rune {
		if blank(r) {
			return -1
		}
		return r
	}, s)
}

func BenchmarkRender(b *testing.B) {
	c := New(Options{})
	for name, text := range map[string]string{
		"short":  "It is noon in Lyon, and the sun is out.",
		"long":   strings.Repeat("It is noon in Lyon, and the sun is out. ", 1000),
		"absurd": "a" + strings.Repeat("\u0301", 1<<20),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				c.Render(nacre.Reply{Text: text})
			}
		})
	}
}
