package ledger_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// A snapshot that is made while messages come in is whole, and holds what was there
// before it began and nothing that came after it ended.
func TestSnapshotBesideWriters(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	const before, during = 100, 1000 // as many as are read at once
	var first []nacre.Inbound
	for n := range before {
		first = put(t, l, message(o, "1001", fmt.Sprint("before", n), strings.Repeat("word ", 200)))
	}
	var writing sync.WaitGroup
	for w := range 4 {
		writing.Go(func() {
			for n := range during / 4 {
				if err := l.Put(ctx, []nacre.Inbound{message(o, "1001", fmt.Sprint(w, "-", n), strings.Repeat("word ", 200))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var made []ledger.Snapshot
	for range 5 {
		made = append(made, snap(t, l))
	}
	writing.Wait()
	last := snap(t, l)
	if last.Messages != before+during || made[0].Messages < before {
		t.Errorf("the first has %d messages, the last %d", made[0].Messages, last.Messages)
	}
	for _, s := range made {
		if again, err := ledger.CheckSnapshot(ctx, s.Path); err != nil || again.Messages != s.Messages || again.Bytes != s.Bytes {
			t.Errorf("it was %+v and is %+v, %v", s, again, err)
		}
	}
	back, r := restoredIn(t, t.TempDir(), made[0].Path, bundled(t, l))
	if pending, err := back.Pending(ctx, first[0].Session, 0); err != nil || len(pending) != before || int64(r.Counts.Messages) != made[0].Messages {
		t.Errorf("of %d messages %d came back, and %d can be read at once; %v", made[0].Messages, r.Counts.Messages, len(pending), err)
	}
}

func TestSnapshotsThatCannotBe(t *testing.T) {
	l := open(t, t.TempDir())
	owners(t, l, "1001")
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	must(t, os.WriteFile(taken, []byte("x"), 0o600))
	if _, err := l.Snapshot(ctx, taken); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("over a file: %v", err)
	}
	if _, err := l.Snapshot(ctx, filepath.Join(dir, "no", "such")); nacre.KindOf(err) != nacre.Transient {
		t.Errorf("into no directory: %v", err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := l.Snapshot(stopped, filepath.Join(dir, "stopped.db")); err == nil {
		t.Error("one that was stopped ends well")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
	must(t, os.WriteFile(filepath.Join(dir, "killed.db.part"), []byte("SQLite format 3\x00 and half of it"), 0o644))
	s, err := l.Snapshot(ctx, filepath.Join(dir, "killed.db"))
	if st, statErr := os.Stat(s.Path); err != nil || statErr != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("after one that was killed: %+v, %v", s, err)
	}
}

// small mounts a file system of a few megabytes.
func small(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("cannot mount a small file system: %v", err)
		}
		t.Skipf("needs the right to mount a small file system: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// A disk without room for a snapshot is left as it is, with room for messages.
func TestSnapshotOnAFullDisk(t *testing.T) {
	dir := small(t, "40m")
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	put(t, l, message(o, "1001", "1", strings.Repeat("long ", 20_000)))
	filler := filepath.Join(dir, "filler")
	must(t, os.WriteFile(filler, make([]byte, 24<<20), 0o600))
	_, err := l.Snapshot(ctx, filepath.Join(dir, "full.db"))
	if nacre.KindOf(err) != nacre.Transient || !strings.Contains(err.Error(), "MB are free") {
		t.Errorf("without room: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "full*")); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
	put(t, l, message(o, "1001", "2", "still stored"))
	elsewhere := small(t, "2m")
	if s, err := l.Snapshot(ctx, filepath.Join(elsewhere, "a.db")); err != nil || s.Messages != 2 {
		t.Errorf("on another disk, which is small: %+v, %v", s, err)
	}
	must(t, os.Remove(filler))
	if s, err := l.Snapshot(ctx, filepath.Join(dir, "full.db")); err != nil || s.Messages != 2 {
		t.Errorf("after room came back: %+v, %v", s, err)
	}
}

// A copy whose disk fills up on the way leaves nothing, and the data alone. The limit of
// the size of files stands for the disk, since that is not filled knowingly.
func TestDiskThatFillsUpUnderASnapshot(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	put(t, l, message(o, "1001", "1", strings.Repeat("long ", 500_000)))
	path := filepath.Join(t.TempDir(), "full.db")
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var was syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 20, Max: was.Max}))
	_, err := l.Snapshot(ctx, path)
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was))
	if nacre.KindOf(err) != nacre.Transient || !strings.Contains(err.Error(), "see that its disk has space") {
		t.Errorf("without room: %v", err)
	}
	if left, _ := filepath.Glob(path + "*"); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
	put(t, l, message(o, "1001", "2", "still stored"))
	if s, err := l.Snapshot(ctx, path); err != nil || s.Messages != 2 {
		t.Errorf("with room: %+v, %v", s, err)
	}
}

// What a database forgot is in no byte of a snapshot of it, nor is what was only said in
// clear for a moment; a snapshot that is deleted is not held by whoever looked at it.
func TestSnapshotsBesideASweep(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	d := keep(t, l, "1001")
	must(t, os.Mkdir(filepath.Join(dir, "backups"), 0o700))
	s, err := l.Snapshot(ctx, filepath.Join(dir, "backups", "nacre-1.db"))
	must(t, err)
	clear := filepath.Join(dir, "backups", "clear.db")
	must(t, os.WriteFile(clear, []byte("SQLite format 3\x00 "+secret), 0o600))
	if _, _, err := l.Erase(ctx, d.owner, d.e); err != nil {
		t.Fatal(err)
	}
	if swept, err := l.Sweep(ctx, d.owner, d.e); err != nil || swept.Left != 1 {
		t.Errorf("swept %+v, %v, with a copy in clear", swept, err)
	}
	must(t, os.Remove(clear))
	d.swept(t, l)
	fds, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(fds) == 0 {
		t.Skip("open files are not listed here")
	}
	held := map[string]int{}
	for _, fd := range fds {
		path, _ := os.Readlink(fd)
		held[filepath.Base(strings.TrimSuffix(path, " (deleted)"))]++
	}
	if held["nacre-1.db"]+held["clear.db"] > 0 || held["nacre.db"] < 2 {
		t.Errorf("%s is held open: %v", s.Path, held)
	}
}

// BenchmarkSnapshot copies 100,000 messages while others come in, and tells how long the
// slowest of them took to be stored.
func BenchmarkSnapshot(b *testing.B) {
	dir := b.TempDir()
	l := open(b, dir)
	o := owners(b, l, "1001")[0]
	for n := range 1000 {
		var list []nacre.Inbound
		for i := range 100 {
			list = append(list, message(o, "1001", fmt.Sprint(n*100+i), strings.Repeat("word ", 20)))
		}
		put(b, l, list...)
	}
	var slowest time.Duration
	for n := 0; b.Loop(); n++ {
		done := make(chan struct{})
		go func() {
			defer close(done)
			if _, err := l.Snapshot(ctx, filepath.Join(dir, fmt.Sprint("s", n))); err != nil {
				b.Error(err)
			}
		}()
		slowest = max(slowest, slowestUntil(b, l, o, n, done))
	}
	b.ReportMetric(float64(slowest.Milliseconds()), "ms-slowest-message")
}

// slowestUntil stores messages until done, and returns the longest that one took.
func slowestUntil(b *testing.B, l *ledger.Ledger, o nacre.OwnerID, n int, done <-chan struct{}) (slowest time.Duration) {
	for i := 0; ; i++ {
		select {
		case <-done:
			return slowest
		default:
			at := time.Now()
			put(b, l, message(o, "1001", fmt.Sprint("x", n, "-", i), "hello"))
			slowest = max(slowest, time.Since(at))
		}
	}
}
