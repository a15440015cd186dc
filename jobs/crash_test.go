package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
)

var errDead = errors.New("the process is dead")

// mortal is a Store whose process dies in one of its calls: before it has an
// effect, or after it, before anybody hears of that. Nothing works afterwards.
type mortal struct {
	jobs.Store
	left  atomic.Int64 // calls until it dies
	after bool
	dead  chan struct{}
}

func newMortal(s jobs.Store, calls int64, after bool) *mortal {
	m := &mortal{Store: s, after: after, dead: make(chan struct{})}
	m.left.Store(calls)
	return m
}

// live makes a call, if the process lives.
func (m *mortal) live(call func() error) error {
	switch left := m.left.Add(-1); {
	case left > 0:
		return call()
	case left < 0:
		return errDead
	}
	if m.after {
		_ = call()
	}
	close(m.dead)
	return errDead
}

func (m *mortal) Job(ctx context.Context, owner nacre.OwnerID, id nacre.JobID) (job nacre.Job, err error) {
	err = m.live(func() error { job, err = m.Store.Job(ctx, owner, id); return err })
	return job, err
}

func (m *mortal) Active(ctx context.Context) (all []nacre.Job, err error) {
	err = m.live(func() error { all, err = m.Store.Active(ctx); return err })
	return all, err
}

func (m *mortal) Rewind(ctx context.Context, now time.Time) error {
	return m.live(func() error { return m.Store.Rewind(ctx, now) })
}

func (m *mortal) Due(ctx context.Context, now time.Time, most int) (all []nacre.Job, err error) {
	err = m.live(func() error { all, err = m.Store.Due(ctx, now, most); return err })
	return all, err
}

func (m *mortal) NextDue(ctx context.Context) (t time.Time, err error) {
	err = m.live(func() error { t, err = m.Store.NextDue(ctx); return err })
	return t, err
}

func (m *mortal) Claim(ctx context.Context, claims []nacre.JobClaim) (taken []bool, err error) {
	err = m.live(func() error { taken, err = m.Store.Claim(ctx, claims); return err })
	return taken, err
}

func (m *mortal) Open(ctx context.Context) (all []nacre.Run, err error) {
	err = m.live(func() error { all, err = m.Store.Open(ctx); return err })
	return all, err
}

func (m *mortal) Begin(ctx context.Context, run nacre.Run) (begun nacre.Run, err error) {
	err = m.live(func() error { begun, err = m.Store.Begin(ctx, run); return err })
	return begun, err
}

func (m *mortal) End(ctx context.Context, e nacre.JobEnding) error {
	return m.live(func() error { return m.Store.End(ctx, e) })
}

func (m *mortal) Gone(ctx context.Context, chat nacre.Chat) (gone bool, err error) {
	err = m.live(func() error { gone, err = m.Store.Gone(ctx, chat); return err })
	return gone, err
}

// Wherever a process dies, the next one says each slot, and each slot once.
func TestDeathAtEveryStep(t *testing.T) {
	died := 0
	for _, after := range []bool{false, true} {
		for calls := int64(1); ; calls++ {
			lived := false
			t.Run(fmt.Sprintf("call %d, after it %v", calls, after), func(t *testing.T) {
				inWorld(t, "2026-11-30T10:00:30Z", func(w *world) { lived = w.dieAt(calls, after) }, "UTC")
			})
			if lived {
				break
			}
			died++
		}
	}
	if died < 40 {
		t.Errorf("it died at %d steps only", died)
	}
}

// dieAt lets the first process die in one of its calls, and looks at what was said
// when the next one has gone on. lived is true if the first never came so far.
func (w *world) dieAt(calls int64, after bool) (lived bool) {
	w.begins(func(ctx context.Context, _ nacre.Job) (jobs.Outcome, error) {
		return takes(ctx, 20*time.Second, jobs.Outcome{Text: "done"})
	})
	steady := w.remind(0, nacre.Schedule{Kind: nacre.Every, Every: 5 * time.Minute, At: at(w.t, "2026-11-30T10:01:00Z")}, "stand up")
	once := w.remind(0, nacre.Schedule{Kind: nacre.Once, At: at(w.t, "2026-11-30T10:01:00Z")}, "tea")
	task := w.do(0, nacre.Schedule{Kind: nacre.Once, At: at(w.t, "2026-11-30T10:02:00Z")}, "work")
	var m *mortal
	w.wrap = func(s jobs.Store) jobs.Store { m = newMortal(s, calls, after); return m }
	w.close()
	w.open()
	w.start()
	select {
	case <-m.dead:
	case <-time.After(at(w.t, "2026-11-30T10:07:00Z").Sub(w.now())):
		lived = true
	}
	w.wrap = nil
	w.restart(0)
	w.until("2026-11-30T10:12:00Z")
	w.saidOnce(map[string]string{
		external(once, "10:01", ""): "tea", external(task, "10:02", ":out"): "done",
		external(steady, "10:01", ""): "stand up", external(steady, "10:06", ""): "stand up", external(steady, "10:11", ""): "stand up",
	})
	return lived
}

func external(j nacre.Job, clock, suffix string) string {
	slot, _ := time.Parse(time.RFC3339, "2026-11-30T"+clock+":00Z")
	return fmt.Sprintf("job:%s:%d%s", j.ID, slot.UnixMilli(), suffix)
}

// saidOnce fails if something else was said: text ends by external id.
func (w *world) saidOnce(want map[string]string) {
	w.t.Helper()
	var seen []string
	for _, m := range w.said(0) {
		id, text := string(m.External), m.Segments[0].Text
		if slices.Contains(seen, id) {
			w.t.Errorf("%s was said twice", id)
		}
		seen = append(seen, id)
		if end, ok := want[id]; !ok || !strings.HasSuffix(text, end) {
			w.t.Errorf("%s said %q", id, text)
		}
	}
	if len(seen) != len(want) {
		w.t.Errorf("%d messages, want %d", len(seen), len(want))
	}
}
