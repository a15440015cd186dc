package recall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"nacre/memory/recall/terms"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/memory"
)

// many stores so many messages about lanterns, numbered from 0.
func many(store *memStore, owner nacre.OwnerID, n int) {
	for i := range n {
		store.say(owner, Doc{Text: fmt.Sprintf("lantern number%d", i)})
	}
}

func TestSearchDuringABuild(t *testing.T) {
	store := newMemStore()
	many(store, ann, firstPortion+10)
	reached, proceed := make(chan bool), make(chan bool)
	store.before = func(d Doc) error {
		if d.Text == "lantern number5" {
			close(reached)
			<-proceed
		}
		return nil
	}
	x := New(store, Options{Terms: terms.New([]string{"en"})})
	defer x.Close()
	x.Warm(ann)
	<-reached
	q := Query{Text: "lantern", Limit: 1}
	res := find(t, x, ann, q)
	if res.Complete || res.Total != firstPortion {
		t.Errorf("during the build: %d messages, complete %v; want the newest %d, not complete", res.Total, res.Complete, firstPortion)
	}
	close(proceed)
	x.running.Wait()
	if again := find(t, x, ann, q); !again.Complete || again.Total != firstPortion+10 {
		t.Errorf("after the build: %d messages, complete %v; want all", again.Total, again.Complete)
	}
	q.Cursor = res.Next
	if next := find(t, x, ann, q); next.Complete || next.Total != firstPortion {
		t.Errorf("second page: %d messages, complete %v; want what the first page saw", next.Total, next.Complete)
	}
}

func TestSearchWaitsForTheNewestMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemStore()
		many(store, ann, 3)
		store.before = func(Doc) error { time.Sleep(patience / 4); return nil }
		x := New(store, Options{Terms: terms.New([]string{"en"})})
		defer x.Close()
		if res := find(t, x, ann, Query{Text: "lantern"}); res.Total != 3 || !res.Complete {
			t.Errorf("%d messages, complete %v; want all 3", res.Total, res.Complete)
		}
		many(store, "bob", 9)
		began := time.Now()
		if res := find(t, x, "bob", Query{Text: "lantern"}); res.Total != 0 || res.Complete {
			t.Errorf("%d messages, complete %v; want none, not complete", res.Total, res.Complete)
		}
		if took := time.Since(began); took != patience {
			t.Errorf("waited %v, want %v", took, patience)
		}
	})
}

func TestDropStopsABuild(t *testing.T) {
	store := newMemStore()
	many(store, ann, 50)
	reached, proceed := make(chan bool), make(chan bool)
	var once sync.Once
	store.before = func(d Doc) error {
		if d.Text == "lantern number20" {
			once.Do(func() { close(reached); <-proceed })
		}
		return nil
	}
	x := New(store, Options{Terms: terms.New([]string{"en"})})
	defer x.Close()
	x.Warm(ann)
	<-reached
	dropped := x.chats(ann)
	for _, d := range store.all(ann)[:30] {
		store.erase(ann, d.Key)
	}
	x.Drop(ann)
	close(proceed)
	<-dropped.ready
	if s := dropped.snapshot(memory.Private); s.complete || len(s.segments) == 0 || s.segments[0].len() == 50 {
		t.Errorf("the build ran on to its end after Drop: built %v", s.complete)
	}
	if res := find(t, x, ann, Query{Text: "lantern number25"}); res.Total != 20 || strings.Contains(texts(res), "number25") {
		t.Errorf("after Drop: %d messages, want the 20 that were not erased", res.Total)
	}
}

func TestBuildFailsAndIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		store := newMemStore()
		many(store, ann, 20)
		broken := true
		store.before = func(d Doc) error {
			if broken && d.Text == "lantern number7" {
				return errors.New("disk on fire")
			}
			return nil
		}
		x := New(store, Options{Terms: terms.New([]string{"en"}), Log: slog.New(slog.NewTextHandler(&log, nil))})
		defer x.Close()
		for range 3 {
			if res := find(t, x, ann, Query{Text: "lantern"}); res.Total != 12 || res.Complete {
				t.Errorf("%d messages, complete %v; want the 12 before the fault, not complete", res.Total, res.Complete)
			}
		}
		synctest.Wait()
		if n := strings.Count(log.String(), "disk on fire"); n != 1 || strings.Contains(log.String(), "lantern") {
			t.Errorf("logged %d times, want once and without words:\n%s", n, log.String())
		}
		broken = false
		time.Sleep(retryAfter)
		find(t, x, ann, Query{Text: "lantern"})
		synctest.Wait()
		if res := find(t, x, ann, Query{Text: "lantern"}); res.Total != 20 || !res.Complete {
			t.Errorf("after the repair: %d messages, complete %v; want all 20", res.Total, res.Complete)
		}
	})
}

func TestSearchReturnsErrorsOfTheStore(t *testing.T) {
	store := newMemStore()
	many(store, ann, 2)
	x := ready(t, store, ann)
	store.since = nacre.Errorf(nacre.Transient, "the database is locked")
	if _, err := x.Search(context.Background(), ann, Query{Text: "lantern"}); nacre.KindOf(err) != nacre.Transient {
		t.Errorf("error %v, want the Store's", err)
	}
	store.since = nil
	if res := find(t, x, ann, Query{Text: "lantern"}); res.Total != 2 {
		t.Errorf("%d messages afterwards, want 2", res.Total)
	}
}

func TestIndexStaysWithinItsMemory(t *testing.T) {
	store := newMemStore()
	owners := []nacre.OwnerID{"a", "b", "c", "d"}
	for _, owner := range owners {
		many(store, owner, 2000)
	}
	x := ready(t, store, "a")
	one := x.chats("a").bytes.Load()
	x.opts.Memory = 2*one + one/2
	for _, owner := range owners {
		find(t, x, owner, Query{Text: "lantern"})
		find(t, x, "a", Query{Text: "lantern"})
		x.running.Wait()
	}
	var kept []nacre.OwnerID
	for _, owner := range owners {
		if x.owners[owner] != nil {
			kept = append(kept, owner)
		}
	}
	if got := fmt.Sprint(kept); got != "[a d]" {
		t.Errorf("kept %s, want those that were asked last, [a d]", got)
	}
	if res := find(t, x, "b", Query{Text: "lantern"}); res.Total != 2000 {
		t.Errorf("evicted owner has %d messages, want all, built anew", res.Total)
	}
}

func TestEverythingAtOnce(t *testing.T) {
	store := newMemStore()
	many(store, ann, 3000)
	x := New(store, Options{Terms: terms.New([]string{"en"})})
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 60 {
				res, err := x.Search(context.Background(), ann, Query{Text: "lantern number7", Now: syntheticEpoch, Limit: 5})
				if err != nil || len(res.Hits) != 5 {
					t.Errorf("search: %d hits, %v", len(res.Hits), err)
				}
				switch g {
				case 0:
					keys := store.say(ann, Doc{Text: "lantern again"})
					store.say(ann, Doc{Text: "lantern edited", Replaces: keys[0]})
				case 1:
					if i%20 == 0 {
						x.Drop(ann)
					}
				case 2:
					x.Warm(ann)
				}
			}
		})
	}
	all.Wait()
	x.Close()
}

func TestCloseStopsABuild(t *testing.T) {
	store := newMemStore()
	many(store, ann, 10)
	reached := make(chan bool)
	x := New(store, Options{Terms: terms.New([]string{"en"})})
	store.before = func(d Doc) error {
		if d.Text == "lantern number9" {
			close(reached)
			<-x.ctx.Done()
		}
		return nil
	}
	x.Warm(ann)
	<-reached
	x.Close()
	if s := x.chats(ann).snapshot(memory.Private); s.complete || len(s.segments) != 1 || s.segments[0].len() != 1 {
		t.Errorf("built %v after Close, want a build that stopped", s.complete)
	}
}
