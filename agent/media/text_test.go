package media

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"nacre"
)

func TestReadText(t *testing.T) {
	tests := []struct {
		name, in, want string
	}{
		{"utf-8", "Grüße\nan 東京 🎩\n", "Grüße\nan 東京 🎩"},
		{"byte order mark", "\xEF\xBB\xBFGrüße", "Grüße"},
		{"windows-1252", "Gr\xFC\xDFe \x80 5 \x96 \x93na\xEFve\x94", "Grüße € 5 – “naïve”"},
		{"damaged utf-8", strings.Repeat("Привет мир. ", 2) + "\xff конец", strings.Repeat("Привет мир. ", 2) + "\uFFFD конец"},
		{"windows-1252 that could be utf-8", "GR\xDC\x96 Gr\xFC\xDFe", "GRÜ– Grüße"},
		{"utf-16 little", "\xFF\xFEG\x00r\x00\xFC\x00\x3C\xD8\xA9\xDF", "Grü🎩"},
		{"utf-16 big", "\xFE\xFF\x00G\x00r\x00\xFC", "Grü"},
		{"utf-16 with half a unit", "\xFE\xFF\x00G\x00r\x00", "Gr"},
		{"line ends", "a\r\nb\rc\nd", "a\nb\nc\nd"},
		{"json", `{"a": [1, 2]}`, `{"a": [1, 2]}`},
		{"html", "<!DOCTYPE html><p>Hello</p>", "<!DOCTYPE html><p>Hello</p>"},
		{"xml", "<?xml version=\"1.0\"?><a/>", "<?xml version=\"1.0\"?><a/>"},
		{"csv", "a,b\n1,2", "a,b\n1,2"},
		{"source", "package main\n\nfunc main() {\n\tprintln()\n}\n", "package main\n\nfunc main() {\n\tprintln()\n}"},
		{"log with colours", "\x1b[31merror\x1b[0m in a line that is long enough to be a line of a log", "[31merror[0m in a line that is long enough to be a line of a log"},
		{"speaks of PDF", "a PDF file begins with\n%PDF-1.4\n", "a PDF file begins with\n%PDF-1.4"},
	}
	r := newReader(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, s, err := r.read(t.Context(), nacre.Document, []byte(tt.in))
			if err != nil || s.Text != tt.want || s.Provenance != nacre.InFile {
				t.Errorf("got %+v, %v; want %q from a file", s, err, tt.want)
			}
		})
	}
}

func TestReadTextCuts(t *testing.T) {
	for _, tt := range []struct {
		name, letter string
		count        int
		short        bool
	}{
		{"at the limit", "x", maxText, false},
		{"over the limit", "x", maxText + 1, true},
		{"wide at the limit", "🎩", maxText, false},
		{"wide over the limit", "🎩", maxText + 1, true},
		{"odd over the limit", "東", 2 * maxText, true},
	} {
		in := strings.Repeat(tt.letter, tt.count)
		got, err := readText([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		text, notice, short := strings.Cut(got, "\n")
		if text != strings.Repeat(tt.letter, min(tt.count, maxText)) || short != tt.short {
			t.Errorf("%s: %d characters and %q", tt.name, utf8.RuneCountInString(text), notice)
		}
		if want := fmt.Sprintf("[cut after 16000 characters; the whole file has %d bytes]", len(in)); short && notice != want {
			t.Errorf("%s: %q; want %q", tt.name, notice, want)
		}
	}
}

func TestReadTextRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"NUL":          "text\x00with a NUL",
		"controls":     strings.Repeat("\x01\x02 text ", 50),
		"utf-16 alone": "G\x00r\x00u\x00",
		"blank":        " \n\t\r\n ",
		"only a mark":  "\xFF\xFE",
	} {
		_, err := readText([]byte(in))
		refused(t, err, nacre.Invalid, "file")
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// FuzzReadText: whatever comes in, a text that comes out is fit for a prompt.
func FuzzReadText(f *testing.F) {
	for _, seed := range []string{"Grüße", "\xFF\xFEG\x00", "\xFE\xFF\xD8\x00", "Gr\xFC\xDFe", "a\r\nb", strings.Repeat("東", maxText+9)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := readText(data)
		if err != nil {
			refused(t, err, nacre.Invalid, "file")
			return
		}
		if n := utf8.RuneCountInString(text); text == "" || n > maxText+100 || !utf8.ValidString(text) {
			t.Fatalf("%d characters, valid %v", n, utf8.ValidString(text))
		}
		if i := strings.IndexFunc(text, func(c rune) bool { return unicode.IsControl(c) && c != '\n' && c != '\t' }); i >= 0 {
			t.Fatalf("control character at %d of %q", i, text)
		}
		if len(data) < 1000 && utf8.Valid(data) && strings.IndexFunc(string(data), unicode.IsControl) < 0 && text != strings.TrimSpace(strings.ReplaceAll(string(data), "\uFEFF", "")) {
			t.Fatalf("%q became %q", data, text)
		}
	})
}
