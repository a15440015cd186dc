package telegram

import (
	"bytes"
	"html"
	"image"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"nacre"
	"nacre/gateway/gatewaytest"
	"nacre/gateway/markup"
)

func utf16Len(s string) int { return len(utf16.Encode([]rune(s))) }

var anyTag = regexp.MustCompile(`<[^>]*>`)

// seen is what people see of a part.
func seen(p nacre.Part) string {
	if p.Plain == "" {
		return p.Text
	}
	return html.UnescapeString(anyTag.ReplaceAllString(p.Text, ""))
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
		{"flag over the border", strings.Repeat("x", 4094) + "🇫🇷", []int{4094, 4}},
		{"skin tone over the border", strings.Repeat("x", 4093) + "👍🏽", []int{4093, 4}},
		{"family over the border", strings.Repeat("x", 4090) + "👨‍👩‍👧", []int{4090, 8}},
		{"hats", strings.Repeat("🎩", 2048), []int{4096}},
		{"one hat more", strings.Repeat("🎩", 2049), []int{4096, 2}},
		{"nothing to see", "\u200B \u2800\n\uFEFF", nil},
		{"accents count once", strings.Repeat("é", 4096), []int{4096}},
		{"marks of emphasis do not count", "**" + strings.Repeat("x", 4096) + "**", []int{4096}},
		{"escapes count once", strings.Repeat("<", 4096), []int{4096}},
	}
	c := New(Options{})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []int
			for _, p := range c.Render(nacre.Reply{Text: test.text}) {
				got = append(got, utf16Len(seen(p)))
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

// TestRenderCutsBetweenWords has text that grows when it is escaped.
func TestRenderCutsBetweenWords(t *testing.T) {
	words := strings.Repeat("R&D <b> a&&b ", 4200/13)
	parts := New(Options{}).Render(nacre.Reply{Text: words})
	if len(parts) != 2 {
		t.Fatalf("%d parts, want 2", len(parts))
	}
	var all []string
	for _, p := range parts {
		if n := utf16Len(seen(p)); n > textLimit {
			t.Errorf("a part of %d units", n)
		}
		all = append(all, seen(p))
	}
	if got := strings.Join(all, " "); got != strings.TrimSpace(words) {
		t.Error("a word was cut or lost")
	}
}

func TestRenderMarkup(t *testing.T) {
	tests := []struct{ name, text, want, plain string }{
		{"none", "It is noon.", "It is noon.", ""},
		{"signs", "3 < 5 && x > y", "3 &lt; 5 &amp;&amp; x &gt; y", "3 < 5 && x > y"},
		{"header of a mail", "**From:** Ann Example <ann@example.org>", "<b>From:</b> Ann Example &lt;ann@example.org&gt;", "From: Ann Example <ann@example.org>"},
		{"pipes", "a | b | c", "a | b | c", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			parts := New(Options{}).Render(nacre.Reply{Text: test.text})
			if len(parts) != 1 || parts[0].Text != test.want || parts[0].Plain != test.plain {
				t.Errorf("Render = %+v, want %q and plain %q", parts, test.want, test.plain)
			}
		})
	}
}

func TestRenderTable(t *testing.T) {
	table := "| city | hat |\n|---|---|\n| 東京 | `a\\|b` |\n"
	parts := New(Options{}).Render(nacre.Reply{Text: table})
	if len(parts) != 1 || strings.Contains(parts[0].Text, `\`) || !strings.Contains(parts[0].Text, "a|b") {
		t.Errorf("Render = %+v", parts)
	}
}

// TestRenderReopensFences has code that no message can hold.
func TestRenderReopensFences(t *testing.T) {
	for name, text := range map[string]string{
		"one line":      "```go\n" + strings.Repeat("x", 12000) + "\n```\nthe end",
		"never closed":  "```go\n" + strings.Repeat("some code\n", 1200),
		"fence in code": "````go\n```\n" + strings.Repeat("x", 12000) + "\n```\n````",
	} {
		t.Run(name, func(t *testing.T) {
			parts := New(Options{}).Render(nacre.Reply{Text: text})
			if len(parts) < 3 {
				t.Fatalf("%d parts, want 3 or more", len(parts))
			}
			for i, p := range parts[:3] {
				if !strings.HasPrefix(p.Text, `<pre><code class="language-go">`) || !strings.Contains(p.Text, "</code></pre>") {
					t.Errorf("part %d begins %.40q", i, p.Text)
				}
			}
		})
	}
}

