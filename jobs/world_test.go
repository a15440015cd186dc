package jobs_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/jobs"
	"nacre/memory/ledger"
)

var ctx = context.Background()

// world is a ledger on disk with a Board and a Clock over it, in a synctest
// bubble. Its wall clock can be set apart from the bubble's time.
type world struct {
	t      testing.TB
	dir    string
	store  jobs.Store // the ledger, or what stands before it
	ledger *ledger.Ledger
	board  *jobs.Board
	clock  *jobs.Clock
	tick   time.Duration
	rounds []jobs.Round
	chores []jobs.Chore
	wrap   func(jobs.Store) jobs.Store
	keep   bool // the ledger stays open while the process restarts: it is not what is tested

	owners   []nacre.OwnerID
	sessions []nacre.SessionInfo // of the owners
	stop     func()

	furthest time.Time // what the wall clock showed when it was ahead most

	offset atomic.Int64 // by which the wall clock is ahead
	mu     sync.Mutex
	zones  map[nacre.OwnerID]*time.Location
	work   func(context.Context, nacre.Job, nacre.Run) (jobs.Outcome, error)
	woken  []nacre.Message
	told   []string
}

// inWorld runs a test in a bubble that begins at a moment, with owners who live
// in zones.
func inWorld(t *testing.T, begin string, run func(*world), zones ...string) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		at, err := time.Parse(time.RFC3339, begin)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Until(at))
		w := newWorld(t, dir, zones...)
		defer func() {
			w.keep = false
			w.close()
		}()
		run(w)
	})
}

func newWorld(t testing.TB, dir string, zones ...string) *world {
	t.Helper()
	w := &world{t: t, dir: dir, zones: map[nacre.OwnerID]*time.Location{}, stop: func() {}}
	w.open()
	var list [][]nacre.Address
	for i := range zones {
		list = append(list, []nacre.Address{{Channel: nacre.Telegram, ID: fmt.Sprint(1001 + i)}})
	}
	all, err := w.ledger.SyncOwners(ctx, list)
	if err != nil {
		t.Fatal(err)
	}
	for i, zone := range zones {
		for _, o := range all {
			if o.Addresses[0] == list[i][0] {
				w.admit(o.ID, zone)
			}
		}
	}
	return w
}

func (w *world) admit(owner nacre.OwnerID, zone string) {
	w.t.Helper()
	w.owners = append(w.owners, owner)
	w.setZone(owner, zone)
	id := fmt.Sprint(1000 + len(w.owners))
	in := []nacre.Inbound{{Owner: owner, Message: nacre.Message{
		ID: nacre.MessageID(nacre.NewID(time.Now())), Chat: nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID(id)}, External: "hello",
		Author: nacre.Address{Channel: nacre.Telegram, ID: id}, Private: true, Sent: time.Now(), Received: time.Now(),
		Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: "hello"}},
	}}}
	if err := w.ledger.Put(ctx, in); err != nil {
		w.t.Fatal(err)
	}
	w.sessions = append(w.sessions, in[0].Session)
}

func (w *world) setZone(owner nacre.OwnerID, zone string) {
	w.t.Helper()
	loc := loadZone(w.t, zone)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.zones[owner] = loc
}

func loadZone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func (w *world) zone(owner nacre.OwnerID) *time.Location {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.zones[owner]
}

// now is what the wall clock shows.
func (w *world) now() time.Time { return time.Now().Add(time.Duration(w.offset.Load())) }

// jump sets the wall clock, or lets the machine sleep: for the process it is the
// same.
func (w *world) jump(d time.Duration) {
	// Never by whole ticks: in a bubble a moment does not end by itself, and gocron
	// would tick for ever within it.
	const crumb = time.Second / 3
	if d < 0 {
		d -= 2 * crumb
	}
	w.offset.Add(int64(d + crumb))
	w.reach()
}

// reach keeps how far the wall clock ever was.
func (w *world) reach() {
	if now := w.now(); now.After(w.furthest) {
		w.furthest = now
	}
}

// open opens the ledger, as a process does that starts.
func (w *world) open() {
	w.t.Helper()
	if !w.keep {
		l, err := ledger.Open(ctx, ledger.Options{Dir: w.dir, Keys: filepath.Join(w.dir, "keys.nacre")})
		if err != nil {
			w.t.Fatal(err)
		}
		w.ledger = l
	}
	w.store = w.ledger
	if w.wrap != nil {
		w.store = w.wrap(w.ledger)
	}
	w.board = jobs.NewBoard(jobs.BoardOptions{Store: w.store, Zone: w.zone, Changed: func() { w.clock.Look() }, Wake: w.wake, Now: w.now})
	w.clock = jobs.New(jobs.Options{Store: w.store, Worker: w, Rounds: w.rounds, Chores: w.chores, Zone: w.zone, Wake: w.wake, Tell: w.tell, Now: w.now,
		Owners: func(context.Context) ([]nacre.OwnerID, error) { return w.owners, nil },
		Log:    slog.New(slog.NewTextHandler(io.Discard, nil))})
	if w.tick > 0 {
		w.clock.SetTick(w.tick)
	}
}

// start runs the Clock until the end of the test, or stop.
func (w *world) start() {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- w.clock.Run(ctx) }()
	w.stop = func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Errorf("the clock ended with %v", err)
		}
		w.stop = func() {}
	}
	w.settle()
}

