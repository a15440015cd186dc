package mail

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRead reads anything. What comes of it is a text, never longer than what was
// read, without a quoted line, and long enough to be of use; or a reason and nothing
// else.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.eml")
	for _, file := range files {
		f.Add(content(f, file))
	}
	f.Add([]byte(letterOf("Content-Type: multipart/mixed; boundary=\"\"\n", "--\n\n--\n")))
	f.Add([]byte(letterOf("Content-Type: text/html\n", "<br id=lineBreakAtBeginningOfSignature></blockquote></pre>&#10;&gt;")))
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, why := Read(bytes.NewReader(raw))
		if why != "" {
			if l != (Letter{}) {
				t.Fatalf("%q and a letter", why)
			}
			return
		}
		if !utf8.ValidString(l.Text) || strings.ContainsRune(l.Text, 0) {
			t.Fatal("not a text")
		}
		if n := utf8.RuneCountInString(l.Text); n > len(raw) {
			t.Fatalf("%d characters of %d bytes", n, len(raw))
		}
		if Words(l.Text) < MinWords || l.To < 0 {
			t.Fatalf("%d words, to %d", Words(l.Text), l.To)
		}
		for line := range strings.SplitSeq(l.Text, "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), ">") {
				t.Fatalf("quoted: %q", line)
			}
		}
		if again := own(plainLines(l.Text, false, false)); len(again) > len(l.Text) {
			t.Fatal("it grew when it was read again")
		}
	})
}

func BenchmarkRead(b *testing.B) {
	quote := strings.Repeat("> Are you free on Saturday? We could use more chairs, and somebody who drives.\n", 500)
	typed := strings.Repeat("Saturday works well for me, I can bring the salad and the two chairs.\n", 140)
	raw := []byte(letterOf("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n", typed+"\nOn Mon, May 6, 2024 at 9:58 AM Ann <ann@example.org> wrote:\n\n"+quote))
	page := []byte(letterOf("Content-Type: text/html; charset=utf-8\n", "<div>"+strings.Repeat("<p>Saturday works well for me, I can bring the <b>salad</b>.</p>\n", 800)+"</div>"))
	for name, mail := range map[string][]byte{"plain": raw, "html": page} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(mail)))
			b.ReportAllocs()
			for b.Loop() {
				if _, why := Read(bytes.NewReader(mail)); why != "" {
					b.Fatal(why)
				}
			}
		})
	}
}
