package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nacre"
)

// folders lists the owners who have a folder.
func (b *bubble) folders() (list []nacre.OwnerID) {
	entries, _ := os.ReadDir(filepath.Join(b.app.cfg.Data, "owners"))
	for _, e := range entries {
		list = append(list, nacre.OwnerID(e.Name()))
	}
	return list
}

// A person gets a folder with their first note; what they write there by hand is
// read back, and what is refused of it is told in their chat.
func TestFilesByHand(t *testing.T) {
	live(t, func(b *bubble) {
		b.pass(time.Minute)
		if list := b.folders(); len(list) != 1 || list[0] != b.app.operator {
			t.Fatalf("folders at the start: %v", list)
		}
		b.say(1002, "/remember my boat is red")
		b.pass(time.Minute)
		list := b.folders()
		if len(list) != 2 {
			t.Fatalf("folders after a note of the second owner: %v", list)
		}
		path := filepath.Join(b.app.cfg.Data, "owners", string(list[1]), "MEMORY.md")
		if list[1] == b.app.operator {
			path = filepath.Join(b.app.cfg.Data, "owners", string(list[0]), "MEMORY.md")
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), "my boat is red") {
			t.Fatalf("MEMORY.md: %v\n%s", err, text)
		}
		edited := strings.Replace(string(text), "my boat is red", "my boat is white\n- card: my card is 4111 1111 1111 1111", 1)
		if err := os.WriteFile(path, []byte("My own words.\n"+edited), 0o600); err != nil {
			t.Fatal(err)
		}
		b.pass(2 * time.Minute)
		b.say(1002, "/memory about")
		texts := b.texts(1002)
		if last := texts[len(texts)-1]; !strings.Contains(last, "my boat is white") || strings.Contains(last, "4111") {
			t.Errorf("after the edit: %q", texts)
		}
		if notice := texts[len(texts)-2]; !strings.Contains(notice, "MEMORY.md") || strings.Contains(notice, "4111") {
			t.Errorf("what is told of the refused line: %q", notice)
		}
		text, _ = os.ReadFile(path)
		if !strings.HasPrefix(string(text), "My own words.\n") || strings.Contains(string(text), "4111") || !strings.Contains(string(text), "my boat is white") {
			t.Errorf("MEMORY.md is now\n%s", text)
		}
		if len(b.texts(1001)) != 0 {
			t.Errorf("the other owner was told %q", b.texts(1001))
		}
	})
}

// What a person wrote in prose of their own is cut only when they say so, and
// until then the forgetting stays open.
func TestProseIsCutOnlyWithLeave(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "/remember my dog is called zqx-Kiko")
		b.say(1001, "/remember my bike is green")
		b.pass(time.Minute)
		path := filepath.Join(b.app.cfg.Data, "owners", string(b.app.operator), "MEMORY.md")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append([]byte("A poem of zqx-Kiko.\n\n"), text...), 0o600); err != nil {
			t.Fatal(err)
		}
		b.say(1001, "/forget my dog")
		text, _ = os.ReadFile(path)
		if !strings.Contains(string(text), "A poem of zqx-Kiko.") || strings.Contains(string(text), "called") {
			t.Errorf("unasked MEMORY.md is\n%s", text)
		}
		if open, err := b.app.ledger.Unfinished(context.Background()); err != nil || len(open) != 1 {
			t.Errorf("%d forgettings are open, %v", len(open), err)
		}
		b.say(1001, "yes")
		text, _ = os.ReadFile(path)
		if strings.Contains(string(text), "Kiko") || !strings.Contains(string(text), "my bike is green") {
			t.Errorf("with leave MEMORY.md is\n%s", text)
		}
		if open, err := b.app.ledger.Unfinished(context.Background()); err != nil || len(open) != 0 {
			t.Errorf("%d forgettings are still open, %v; %q", len(open), err, b.texts(1001))
		}
	})
}
