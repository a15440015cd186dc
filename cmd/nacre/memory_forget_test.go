package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nacre/memory"
	"nacre/web"
)

// Nothing is forgotten before the person typed the word, and then it is gone.
func TestMemoryIsForgotten(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		const plan = "This would be forgotten:\n\nabout/bike  Mentioned once  The bike is green.\n\nIt would be blanked out where else it is kept: 1 message.\n" +
			"This cannot be undone. Forget it? Type yes to go on: "
		kept := w.says("memory", "show", "about/bike")
		for _, answer := range []string{"", "\n", "no\n", "y\n", "yes please\n"} {
			w.wants(step{args: words("forget about/bike"), typed: answer, errs: plan + "nacre: nothing was forgotten", code: exitUsage})
		}
		if got := w.says("memory", "show", "about/bike"); got != kept || !strings.Contains(got, "My bike is green") {
			t.Errorf("after wrong answers the note is\n%s\nwant\n%s", got, kept)
		}
		w.wants(
			step{args: words("forget about/bike"), typed: "YES\n", errs: plan, out: `The note and where you said it: forgotten.
- Erased: 1 note, 1 message
- Out of my reach: what the chat network keeps of our conversation; what the provider of the language model keeps of earlier requests; files that you downloaded, and copies of the key file or the key bundle elsewhere: overwrite them with the new ones
- Kept, so that nothing forgotten comes back by itself: 1 fingerprint, without any words
`},
			step{args: words("show about/bike"), errs: "no such note at about/bike", code: exitUsage},
			step{args: words("undo"), errs: "cannot be brought back", code: exitUsage},
			step{args: words("add about/bike The bike is green."), typed: "no\n", errs: "You had this forgotten. Remember it now?", code: exitUsage},
			step{args: words("list --area about"), out: "No notes.\n1 note waits for you to decide: nacre memory review\n"},
			step{args: words("add about/bike The bike is green."), typed: "yes\n", errs: "You had this forgotten.", out: "Remembered: about/bike: The bike is green.\n"},
		)
		if out := w.says("memory", "export"); strings.Contains(out, "My bike") || !strings.Contains(out, "The bike is green") {
			t.Errorf("the export holds\n%s", out)
		}
	})
}

// What the owner wrote in their own files is left alone until they say --cut,
// and then it is cut, though all else is forgotten already.
func TestMemoryIsCutOutOfProse(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		var l web.Listing
		w.json(&l, "list", "--json")
		soul := filepath.Join(l.Folder, "SOUL.md")
		if err := os.WriteFile(soul, []byte("My bike is green. I sail on the Zqxwind. Be brief.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		wantSoul := func(holds ...string) {
			t.Helper()
			text, err := os.ReadFile(soul)
			for _, word := range []string{"bike is green", "Zqxwind", "Be brief."} {
				if has := strings.Contains(string(text), word); err != nil || has != slices.Contains(holds, word) {
					t.Errorf("SOUL.md holds %q: %v (%v)", word, has, err)
				}
			}
		}
		if out := w.says("memory", "forget", "about/bike", "--yes"); !strings.Contains(out, "- Left alone, since you wrote it there yourself: SOUL.md\n") || !strings.HasSuffix(out, "nacre memory forget --cut blanks it out in your own words too.\n") {
			t.Errorf("the receipt is\n%s", out)
		}
		const gone = "nothing that was forgotten is left in your own words"
		w.wants(step{args: words("forget about/bike --cut"), typed: "no\n", errs: "nothing was changed", code: exitUsage})
		wantSoul("bike is green", "Zqxwind", "Be brief.")
		w.wants(step{args: words("forget about/bike --cut"), typed: "yes\n", errs: "Everything else of it is forgotten.", out: "Done: your own words do not say it any more.\n"})
		wantSoul("Zqxwind", "Be brief.")
		w.wants(step{args: words("forget --cut --yes"), errs: gone, code: exitUsage})
		if out := w.says("memory", "forget", "Zqxwind", "--cut", "--yes"); strings.Contains(out, "Left alone") || !strings.HasPrefix(out, "What there was about it: forgotten.\n") {
			t.Errorf("the receipt is\n%s", out)
		}
		wantSoul("Be brief.")
	})
}

func TestMemoryForgetsInAllSizes(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		var r memory.Receipt
		w.json(&r, "forget", "about/bike", "--size", "note", "--yes", "--json")
		if r.Size != memory.SizeNote || r.Done["notes"] != 1 || r.Done["messages"] != 0 || r.Tombs != 1 || len(r.Outside) == 0 {
			t.Errorf("the receipt of a note is %+v", r)
		}
		r = memory.Receipt{}
		w.json(&r, "forget", "Acme", "--yes", "--json")
		if r.Size != memory.SizeAbout || r.Done["notes"] != 1 || r.Done["messages"] != 1 {
			t.Errorf("the receipt of words is %+v", r)
		}
		w.wants(step{args: nil, out: "people/ann  Confirmed  Ann is my sister.\n\n1 note.\n"},
			step{args: words("forget --size all"), typed: "yes\n", errs: "Type everything to go on", code: exitUsage},
			step{args: nil, out: "people/ann  Confirmed  Ann is my sister.\n\n1 note.\n"})
		if out, errs, code := w.shell("everything\n", "memory", "forget", "--size", "all"); code != exitOK || !strings.HasPrefix(out, "Everything: forgotten.\n") {
			t.Errorf("forgetting everything: %d %q %q", code, out, errs)
		}
		w.wants(step{args: nil, out: "No notes.\n"})
	})
	w := newMemory(t) // and nothing of another owner
	w.says("memory", "forget", "--size", "all", "--yes")
	w.alone(func(a *app) {
		s, err := a.library.Book(w.owner(a, "1002")).State(t.Context())
		if err != nil || len(everything(s)) != 1 {
			t.Errorf("the other owner's notes are %v, %v", everything(s), err)
		}
	})
}
