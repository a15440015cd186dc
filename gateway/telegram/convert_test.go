package telegram

import (
	"bytes"
	"cmp"
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
			if e, ok := meaning(u, us); ok {
				got = readable(t, e)
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

// readable is what a golden file holds of an event.
func readable(t *testing.T, e event) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	var err error
	switch {
	case e.message != nil:
		err = enc.Encode(readableMessage(t, *e.message))
	case e.press != nil && !e.press.ours:
		return []byte("press of a button that is not ours\n")
	case e.press != nil:
		err = enc.Encode(map[string]any{"Press": e.press.press, "Under": e.press.message})
	default:
		err = enc.Encode(map[string]nacre.Chat{"From": e.move.from, "To": e.move.to})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readableMessage(t *testing.T, m nacre.Message) any {
	if m.ID != "" || m.Seq != 0 || !m.Received.IsZero() {
		t.Errorf("fields are set that are not the converter's: %+v", m)
	}
	return struct {
		Chat        nacre.Chat
		External    nacre.ExternalID
		Revision    int64 `json:",omitempty"`
		Author      string
		Private     bool
		ToUs        bool
		Quiet       bool `json:",omitempty"`
		Sent        time.Time
		Language    string
		Album       string `json:",omitempty"`
		Segments    []nacre.Segment
		Attachments []nacre.Attachment `json:",omitempty"`
	}{m.Chat, m.External, m.Revision, m.Author.String(), m.Private, m.ToUs, m.Quiet, m.Sent, m.Language, m.Album, m.Segments, m.Attachments}
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
	f.Add([]byte(`{"edited_message":{"chat":{"type":"private"},"video":{"file_size":-5},"sticker":{}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var u update
		json.Unmarshal(raw, &u) // what an error leaves behind must not do harm either
		e, ok := meaning(u, us)
		if !ok {
			return
		}
		switch {
		case e.message != nil:
			wantSound(t, u, *e.message)
		case e.press != nil:
			wantSoundPress(t, u.Callback, e.press)
		case e.move == nil:
			t.Errorf("an event without a field: %s", raw)
		}
		if e.message != nil && e.press != nil || e.message != nil && e.move != nil {
			t.Errorf("an event of two kinds: %s", raw)
		}
		if t.Failed() {
			t.Logf("the update is %s", raw)
		}
	})
}

// wantSound checks what holds of every Message, whatever it was made of.
func wantSound(t *testing.T, u update, m nacre.Message) {
	said, private := u.Message, false
	var who *user
	switch {
	case said != nil, u.Edited != nil:
		said = cmp.Or(said, u.Edited)
		who, private = said.From, said.Chat.Type == "private"
		if said.SenderChat != nil {
			who = nil
		}
	default:
		who, private = u.Reaction.User, u.Reaction.Chat.Type == "private"
	}
	if len(m.Segments) == 0 || m.Chat.Channel != nacre.Telegram || m.Chat.ID == "" || m.Private != private {
		t.Errorf("a message that lacks something: %+v", m)
	}
	isPerson := who != nil && who.ID > 0 && !who.IsBot
	if isPerson != (m.Author != nacre.Address{}) {
		t.Errorf("author %v", m.Author)
	}
	if quiet := u.Message == nil; m.Quiet != quiet || m.Revision != 0 && !quiet {
		t.Errorf("quiet %v, revision %d", m.Quiet, m.Revision)
	}
	own := said != nil && isPerson && m.Private && !said.forwarded() && said.ViaBot == nil
	for _, s := range m.Segments {
		if s.Provenance == nacre.ByOwner && !own {
			t.Errorf("not the author's own words: %q", s.Text)
		}
		if s.Text == "" || !utf8.ValidString(s.Text) {
			t.Errorf("segment %q", s.Text)
		}
	}
	for _, a := range m.Attachments {
		if a.Kind == "" || a.Bytes < 0 || a.Bytes > fetchLimit && a.Ref != "" {
			t.Errorf("attachment %+v", a)
		}
	}
	if m.ToUs && m.Private {
		t.Error("a private message is said to us in a group")
	}
}

// wantSoundPress checks that only persons press what is ours.
func wantSoundPress(t *testing.T, q *callbackQuery, cb *callback) {
	if !cb.ours {
		if cb.press != (nacre.Press{}) {
			t.Errorf("a press that is not ours says %+v", cb.press)
		}
		return
	}
	p := cb.press
	if p.Author.ID != itoa(q.From.ID) || q.From.IsBot || q.From.ID <= 0 || p.Chat.ID == "" || callbackData(p.Question, p.Option) != q.Data {
		t.Errorf("press %+v of %+v", p, q)
	}
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
