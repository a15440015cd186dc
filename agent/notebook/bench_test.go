package notebook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"

	"nacre"
	"nacre/agent/notebook"
	"nacre/memory"
	"nacre/memory/ledger"
)

// BenchmarkFind looks for words among a thousand notes.
func BenchmarkFind(b *testing.B) {
	dir := b.TempDir()
	l, err := ledger.Open(b.Context(), ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre")})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	owners, err := l.SyncOwners(b.Context(), [][]nacre.Address{{addr("1001")}})
	if err != nil {
		b.Fatal(err)
	}
	library := memory.NewLibrary(l, utc)
	var list []memory.Proposal
	for i := range 1000 {
		list = append(list, memory.Proposal{Writer: memory.ByPage, Do: memory.Learn, Draft: memory.Draft{Area: memory.People, Slug: fmt.Sprint("friend-", i),
			Text: fmt.Sprintf("the friend number %d lives in the street of the lime trees and plays chess", i)}})
	}
	if _, err := library.Book(owners[0].ID).Propose(b.Context(), list...); err != nil {
		b.Fatal(err)
	}
	n := notebook.New(notebook.Options{Library: library, Log: l, Zone: utc, Voice: func(nacre.OwnerID) string { return "" }, Logger: slog.New(slog.DiscardHandler)})
	caller := nacre.Caller{Owner: owners[0].ID, Session: "s", Private: true}
	find := n.Tools()[4]
	for b.Loop() {
		if r, err := find.Call(context.Background(), caller, json.RawMessage(`{"words":"chess with number 17"}`)); err != nil || r.Text == "" {
			b.Fatal(r, err)
		}
	}
}
