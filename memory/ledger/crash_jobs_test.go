package ledger_test

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// A crash in the middle of a claim, or of the end of a run, leaves all of it or
// nothing: the write-ahead log is cut off everywhere in what it added.
func TestClaimsAndEndsAreThereWhollyOrNotAtAll(t *testing.T) {
	for name, write := range map[string]func(*ledger.Ledger, nacre.Job, nacre.Job, nacre.Run) error{
		"claims": func(l *ledger.Ledger, job, _ nacre.Job, _ nacre.Run) error {
			c := claimOf(job)
			c.Job.Failures = 1
			_, err := l.Claim(ctx, []nacre.JobClaim{c})
			return err
		},
		"end": func(l *ledger.Ledger, _, task nacre.Job, run nacre.Run) error {
			run.State, task.Failures = nacre.Done, 1
			return l.End(ctx, nacre.JobEnding{Run: run, Job: &task, Say: saidBy(task, at(0), "the news")})
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l, s := chatting(t, dir)
			job := storedJob(t, l, reminder(s, "water the plants", at(0)))
			task, run := begun(t, l, s)
			before := len(bytesIn(t, dir)["nacre.db-wal"])
			must(t, write(l, job, task, run))
			files := bytesIn(t, dir)
			wal := files["nacre.db-wal"]

			var there []bool
			cuts := []int{before, before + 1, len(wal) - 1, len(wal)}
			for at := before; at < len(wal); at += 4096 + 24 { // a page and its header
				cuts = append(cuts, at, at+24, at+2000)
			}
			slices.Sort(cuts)
			for _, cut := range cuts {
				files["nacre.db-wal"] = wal[:min(cut, len(wal))]
				there = append(there, isThere(t, files, job, task))
			}
			if n := len(there); n < 10 || there[0] || there[n-2] || !there[n-1] {
				t.Errorf("cut at %v of %d bytes it is there: %v", cuts, len(wal), there)
			}
		})
	}
}

// isThere starts with some files, and reports whether what was written is there.
// It wants all parts to agree.
func isThere(t *testing.T, files map[string][]byte, job, task nacre.Job) bool {
	t.Helper()
	dir := t.TempDir()
	for name := range maps.Keys(files) {
		if name != "nacre.db-shm" { // which SQLite makes anew
			must(t, os.WriteFile(filepath.Join(dir, name), files[name], 0o600))
		}
	}
	l := open(t, dir)
	defer l.Close()
	left, err := l.Open(ctx)
	must(t, err)
	changed := readJob(t, l, job).Failures+readJob(t, l, task).Failures > 0
	run := len(runsOf(t, l, job)) == 1 || len(left) == 0
	said := len(due(t, l, job.Session)) == 1
	if changed != run || run != said {
		t.Errorf("half of it is there: job changed %v, run %v, said %v", changed, run, said)
	}
	return said
}

// clockDir names, for another process, the directory in which it is to claim and
// end until it is killed.
const clockDir = "NACRE_TEST_CLOCK"

// TestClockIsKilled kills a process, over and over, while it claims slots and ends
// runs. Every slot is said once, and what was said to be stored is.
func TestClockIsKilled(t *testing.T) {
	if dir := os.Getenv(clockDir); dir != "" {
		tickUntilKilled(t, dir)
	}
	dir := t.TempDir()
	l, s := chatting(t, dir)
	job := storedJob(t, l, reminder(s, "water the plants", at(0)))
	task := reminder(s, "read the news", at(0))
	task.Kind = nacre.Task
	task = storedJob(t, l, task)
	l.Close()
	stored := 0
	for kill := range 6 {
		stored += killedAfter(t, dir, 3+5*kill)
		l := open(t, dir)
		checkSlots(t, dir, readJob(t, l, job), runsOf(t, l, job), stored)
		checkSlots(t, dir, readJob(t, l, task), runsOf(t, l, task), stored)
		l.Close()
	}
}

// mostRounds is how many rounds another process makes at most, so that no run of
// them all is too old to be kept.
const mostRounds = 32

// tickUntilKilled writes a line for each round that is stored.
func tickUntilKilled(t *testing.T, dir string) {
	l := open(t, dir)
	for range mostRounds {
		jobs, err := l.Due(ctx, at(1<<30), 10)
		must(t, err)
		var claims []nacre.JobClaim
		for _, job := range jobs {
			if job.Kind == nacre.Task {
				claims = append(claims, taskOf(job))
			} else {
				claims = append(claims, claimOf(job))
			}
		}
		_, err = l.Claim(ctx, claims)
		must(t, err)
		open, err := l.Open(ctx)
		must(t, err)
		for _, run := range open {
			finish(t, l, run)
		}
		fmt.Println("stored")
	}
	time.Sleep(time.Hour)
}

// finish works a run of a task.
func finish(t *testing.T, l *ledger.Ledger, run nacre.Run) {
	t.Helper()
	run, err := l.Begin(ctx, run)
	must(t, err)
	job, err := l.Job(ctx, run.Owner, run.Job)
	must(t, err)
	run.State = nacre.Done
	must(t, l.End(ctx, nacre.JobEnding{Run: run, Job: &job, Say: saidBy(job, run.Slot, "the news")}))
}

// killedAfter lets another process tick and kills it after some rounds, of which
// it returns how many were stored.
func killedAfter(t *testing.T, dir string, rounds int) (stored int) {
	t.Helper()
	other := exec.Command(os.Args[0], "-test.run=^TestClockIsKilled$")
	other.Env = append(os.Environ(), clockDir+"="+dir)
	out, err := other.StdoutPipe()
	must(t, err)
	must(t, other.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() == "stored" {
		if stored++; stored == rounds {
			must(t, other.Process.Kill())
		}
	}
	other.Wait()
	if stored < rounds {
		t.Fatalf("the other process ended after %d rounds: %s", stored, lines.Text())
	}
	return stored
}

// checkSlots wants one run and one message of every slot of a job up to its last,
// but for a run that was not ended.
func checkSlots(t *testing.T, dir string, job nacre.Job, runs []nacre.Run, stored int) {
	t.Helper()
	slots := int(job.Last.Sub(at(0))/time.Hour) + 1
	if len(runs) != slots || slots < stored || !runs[0].Slot.Equal(job.Last) || !job.Next.Equal(job.Last.Add(time.Hour)) {
		t.Errorf("%s: %d slots and %d runs, %d were stored; %+v", job.Kind, slots, len(runs), stored, job)
	}
	ended := 0
	for _, r := range runs {
		if r.State.Ended() {
			ended++
		}
	}
	var messages, external int
	must(t, database(t, dir).QueryRow("SELECT count(*), count(DISTINCT external) FROM inbox WHERE job = ?", job.ID).Scan(&messages, &external))
	if messages != ended || external != ended || ended < slots-1 {
		t.Errorf("%s: %d runs have ended of %d, and it was said %d times", job.Kind, ended, slots, messages)
	}
}
