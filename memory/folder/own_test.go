package folder

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nacre"
)

// own is one of the owner's files.
func (w *world) own(name string) Own {
	w.t.Helper()
	list, err := w.folder.Owns(owner)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, o := range list {
		if o.Name == name {
			return o
		}
	}
	w.t.Fatalf("%s is not among %d files", name, len(list))
	return Own{}
}

func TestOwnFilesAreReadAndWritten(t *testing.T) {
	w := newWorld(t)
	for _, name := range texts {
		if o := w.own(name); !o.Default || o.Text != pristine(name) {
			t.Errorf("%s before there is a folder: %+v", name, o)
		}
	}
	if w.folder.Exists(owner) {
		t.Error("looking made a folder")
	}
	for _, name := range texts {
		wrote, err := w.folder.Write(owner, name, "You are Ada of "+name+".", w.own(name).Hash)
		if err != nil || wrote.Default || wrote != w.own(name) || w.read(name) != "You are Ada of "+name+"." {
			t.Errorf("%s is written as %+v, read as %+v: %v", name, wrote, w.own(name), err)
		}
		if st, err := os.Stat(filepath.Join(w.dir, name)); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want mode 0600", name, st, err)
		}
	}
	if got, err := w.folder.Write(owner, Soul, "", w.own(Soul).Hash); err != nil || got.Text != "" {
		t.Errorf("emptied: %+v, %v", got, err)
	}
	if voice, err := w.folder.Voice(owner); err != nil || voice != "" {
		t.Errorf("an empty file gives the voice %q, %v", voice, err)
	}
	if got, err := w.folder.Write(owner, Soul, pristine(Soul), w.own(Soul).Hash); err != nil || !got.Default {
		t.Errorf("as it was made: %+v, %v", got, err)
	}
	if left, err := filepath.Glob(filepath.Join(w.dir, tempPattern)); err != nil || left != nil {
		t.Errorf("writing left %v, %v", left, err)
	}
}

// A voice is heard as soon as it is written, also one of the same length.
func TestWrittenVoiceIsHeard(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"Ada", "Bob", "Cyd", "Dan"} {
		if _, err := w.folder.Write(owner, Soul, "You are "+name+".", w.own(Soul).Hash); err != nil {
			t.Fatal(err)
		}
		if voice, err := w.folder.Voice(owner); err != nil || voice != "You are "+name+"." {
			t.Errorf("the voice of %s is %q, %v", name, voice, err)
		}
	}
}

func TestWhatIsNotWritten(t *testing.T) {
	w := newWorld(t)
	w.open()
	seen := w.own(Soul).Hash
	w.write(Soul, "You are Ada.")
	now := w.own(Soul).Hash
	for _, c := range []struct {
		why             string
		name, text, was string
		kind            nacre.Kind
	}{
		{"changed by another hand", Soul, "You are Bob.", seen, nacre.Conflict},
		{"never seen", Soul, "You are Bob.", "", nacre.Conflict},
		{"too long", Soul, strings.Repeat("ž", MaxText+1), now, nacre.Invalid},
		{"far too long", Soul, "<!--" + strings.Repeat("z", maxFile), now, nacre.Invalid},
		{"no text", Soul, "You are \x00.", now, nacre.Invalid},
		{"no UTF-8", Soul, "You are \xff.", now, nacre.Invalid},
		{"memory", Memory, "", now, nacre.NotFound},
		{"elsewhere", "../SOUL.md", "", now, nacre.NotFound},
	} {
		if got, err := w.folder.Write(owner, c.name, c.text, c.was); nacre.KindOf(err) != c.kind {
			t.Errorf("%s: %d characters, %v; want kind %v", c.why, len(got.Text), err, c.kind)
		}
	}
	if got := w.read(Soul); got != "You are Ada." {
		t.Errorf("the file holds %.40q", got)
	}
	long := strings.Repeat("ž", MaxText) + "<!-- mine -->"
	if _, err := w.folder.Write(owner, Soul, long, now); err != nil || w.read(Soul) != long {
		t.Errorf("as long as may be, and a comment: %v", err)
	}
}

// Whoever shows the files hears of what hands do to them, and of nothing else.
func TestRunTellsOfEdits(t *testing.T) {
	w := newWorld(t)
	edited := make(chan nacre.OwnerID, 100)
	w.folder.edited = func(o nacre.OwnerID) { edited <- o }
	w.open()
	w.run(func(ctx context.Context) { w.folder.Run(ctx) })
	w.await("MEMORY.md", func() bool { return strings.Contains(w.read(Memory), beginning) })
	w.write(Memory, w.read(Memory)+"\nProse.\n")
	for _, name := range texts {
		w.write(name, "You are Ada of "+name+".")
		select {
		case got := <-edited:
			if got != owner {
				t.Errorf("the files of %s were edited", got)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("nobody is told that %s was edited", name)
		}
	}
	if len(edited) != 0 {
		t.Errorf("%d more edits are told", len(edited))
	}
}
