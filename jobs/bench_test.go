package jobs_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
	"nacre/jobs/timetable"
	"nacre/memory/ledger"
)

// The scale that one process must bear.
const (
	manyOwners = 1_000
	manyJobs   = 10_000
	manyDue    = 500
)

// crowd is a ledger with that many jobs.
type crowd struct {
	b        *testing.B
	ledger   *ledger.Ledger
	sessions []nacre.SessionInfo
	woken    chan time.Time // when sessions were woken
}

// gather fills a ledger with jobs.
func gather(b *testing.B) *crowd {
	b.Helper()
	dir := b.TempDir()
	l, err := ledger.Open(ctx, ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre")})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close() })
	c := &crowd{b: b, ledger: l, woken: make(chan time.Time, manyJobs)}
	c.admit()
	expressions := []string{"30 8 * * *", "0 9 * * 1", "40 */6 * * *", "0 20 1 * *"}
	list := make([]nacre.Job, manyJobs)
	for i := range list {
		s := cron(expressions[i%len(expressions)], "Europe/Vienna")
		list[i] = c.reminder(i, s, timetable.Next(s, time.UTC, time.Now()))
	}
	c.put(list)
	return c
}

func (c *crowd) admit() {
	c.b.Helper()
	list := make([][]nacre.Address, manyOwners)
	for i := range list {
		list[i] = []nacre.Address{{Channel: nacre.Telegram, ID: fmt.Sprint(1001 + i)}}
	}
	owners, err := c.ledger.SyncOwners(ctx, list)
	if err != nil {
		c.b.Fatal(err)
	}
	in := make([]nacre.Inbound, len(owners))
	for i, o := range owners {
		in[i] = nacre.Inbound{Owner: o.ID, Message: nacre.Message{ID: nacre.MessageID(nacre.NewID(time.Now())), Author: o.Addresses[0],
			Chat: nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID(o.Addresses[0].ID)}, External: "hello", Private: true, Sent: time.Now(), Received: time.Now()}}
	}
	if err := c.ledger.Put(ctx, in); err != nil {
		c.b.Fatal(err)
	}
	for i := range in {
		c.sessions = append(c.sessions, in[i].Session)
	}
}

func (c *crowd) reminder(i int, s nacre.Schedule, next time.Time) nacre.Job {
	session := c.sessions[i%len(c.sessions)]
	return nacre.Job{ID: nacre.JobID(nacre.NewID(time.Now())), Owner: session.Owner, Session: session, Kind: nacre.Reminder, Schedule: s,
		Text: fmt.Sprint("think of thing number ", i), State: nacre.Active, Made: time.Now(), Next: next, Grace: 12 * time.Hour}
}

// put stores jobs, many in a commit.
func (c *crowd) put(list []nacre.Job) {
	var all sync.WaitGroup
	for part := range slices.Chunk(list, max(1, len(list)/100)) {
		all.Go(func() {
			for _, j := range part {
				if _, err := c.ledger.PutJob(ctx, j); err != nil {
					c.b.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// due puts reminders that are all due at once.
func (c *crowd) due(n int, at time.Time) {
	list := make([]nacre.Job, n)
	for i := range list {
		list[i] = c.reminder(i, nacre.Schedule{Kind: nacre.Once, At: at}, at)
	}
	c.put(list)
}

func (c *crowd) clock() *jobs.Clock {
	return jobs.New(jobs.Options{Store: c.ledger, Zone: func(nacre.OwnerID) *time.Location { return time.UTC },
		Wake: func(nacre.SessionInfo, nacre.Message) { c.woken <- time.Now() },
		Log:  slog.New(slog.NewTextHandler(io.Discard, nil))})
}

// run runs a Clock, and returns what ends it.
func (c *crowd) run(clock *jobs.Clock) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- clock.Run(ctx) }()
	return func() {
		cancel()
		if err := <-done; err != nil {
			c.b.Error(err)
		}
	}
}

// BenchmarkStart is from the start of a Clock to the first reminder that it says.
func BenchmarkStart(b *testing.B) {
	c := gather(b)
	for b.Loop() {
		b.StopTimer()
		c.due(1, time.Now())
		clock := c.clock()
		b.StartTimer()
		stop := c.run(clock)
		<-c.woken
		b.StopTimer()
		stop()
		b.StartTimer()
	}
}

// BenchmarkBurst is how late reminders are that are all due at the same moment.
func BenchmarkBurst(b *testing.B) {
	c := gather(b)
	clock := c.clock()
	stop := c.run(clock)
	defer stop()
	var late []time.Duration
	for b.Loop() {
		at := time.Now().Add(3 * time.Second).Truncate(time.Second)
		c.due(manyDue, at)
		clock.Look()
		for range manyDue {
			late = append(late, (<-c.woken).Sub(at))
		}
	}
	slices.Sort(late)
	b.ReportMetric(float64(late[len(late)*99/100].Milliseconds()), "p99-late-ms")
	b.ReportMetric(float64(late[len(late)-1].Milliseconds()), "max-late-ms")
}

// BenchmarkTick is what an idle Clock does every five seconds.
func BenchmarkTick(b *testing.B) {
	clock := gather(b).clock()
	clock.Step(ctx)
	for b.Loop() {
		clock.Step(ctx)
	}
}

// BenchmarkMemory is how much a running Clock holds.
func BenchmarkMemory(b *testing.B) {
	c := gather(b)
	for b.Loop() {
		before := heap()
		c.due(1, time.Now())
		stop := c.run(c.clock())
		<-c.woken
		b.ReportMetric(float64(heap()-before)/(1<<20), "MiB-held")
		stop()
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