// picture is a PNG of some size.
func picture(t testing.TB, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// shape is a short account of parts.
func shape(parts []nacre.Part) string {
	var all []string
	for _, p := range parts {
		var one []string
		if p.Text != "" {
			one = append(one, "text")
		}
		if p.File != nil {
			one = append(one, "file "+p.File.Name)
		}
		if len(p.Options) > 0 {
			one = append(one, "for "+string(p.Question)+": "+strings.Join(p.Options, "/"))
		}
		all = append(all, strings.Join(one, ", "))
	}
	return strings.Join(all, " | ")
}

func TestRenderOptionsAndFiles(t *testing.T) {
	long := strings.Repeat("word after word ", 400)
	caption := strings.Repeat("x", captionLimit)
	a, b := nacre.File{Name: "a.txt", Data: []byte("a")}, nacre.File{Name: "b.txt", Data: []byte("b")}
	largest := nacre.File{Name: "largest.bin", Data: make([]byte, fileLimit)}
	huge, none := nacre.File{Name: "huge.bin", Data: make([]byte, fileLimit+1)}, nacre.File{Name: "none.txt"}
	tests := []struct {
		name  string
		reply nacre.Reply
		want  string
	}{
		{"nothing", nacre.Reply{}, ""},
		{"options", nacre.Reply{Text: "Which?", Options: []string{"yes", "no"}}, "text, for q: yes/no"},
		{"options under the last part", nacre.Reply{Text: long, Options: []string{"yes"}}, "text | text, for q: yes"},
		{"options alone", nacre.Reply{Options: []string{"yes"}}, "text, for q: yes"},
		{"short caption", nacre.Reply{Text: "Here.", Files: []nacre.File{a}}, "text, file a.txt"},
		{"longest caption", nacre.Reply{Text: caption, Files: []nacre.File{a}}, "text, file a.txt"},
		{"too long for a caption", nacre.Reply{Text: caption + "x", Files: []nacre.File{a}}, "text | file a.txt"},
		{"two files", nacre.Reply{Text: "Here.", Files: []nacre.File{a, b}}, "text | file a.txt | file b.txt"},
		{"file alone", nacre.Reply{Files: []nacre.File{a}}, "file a.txt"},
		{"caption with options", nacre.Reply{Text: "Good?", Options: []string{"yes"}, Files: []nacre.File{a}}, "text, file a.txt, for q: yes"},
		{"50 MB", nacre.Reply{Text: "Here.", Files: []nacre.File{largest}}, "text, file largest.bin"},
		{"too large", nacre.Reply{Text: "Here.", Files: []nacre.File{huge}}, "text | text"},
		{"empty file", nacre.Reply{Text: "Here.", Files: []nacre.File{none, a}}, "text | text | file a.txt"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.reply.ID = "q"
			parts := New(Options{}).Render(test.reply)
			if got := shape(parts); got != test.want {
				t.Errorf("parts are %q, want %q", got, test.want)
			}
		})
	}
}

func TestFilesThatCannotGoAreSaid(t *testing.T) {
	files := []nacre.File{{Name: "../huge.bin", Data: make([]byte, fileLimit+1)}, {Name: "none.txt"}}
	parts := New(Options{}).Render(nacre.Reply{Files: files})
	if len(parts) != 2 || !strings.Contains(parts[0].Text, "huge.bin") || !strings.Contains(parts[0].Text, "50 MB") || !strings.Contains(parts[1].Text, "empty") {
		t.Errorf("Render = %+v", parts)
	}
	for _, p := range parts {
		if !gatewaytest.AcceptsText(p.Text) {
			t.Errorf("%q would be refused", p.Text)
		}
	}
}

// FuzzProse holds that the quick way and the parser agree.
func FuzzProse(f *testing.F) {
	for _, text := range []string{"It is noon in Lyon, and the sun is out.", "a", "a. b! c? (d) 5 o'clock", "www.example.org", "1. one", "a  b", "a ", "x!(y)", "Ünïcödé", "Setext\n===", "_a_"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !prose(text) {
			return
		}
		parts := markup.Telegram(text)
		if len(parts) != 1 || parts[0].Plain != text || html.UnescapeString(parts[0].Text) != text {
			t.Errorf("%q is taken for prose and rendered as %+v", text, parts)
		}
	})
}

func TestProseIsWhatMostAnswersAre(t *testing.T) {
	for text, want := range map[string]bool{
		"It is noon in Lyon, and the sun is out.": true,
		"At 5 o'clock (or later)?":                true,
		"Grüße aus 東京!":                           true,
		"":                                        false,
		"**bold**":                                false,
		"two\nlines":                              false,
		"1. one":                                  false,
		"see www.example.org":                     false,
		"trailing ":                               false,
	} {
		if got := prose(text); got != want {
			t.Errorf("prose(%q) = %v", text, got)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	c := New(Options{})
	for name, text := range map[string]string{
		"short":  "It is noon in Lyon, and the sun is out.",
		"marked": "It is **noon** in Lyon, and the sun is out.",
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
