package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nacre"
	"nacre/web"
)

// file is one of the owner's files.
func (h handed) file(name string) web.File {
	h.t.Helper()
	list, err := h.Files(h.hand).Read(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	for _, f := range list {
		if f.Name == name {
			return f
		}
	}
	h.t.Fatalf("%s is not among %d files", name, len(list))
	return web.File{}
}

func TestFilesAreReadAndWritten(t *testing.T) {
	inEveryHand(t, func(*world, *app, string) {}, func(t *testing.T, h handed) {
		files := h.Files(h.hand)
		for _, name := range []string{"SOUL.md", "HEARTBEAT.md", "prompts/reflect.md"} {
			was := h.file(name)
			if !was.Default || was.Longest != 8000 || !strings.HasPrefix(was.Text, "<!--") {
				t.Errorf("at first: %+v", was)
			}
			wrote, err := files.Write(t.Context(), web.FileWrite{Name: name, Text: "You are Ada of " + name, Was: was.Hash})
			if now := h.file(name); err != nil || wrote != now || now.Default || now.Text != "You are Ada of "+name {
				t.Errorf("written: %+v, %v; read: %+v", wrote, err, now)
			}
			_, err = files.Write(t.Context(), web.FileWrite{Name: name, Text: "You are Bob.", Was: was.Hash})
			if now := h.file(name); kindOf(t, err) != nacre.Conflict || now != wrote {
				t.Errorf("written over another hand: %v; read: %+v", err, now)
			}
		}
		soul := h.file("SOUL.md")
		for _, text := range []string{strings.Repeat("a", 8001), "\x00"} {
			if _, err := files.Write(t.Context(), web.FileWrite{Name: "SOUL.md", Text: text, Was: soul.Hash}); kindOf(t, err) != nacre.Invalid {
				t.Errorf("%d characters: %v", len(text), err)
			}
		}
		if _, err := files.Write(t.Context(), web.FileWrite{Name: "MEMORY.md", Was: soul.Hash}); kindOf(t, err) != nacre.NotFound {
			t.Errorf("MEMORY.md: %v", err)
		}
		if got, err := files.Write(t.Context(), web.FileWrite{Name: "SOUL.md", Was: soul.Hash}); err != nil || got.Text != "" {
			t.Errorf("emptied: %+v, %v", got, err)
		}
	})
}

// What is written is what the assistant is from then on, to its owner alone.
func TestWrittenVoiceIsTheirs(t *testing.T) {
	w := newWorld(t)
	w.alone(func(a *app) {
		h := handed{w, a, web.Hand{Owner: w.owner(a, "1002")}, "1002"}
		if _, err := a.Files(h.hand).Write(t.Context(), web.FileWrite{Name: "SOUL.md", Text: "You are Ada.", Was: h.file("SOUL.md").Hash}); err != nil {
			t.Fatal(err)
		}
		if got := a.voice(h.hand.Owner); got != "You are Ada." {
			t.Errorf("the voice is %q", got)
		}
		if got := a.voice(a.operator); got != "" {
			t.Errorf("the operator's voice is %q", got)
		}
		path := filepath.Join(w.env["NACRE_DATA"], "owners", string(h.hand.Owner), "SOUL.md")
		if err := os.WriteFile(path, []byte("You are Bob."), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := h.file("SOUL.md"); got.Text != "You are Bob." {
			t.Errorf("edited on disk it is %+v", got)
		}
	})
}
