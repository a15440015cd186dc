package telegram

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"nacre"
	"nacre/gateway/gatewaytest"
)

var updateGolden = flag.Bool("update", false, "rewrite the golden files")

var us = user{ID: gatewaytest.BotUser, IsBot: true, Username: gatewaytest.BotUsername}

func payloads(t testing.TB) map[string][]byte {
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil || len(paths) < 50 {
		t.Fatalf("found %d payloads, %v", len(paths), err)
	}
	all := map[string][]byte{}
	for _, path := range paths {
		if all[strings.TrimSuffix(path, ".json")], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestConvert(t *testing.T) {
	for path, raw := range payloads(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var u update
			if err := json.Unmarshal(raw, &u); err != nil {
				t.Fatal(err)
			}
			got := []byte("no message\n")
			if m, ok := convert(u, us); ok {
				got = readable(t, m)
			}
			golden := path + ".golden"
			if *updateGolden {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// readable is what a golden file holds of a Message.
func readable(t *testing.T, m nacre.Message) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if m.ID != "" || m.Seq != 0 || m.Revision != 0 || !m.Received.IsZero() {
		t.Errorf("fields are set that are not the converter's: %+v", m)
	}
	err := enc.Encode(struct {
		Chat     nacre.Chat
		External nacre.ExternalID
		Author   string
		Private  bool
		ToUs     bool
		Sent     time.Time
		Language string
		Segments []nacre.Segment
	}{m.Chat, m.External, m.Author.String(), m.Private, m.ToUs, m.Sent, m.Language, m.Segments})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestToUs(t *testing.T) {
	all := payloads(t)
	for name, want := range map[string]bool{
		"group_mention":            true,
		"group_mention_in_caption": true,
		"group_text_mention":       true,
		"group_command_to_us":      true,
		"group_reply_to_us":        true,
		"forum_reply_to_us":        true,
		"group_text":               false,
		"group_mention_of_other":   false,
		"group_bad_entities":       false,
		"group_command_to_other":   false,
		"group_command_to_nobody":  false,
		"group_reply_to_other":     false,
		"group_forwarded_mention":  false,
		"forum_topic_of_ours":      false,
		"private_text":             false, // it need not say so
	} {
		var u update
		if err := json.Unmarshal(all["testdata/"+name], &u); err != nil {
			t.Fatal(name, err)
		}
		if m, ok := convert(u, us); !ok || m.ToUs != want {
			t.Errorf("%s: converted %v, ToUs %v, want %v", name, ok, m.ToUs, want)
		}
	}
}

func TestNobodyIsMentionedWithoutAName(t *testing.T) {
	mention := entity{Type: "mention", Length: 1}
	if mention.names(user{ID: 5}, "@") {
		t.Error("a bot without a username is mentioned by a bare @")
	}
}

func TestUnits(t *testing.T) {
	const text = "a🎩é漢z" // units: 1 2 1 1 1
	tests := []struct {
		offset, length int
		want           string
	}{
		{0, 1, "a"},
		{1, 2, "🎩"},
		{3, 2, "é漢"},
		{5, 1, "z"},
		{5, 99, "z"},
		{0, 6, text},
		{6, 1, ""},
		{99, 1, ""},
		{-3, 1, "a"},
		{2, -1, ""},
		{0, 0, ""},
	}
	for _, test := range tests {
		if got := units(text, test.offset, test.length); got != test.want {
			t.Errorf("units(%d, %d) = %q, want %q", test.offset, test.length, got, test.want)
		}
	}
}

// FuzzConvert gives raw updates, as anybody could make Telegram send them.
func FuzzConvert(f *testing.F) {
	for _, raw := range payloads(f) {
		f.Add(raw)
	}
	f.Add([]byte(`{"message":{"message_id":1,"chat":{"id":5,"type":"private"},"from":{"id":0},"text":"x"}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var u update
		json.Unmarshal(raw, &u) // what an error leaves behind must not do harm either
		m, ok := convert(u, us)
		if !ok {
			return
		}
		if len(m.Segments) == 0 || m.Chat.Channel != nacre.Telegram || m.Chat.ID == "" {
			t.Errorf("an empty message: %+v", m)
		}
		person := u.Message.From != nil && u.Message.From.ID > 0 && !u.Message.From.IsBot && u.Message.SenderChat == nil
		if person != (m.Author != nacre.Address{}) {
			t.Errorf("author %v of %s", m.Author, raw)
		}
		own := person && m.Private && !u.Message.forwarded() && u.Message.ViaBot == nil
		for _, s := range m.Segments {
			if s.Provenance == nacre.ByOwner && !own {
				t.Errorf("not the author's own words: %q of %s", s.Text, raw)
			}
			if s.Text == "" || !utf8.ValidString(s.Text) {
				t.Errorf("segment %q of %s", s.Text, raw)
			}
		}
		if m.ToUs && m.Private {
			t.Errorf("a private message is said to us in a group: %s", raw)
		}
	})
}

func BenchmarkConvert(b *testing.B) {
	raw, err := os.ReadFile("testdata/private_text.json")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var u update
		if err := json.Unmarshal(raw, &u); err != nil {
			b.Fatal(err)
		}
		if _, ok := convert(u, us); !ok {
			b.Fatal("not converted")
		}
	}
}
