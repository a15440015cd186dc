package render_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"nacre/gateway/markup"
	"nacre/memory"
	"nacre/memory/render"
)

func TestDigest(t *testing.T) {
	for name, notes := range map[string][]*memory.Note{
		"digest.md":         past(),
		"digest_empty.md":   nil,
		"digest_many.md":    many(500, 200),
		"digest_hostile.md": hostile(),
	} {
		t.Run(name, func(t *testing.T) {
			got := render.Digest(notes)
			if n := utf8.RuneCountInString(got); n > render.DigestBudget {
				t.Errorf("it has %d characters", n)
			}
			golden(t, name, got)
			parts := markup.Telegram(got)
			if len(parts) != 1 {
				t.Fatalf("it makes %d messages", len(parts))
			}
			golden(t, strings.TrimSuffix(name, ".md")+".telegram.html", parts[0].Text)
		})
	}
}

// TestDigestIsWhatWasSaid holds that chats show a note's own signs, and none of
// them as markup.
func TestDigestIsWhatWasSaid(t *testing.T) {
	const text = `**bold** _it_ a_b ` + "`code`" + ` [a](https://b.example) ||c|| ~~d~~ \* <b>x</b> &amp; # 1. | x |`
	digest := render.Digest([]*memory.Note{note(1, "about/x", text)})
	for name, parts := range map[string][]markup.Part{"telegram": markup.Telegram(digest), "whatsapp": markup.WhatsApp(digest)} {
		got := parts[0].Plain
		if got == "" {
			got = parts[0].Text
		}
		if !strings.Contains(got, text) {
			t.Errorf("%s: %q is not in %q", name, text, got)
		}
	}
}

func FuzzDigest(f *testing.F) {
	for _, n := range hostile() {
		f.Add(n.Text, uint8(40))
	}
	f.Add(strings.Repeat("*", 200), uint8(40))
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		notes := many(int(n)+5, 60)
		for i, n := range notes {
			if i%4 > 0 {
				n.Text = text
			}
			if i%5 == 0 {
				n.Status, n.Waits = memory.Candidate, memory.Spoken
			}
		}
		got := render.Digest(notes)
		if utf8.RuneCountInString(got) > render.DigestBudget {
			t.Errorf("%q makes a digest of %d characters", text, utf8.RuneCountInString(got))
		}
		if strings.Count(got, "\n") > 40 || !strings.Contains(got, "**People: ") {
			t.Errorf("%q breaks the digest: %q", text, got)
		}
	})
}
