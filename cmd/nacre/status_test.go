package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"nacre/agent/gmail"
	"nacre/agent/reflect"
	"nacre/memory"
	"nacre/web"
)

// The operator sees how everything is, others what is theirs.
func TestStatusTellsEachTheirPart(t *testing.T) {
	w := newWorld(t)
	w.env["NACRE_BUDGET_DAY"] = "$2"
	p := w.start()
	defer p.stop()
	w.api.Text(1001, "hello")
	w.sent(1)
	if out, code := w.run("", "jobs", "add", "in 2 hours water the plants"); code != 0 {
		t.Fatalf("jobs add: %d %s", code, out)
	}
	w.api.Text(1001, "/status")
	all := w.sent(2)[1]
	for _, says := range []string{"Channel telegram: ok", "Memory: 0 notes", " active, the next in ", "Cost: $0.00 of $2.00 today", "Disk: database ", "Newest backup: "} {
		if !strings.Contains(all, says) {
			t.Errorf("the operator's lacks %q:\n%s", says, all)
		}
	}
	if n := strings.Count(strings.TrimSpace(all), "\n") + 1; n > 20 {
		t.Errorf("it has %d lines", n)
	}
	w.api.Text(1002, "/status")
	own := w.sent(3)[2]
	if !strings.Contains(own, "Memory: no notes") || !strings.Contains(own, "Cost: ") || strings.Contains(own, "Disk") || strings.Contains(own, "Channel") {
		t.Errorf("another owner's is:\n%s", own)
	}
	out, code := w.run("", "status", "--json")
	var s web.Status
	if err := json.Unmarshal([]byte(out), &s); err != nil || code != 0 {
		t.Fatal(code, err)
	}
	if s.Jobs.Active == 0 || s.Jobs.Next.IsZero() || s.Disk.Database == 0 || s.Disk.Free == 0 || s.Spent.DayLimit != 2_000_000_000 {
		t.Errorf("status is %+v", s)
	}
}

// What owners wait for in vain is counted, each of it alone.
func TestStatusCountsTroubles(t *testing.T) {
	t.Parallel()
	type troubles struct{ full, aside, lost int }
	w := newWorld(t)
	w.alone(func(a *app) {
		ctx, me, friend := t.Context(), w.owner(a, "1001"), w.owner(a, "1002")
		is := func(want troubles) {
			t.Helper()
			if s, err := a.Status(ctx); err != nil || (troubles{s.Full, s.Aside, s.MailLost}) != want {
				t.Errorf("status is %+v, %v, want %+v", s, err, want)
			}
		}
		fail := func(first int64) (err error) {
			_, err = a.ledger.Failed(ctx, friend, reflect.Reader, first, first, "broken")
			return err
		}
		store := mailStore{a.ledger}
		if err := errors.Join(fail(1), store.Keep(ctx, me, &gmail.Account{Trouble: gmail.Limited})); err != nil {
			t.Fatal(err)
		}
		is(troubles{})
		if err := errors.Join(a.ledger.SetAside(ctx, friend, reflect.Reader, 1), store.Keep(ctx, me, &gmail.Account{Trouble: gmail.Revoked})); err != nil {
			t.Fatal(err)
		}
		is(troubles{aside: 1, lost: 1})
		var notes []memory.Proposal
		for i := range nearlyFull/3900 + 1 {
			text := fmt.Sprintf("Shelf %d holds%s.", i, strings.Repeat(fmt.Sprintf(" box%dx", i), 3900/len(fmt.Sprintf(" box%dx", i))))
			notes = append(notes, memory.Proposal{Writer: memory.ByShell, Do: memory.Learn, Draft: memory.Draft{Area: "about", Slug: fmt.Sprint("shelf-", i), Text: text}})
		}
		if _, err := a.library.Book(friend).Propose(ctx, notes...); err != nil {
			t.Fatal(err)
		}
		is(troubles{full: 1, aside: 1, lost: 1})
	})
}