// close ends the process in good order.
func (w *world) close() {
	w.stop()
	if !w.keep {
		w.ledger.Close()
	}
}

// restart ends the process in good order and starts the next one after a while.
func (w *world) restart(after time.Duration) {
	w.close()
	time.Sleep(after)
	w.open()
	w.start()
}

// settle waits until the Clock has done what there is to be done now.
func (w *world) settle() { synctest.Wait() }

// pass lets time pass. What the test did before is seen by those who lock mu after.
func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	w.mu.Unlock() //lint:ignore SA2001 the point is what happens before it
	time.Sleep(d)
	w.reach()
	w.settle()
}

// until lets time pass until a moment.
func (w *world) until(at string) {
	w.t.Helper()
	to, err := time.Parse(time.RFC3339, at)
	if err != nil {
		w.t.Fatal(err)
	}
	w.pass(to.Sub(w.now()))
}

// Work is what the Worker of the test does.
func (w *world) Work(ctx context.Context, job nacre.Job, run nacre.Run) (jobs.Outcome, error) {
	w.mu.Lock()
	work := w.work
	w.mu.Unlock()
	if work == nil {
		return jobs.Outcome{Text: "did " + job.Text}, nil
	}
	return work(ctx, job, run)
}

func (w *world) wake(s nacre.SessionInfo, m nacre.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.ID == "" || m.Seq == 0 {
		w.t.Error("a session was woken that is none")
	}
	w.woken = append(w.woken, m)
}

func (w *world) tell(_ context.Context, _ nacre.OwnerID, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = append(w.told, text)
}

// said lists what jobs have put in the inbox of an owner's session.
func (w *world) said(owner int) (list []nacre.Message) {
	w.t.Helper()
	for after := int64(0); ; {
		page, err := w.ledger.Pending(ctx, w.sessions[owner], after)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(page) == 0 {
			return list
		}
		for _, m := range page {
			after = m.Seq
			if m.Due != nil {
				list = append(list, m)
			}
		}
	}
}

// texts is what was said, as texts.
func (w *world) texts(owner int) (list []string) {
	w.t.Helper()
	for _, m := range w.said(owner) {
		list = append(list, m.Segments[0].Text)
	}
	return list
}

// hears fails if an owner was told something else.
func (w *world) hears(owner int, want ...string) {
	w.t.Helper()
	got := w.texts(owner)
	if strings.Join(got, "\n---\n") != strings.Join(want, "\n---\n") {
		w.t.Errorf("said\n%q\nwant\n%q", got, want)
	}
}

func cron(expression, zone string) nacre.Schedule {
	return nacre.Schedule{Kind: nacre.Cron, Cron: expression, Zone: zone}
}

func every(d time.Duration) nacre.Schedule { return nacre.Schedule{Kind: nacre.Every, Every: d} }

// from is every so often from now on.
func (w *world) from(d time.Duration) nacre.Schedule {
	return nacre.Schedule{Kind: nacre.Every, Every: d, At: w.now()}
}

func (w *world) onceIn(d time.Duration) nacre.Schedule {
	return nacre.Schedule{Kind: nacre.Once, At: w.now().Add(d)}
}

func (w *world) by(owner int) nacre.JobAuthor {
	return nacre.JobAuthor{Owner: w.owners[owner], Own: true}
}

func (w *world) draft(owner int, kind nacre.JobKind, s nacre.Schedule, text string) nacre.JobDraft {
	return nacre.JobDraft{Session: w.sessions[owner], Kind: kind, Schedule: s, Text: text, By: w.by(owner)}
}

// remind makes a reminder, do a task.
func (w *world) remind(owner int, s nacre.Schedule, text string) nacre.Job {
	w.t.Helper()
	return w.add(w.draft(owner, nacre.Reminder, s, text))
}

func (w *world) do(owner int, s nacre.Schedule, text string) nacre.Job {
	w.t.Helper()
	return w.add(w.draft(owner, nacre.Task, s, text))
}

func (w *world) add(d nacre.JobDraft) nacre.Job {
	w.t.Helper()
	job, err := w.board.Add(ctx, d)
	if err != nil {
		w.t.Fatal(err)
	}
	w.settle()
	return job
}

// job reads a job.
func (w *world) job(j nacre.Job) nacre.Job {
	w.t.Helper()
	job, err := w.ledger.Job(ctx, j.Owner, j.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return job
}

// runs lists the runs of a job as "state reason", newest first.
func (w *world) runs(j nacre.Job) (list []string) {
	w.t.Helper()
	all, err := w.board.Runs(ctx, j.Owner, j.ID, 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range all {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Slot.UTC().Format("02T15:04:05"), r.State, r.Reason)))
	}
	return list
}

// ran fails if the runs of a job are others, newest first.
func (w *world) ran(j nacre.Job, want ...string) {
	w.t.Helper()
	got := w.runs(j)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		w.t.Errorf("runs\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// change changes a job by its owner's hand.
func (w *world) change(j nacre.Job, c nacre.JobChange) nacre.Job {
	w.t.Helper()
	job, err := w.board.Change(ctx, nacre.JobAuthor{Owner: j.Owner, Own: true}, j.ID, c)
	if err != nil {
		w.t.Fatal(err)
	}
	w.settle()
	return job
}
