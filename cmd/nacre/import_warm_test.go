package main

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"nacre"
	"nacre/configs"
	"nacre/memory/recall"
)

// noticing is a store of which somebody sees that it is read from its end.
type noticing struct {
	recall.Store
	read chan nacre.OwnerID
}

// Before implements recall.Store.
func (n noticing) Before(ctx context.Context, owner nacre.OwnerID, m recall.Mark, yield func(recall.Doc) bool) error {
	n.read <- owner
	return n.Store.Before(ctx, owner, m, yield)
}

// What was taken over is read at once where Nacre serves, so that the first search finds
// it; a command, which ends then, does not begin.
func TestImportIsReadAtOnce(t *testing.T) {
	for _, serves := range []bool{true, false} {
		cfg, err := configs.Load([]string{"HOME=" + t.TempDir(), "TZ=UTC", "NACRE_DATA=" + t.TempDir(), "NACRE_OWNERS=telegram:1001", "NACRE_MODEL=offline", "NACRE_WEB_LISTEN=off"}, "", checkOwners)
		if err != nil {
			t.Fatal(err)
		}
		log := slog.New(slog.DiscardHandler)
		o, err := reach(t.Context(), cfg, log, false)
		if err != nil {
			t.Fatal(err)
		}
		read := make(chan nacre.OwnerID, 10)
		o.wrapStore = func(s recall.Store) recall.Store { return noticing{s, read} }
		a, err := build(t.Context(), cfg, log, o)
		if err != nil {
			t.Fatal(err)
		}
		defer a.ledger.Close()
		if serves {
			a.since = time.Now()
		}
		if done := (&world{t: t}).the(a).imports("conversations.json", chats); done.Said != 3 {
			t.Errorf("imported: %+v", done)
		}
		if serves {
			if owner := <-read; owner != a.operator {
				t.Errorf("%s's messages are read", owner)
			}
		}
		if a.index.Close(); len(read) != 0 {
			t.Errorf("where it serves %v, something else is read", serves)
		}
	}
}
