package ledger_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/ledger"
)

// What was written over, or taken away, cannot be read in an old copy of the
// database once something is forgotten; what was not can.
func TestForgettingTakesWhatWasReplaced(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	in := put(t, l, message(o, "1001", "1", "hello"))[0]
	other := put(t, l, message(o, "-5", "2", "hello"))[0]
	later := time.Now().Add(time.Hour)
	must(t, l.PutFile(ctx, o, "MEMORY.md", []byte("the kettle is green")))
	must(t, l.PutAsk(ctx, in.Session, json.RawMessage(`"the kettle?"`), later))
	must(t, l.PutAsk(ctx, other.Session, json.RawMessage(`"the kettle again?"`), later))
	old, err := l.Copy(o)
	must(t, err)
	must(t, l.PutFile(ctx, o, "MEMORY.md", []byte("nothing")))
	must(t, l.PutAsk(ctx, in.Session, json.RawMessage(`"what else?"`), later))
	must(t, l.DropAsk(ctx, other.Session))
	_, _, err = l.Erase(ctx, o, memory.Erasure{ID: nacre.NewID(time.Now()), Size: memory.SizeAbout, Writer: memory.ByPage,
		Needle: &memory.Needle{Quotes: []string{canon.Form("kettle")}, Marks: []string{"kettle"}}})
	must(t, err)
	var tables []string
	for _, c := range slices.DeleteFunc(old, func(c ledger.Copied) bool { return !l.Opens(o, c) }) {
		tables = append(tables, c.Table)
	}
	slices.Sort(tables)
	if want := []string{"inbox", "inbox"}; !slices.Equal(tables, want) {
		t.Errorf("rows of %v can still be read, want %v", tables, want)
	}
}
