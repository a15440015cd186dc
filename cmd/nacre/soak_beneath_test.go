//go:build linux

package main

import (
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"nacre/web"
)

// beneathProgram names a file by which a test reaches below a program that runs: into
// its clock and its disk, where no code of ours can tell.
const beneathProgram = "TEST_BENEATH"

// beneath is what such a file holds, shared between the test and the program.
type beneath struct {
	ahead      atomic.Int64 // seconds by which the clock is ahead of the machine's
	slow       atomic.Int64 // nanoseconds that each write and each sync of a database takes longer
	asked      atomic.Int64 // how often the program was asked how it is, and
	told       atomic.Int64 // how often it has told
	goroutines atomic.Int64
	faults     atomic.Int64 // writes and syncs that were slowed
}

// init is here because nothing of the program may know of it: it runs before main does.
func init() {
	path := os.Getenv(beneathProgram)
	if path == "" {
		return
	}
	b, err := openBeneath(path)
	if err != nil {
		panic(err)
	}
	bendClock(&b.ahead)
	slowDisk(b)
	go b.answer()
}

// openBeneath maps the file, and makes it if it is not there.
func openBeneath(path string) (*beneath, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.Truncate(int64(os.Getpagesize())); err != nil {
		return nil, err
	}
	page, err := syscall.Mmap(int(f.Fd()), 0, os.Getpagesize(), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return (*beneath)(unsafe.Pointer(&page[0])), nil
}

// answer tells at each SIGUSR1 how many goroutines there are, and gives back what none of
// them holds.
func (b *beneath) answer() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	for range asked {
		debug.FreeOSMemory() // what waits to be collected is no growth
		b.goroutines.Store(int64(runtime.NumGoroutine()))
		b.told.Store(b.asked.Load())
	}
}

// TestBeneath shows that both reach the program: a clock that is ahead stands in what
// it prints, and a slow disk is waited for.
func TestBeneath(t *testing.T) {
	w := newWorld(t)
	b := w.beneath()
	if !clockBends() {
		t.Log("the clock of this kind of machine cannot be moved")
	} else {
		b.ahead.Store(400 * 24 * 3600)
		defer b.ahead.Store(0)
		p := w.start()
		defer p.stop()
		if s, err := web.NewClient(w.env["NACRE_DATA"]).Status(t.Context()); err != nil || time.Until(s.Since) < 399*24*time.Hour {
			t.Errorf("with a clock that is 400 days ahead the program says that it runs since %v, %v", s.Since, err)
		}
	}
	w.must("hello\n", "chat")
	if n := b.faults.Load(); n != 0 {
		t.Errorf("%d writes were slowed before the disk was", n)
	}
	b.slow.Store(int64(time.Millisecond))
	w.must("hello\n", "chat")
	if b.faults.Load() == 0 {
		t.Error("no write was slowed")
	}
}

// beneath gives the processes of a world such a file.
func (w *world) beneath() *beneath {
	w.t.Helper()
	w.env[beneathProgram] = w.t.TempDir() + "/beneath"
	b, err := openBeneath(w.env[beneathProgram])
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}
