package render_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
	"nacre/memory/render"
)

// utc is where everybody lives.
func utc(nacre.OwnerID) *time.Location { return time.UTC }

func TestDifferences(t *testing.T) {
	dir := t.TempDir()
	l, err := ledger.Open(t.Context(), ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre")})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	list, err := l.SyncOwners(t.Context(), [][]nacre.Address{{{Channel: nacre.Terminal, ID: "1"}}})
	if err != nil {
		t.Fatal(err)
	}
	book := memory.NewLibrary(l, utc).Book(list[0].ID)
	state := func() *memory.State {
		s, err := book.State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	propose := func(p memory.Proposal) *memory.Note {
		p.Writer = memory.ByShell
		out, err := book.Propose(t.Context(), p)
		if err != nil || out[0].Refused != "" {
			t.Fatalf("%s: %+v, %v", p.Do, out, err)
		}
		return out[0].Note
	}
	bike := propose(memory.Proposal{Do: memory.Learn, Draft: memory.Draft{Area: memory.About, Slug: "bike", Text: "My bike is *green*"}})
	before := state()
	if got := render.Differences(before, before, render.Literal); got != nil {
		t.Errorf("nothing is %q", got)
	}
	propose(memory.Proposal{Do: memory.PinNote, Note: bike.ID, Hash: bike.Hash()})
	propose(memory.Proposal{Do: memory.Set, Setting: memory.Saving})
	pinned := state()
	propose(memory.Proposal{Do: memory.Archive, Note: bike.ID, Hash: bike.Hash()})
	for _, c := range []struct {
		name  string
		a, b  *memory.State
		lines []string
	}{
		{"pinned", before, pinned, []string{`Always at hand again: My bike is \*green\*`, "Remembering new things: off"}},
		{"unpinned", pinned, before, []string{`Not always at hand any more: My bike is \*green\*`, "Remembering new things: on"}},
		{"archived", pinned, state(), []string{`Not noted any more: My bike is \*green\*`}},
		{"brought back", state(), pinned, []string{`Confirmed: My bike is \*green\*`}},
	} {
		if got := render.Differences(c.a, c.b, render.Literal); !slices.Equal(got, c.lines) {
			t.Errorf("%s: %q, want %q", c.name, strings.Join(got, "|"), strings.Join(c.lines, "|"))
		}
	}
}
