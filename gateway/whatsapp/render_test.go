package whatsapp

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"
	"unicode/utf8"

	"nacre"
)

func picture(t testing.TB, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRenderLimits(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []int // characters
	}{
		{"short", "hello", []int{5}},
		{"4,000", strings.Repeat("x", 4000), []int{4000}},
		{"4,001", strings.Repeat("x", 4001), []int{4000, 1}},
		{"hats", strings.Repeat("🎩", 4000), []int{4000}},
		{"family over the border", strings.Repeat("x", 3998) + "👨‍👩‍👧", []int{3998, 5}},
		{"nothing to see", "\u200B \u2800\n\uFEFF", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			parts := New(Options{}).Render(nacre.Reply{Text: tt.text})
			var got []int
			for _, p := range parts {
				got = append(got, utf8.RuneCountInString(p.Text))
			}
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("parts of %v characters, want %v", got, tt.want)
			}
		})
	}
}

func TestRenderMarkup(t *testing.T) {
	parts := New(Options{}).Render(nacre.Reply{Text: "**High water** at [Brest](https://example.org/brest)"})
	want := "*High water* at Brest: https://example.org/brest"
	if len(parts) != 1 || parts[0].Text != want || parts[0].Plain != "" {
		t.Errorf("parts %+v, want %q", parts, want)
	}
}

func TestRenderOptions(t *testing.T) {
	const tail = "\n\n_Please answer with the number._"
	many := make([]string, 150)
	for i := range many {
		many[i] = strings.Repeat("y", 100)
	}
	tests := []struct {
		name    string
		text    string
		options []string
		parts   int
		last    string // the end of the last part
	}{
		{"two", "Shall I?", []string{"Yes", "No"}, 1, "Shall I?\n\n1. Yes\n2. No" + tail},
		{"no text", "", []string{"Yes", "No"}, 1, "1. Yes\n2. No" + tail},
		{"under the last part", strings.Repeat("x", 4001), []string{"Yes"}, 2, "x\n\n1. Yes" + tail},
		{"fit exactly", strings.Repeat("x", 4000-len("\n\n1. Yes"+tail)), []string{"Yes"}, 1, "x\n\n1. Yes" + tail},
		{"do not fit", strings.Repeat("x", 4001-len("\n\n1. Yes"+tail)), []string{"Yes"}, 2, "1. Yes" + tail},
		{"on one line each", "Which?", []string{"a\nb", "\xff"}, 1, "1. a b\n2. \uFFFD" + tail},
		{"a long one", "Which?", []string{strings.Repeat("z", 300)}, 1, "1. " + strings.Repeat("z", 199) + "…" + tail},
		{"far too many", "Which?", many, 4, "150. " + many[0] + tail},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			parts := New(Options{}).Render(nacre.Reply{ID: "reply", Text: tt.text, Options: tt.options})
			if len(parts) != tt.parts {
				t.Fatalf("%d parts, want %d", len(parts), tt.parts)
			}
			for i, p := range parts {
				if asks := p.Question == "reply" && len(p.Options) == len(tt.options); asks != (i == len(parts)-1) {
					t.Errorf("part %d of %d: question %q with %d options", i+1, len(parts), p.Question, len(p.Options))
				}
				if n := utf8.RuneCountInString(p.Text); n > textLimit {
					t.Errorf("a part of %d characters", n)
				}
			}
			if got := parts[len(parts)-1].Text; !strings.HasSuffix(got, tt.last) {
				t.Errorf("the last part is %q, want the end %q", got, tt.last)
			}
		})
	}
}

func TestRenderFiles(t *testing.T) {
	photo := nacre.File{Name: "a.png", MIME: "image/png", Data: picture(t, 3, 2)}
	voice := nacre.File{Name: "a.ogg", MIME: "audio/ogg", Data: opus(48000)}
	huge := nacre.File{Name: "a.zip", Data: make([]byte, fileLimit+1)}
	tests := []struct {
		name  string
		text  string
		files []nacre.File
		want  string // each part: its text in short, and its file's name
	}{
		{"under the file", "Look", []nacre.File{photo}, "Look+a.png"},
		{"longest under the file", strings.Repeat("x", 1024), []nacre.File{photo}, "x…+a.png"},
		{"too long for under the file", strings.Repeat("x", 1025), []nacre.File{photo}, "x… +a.png"},
		{"voice has no text", "Listen", []nacre.File{voice}, "Listen +a.ogg"},
		{"two files", "Look", []nacre.File{photo, voice}, "Look +a.png +a.ogg"},
		{"file alone", "", []nacre.File{photo}, "+a.png"},
		{"too large", "Look", []nacre.File{huge}, "Look I…"},
		{"empty", "", []nacre.File{{Name: "x.txt"}}, "I…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range New(Options{}).Render(nacre.Reply{Text: tt.text, Files: tt.files}) {
				s := p.Text
				if len(s) > 10 {
					s = s[:1] + "…"
				}
				if p.File != nil {
					s += "+" + p.File.Name
				}
				got = append(got, s)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("parts %q, want %q", s, tt.want)
			}
		})
	}
	for _, f := range []nacre.File{{Name: "x.txt"}, huge} {
		if text := New(Options{}).Render(nacre.Reply{Files: []nacre.File{f}})[0].Text; !strings.Contains(text, f.Name) {
			t.Errorf("%q does not name the file", text)
		}
	}
}

// FuzzRender holds that what is rendered is sendable: within the limit, of valid
// UTF-8, and that the options of a reply are all there, numbered, once.
func FuzzRender(f *testing.F) {
	f.Add("**Bold** and [a link](https://example.org)", "Yes", "No")
	f.Add(strings.Repeat("word ", 900), "a\nb", "\xff")
	f.Add("```\n"+strings.Repeat("line\n", 900), strings.Repeat("y", 5000), "")
	f.Fuzz(func(t *testing.T, text, one, two string) {
		parts := New(Options{}).Render(nacre.Reply{ID: "r", Text: text, Options: []string{one, two}})
		questions := 0
		for _, p := range parts {
			if n := utf8.RuneCountInString(p.Text); n > textLimit || strings.TrimSpace(p.Text) == "" || !utf8.ValidString(p.Text) {
				t.Errorf("a part of %d characters: %q", n, p.Text)
			}
			if p.Question != "" {
				questions++
			}
		}
		last := parts[len(parts)-1].Text
		if want := "1. " + oneLine(one) + "\n2. " + oneLine(two) + "\n\n" + answerByNumber; questions != 1 || !strings.HasSuffix(last, want) {
			t.Errorf("%d questions, the last part %q, want the end %q", questions, last, want)
		}
	})
}

func BenchmarkRender(b *testing.B) {
	replies := map[string]nacre.Reply{
		"short":    {Text: "It is noon in Lyon, and the sun is out."},
		"options":  {ID: "r", Text: "Shall I remind you?", Options: []string{"Yes", "No"}},
		"markdown": {Text: strings.Repeat("**High water** is at _noon_; see [the almanac](https://example.org).\n\n- one\n- two\n\n", 20)},
		"long":     {Text: strings.Repeat("word after word ", 3000)},
	}
	c := New(Options{})
	for name, r := range replies {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Render(r)
			}
		})
	}
}
