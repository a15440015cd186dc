//go:build linux

package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"nacre/gateway/gatewaytest"
	"nacre/gateway/gatewaytest/wadouble"
)

// fault is something that goes wrong for a while.
type fault struct {
	name string
	ends bool // it ends the process
	do   func(s *soak, d time.Duration)
}

// faults are all of them, but for those that the machine does not allow.
func (s *soak) faults() []fault {
	list := []fault{
		{"kill -9", true, func(s *soak, d time.Duration) { s.kill(); time.Sleep(d / 4); s.proc = s.start() }},
		{"SIGTERM", true, func(s *soak, d time.Duration) { s.stops(); time.Sleep(d / 4); s.proc = s.start() }},
		{"telegram away", false, away(func(s *soak) *link { return s.telegram }, refuses)},
		{"telegram hangs", false, away(func(s *soak) *link { return s.telegram }, hangs)},
		{"whatsapp away", false, away(func(s *soak) *link { return s.whatsapp }, refuses)},
		{"whatsapp hangs", false, away(func(s *soak) *link { return s.whatsapp }, hangs)},
		{"provider away", false, away(func(s *soak) *link { return s.provider }, refuses)},
		{"provider hangs", false, away(func(s *soak) *link { return s.provider }, hangs)},
		{"telegram 429", false, floods(gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 1})},
		{"telegram 5xx", false, floods(gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 500, Words: "Internal Server Error"}, gatewaytest.Fault{Kind: gatewaytest.HTML}, gatewaytest.Fault{Kind: gatewaytest.NotOK})},
		{"telegram cut", false, floods(gatewaytest.Fault{Kind: gatewaytest.DropBefore}, gatewaytest.Fault{Kind: gatewaytest.DropAfter}, gatewaytest.Fault{Kind: gatewaytest.Truncated})},
		{"whatsapp cut", false, cuts(wadouble.Fault{Kind: wadouble.DropBefore}, wadouble.Fault{Kind: wadouble.LoginError, Code: 503}, wadouble.Fault{Kind: wadouble.DropAfter})},
		{"provider 429", false, moods("429")},
		{"provider 5xx", false, moods("5xx")},
		{"mad answers", false, moods("mad")},
		{"slow disk", false, func(s *soak, d time.Duration) {
			s.beneath.slow.Store(int64(20 * time.Millisecond))
			time.Sleep(d)
			s.beneath.slow.Store(0)
		}},
		{"import", false, func(s *soak, d time.Duration) { s.must("- Mira is my sister.\n", "import", "-") }},
		{"backup", false, func(s *soak, d time.Duration) { s.must("", "backup") }},
	}
	if s.small != "" {
		list = append(list, fault{"full disk", false, func(s *soak, d time.Duration) {
			defer s.fill()()
			time.Sleep(d)
		}})
	}
	if clockBends() {
		list = append(list, fault{"clock forwards", false, jumps(35 * 60)}, fault{"clock back", false, jumps(-2)})
	}
	return list
}

func away(of func(*soak) *link, how reachable) func(*soak, time.Duration) {
	return func(s *soak, d time.Duration) {
		of(s).be(how)
		time.Sleep(d)
		of(s).be(carries)
	}
}

// floods makes messages to Telegram meet faults.
func floods(list ...gatewaytest.Fault) func(*soak, time.Duration) {
	return func(s *soak, d time.Duration) {
		s.api.Fail("sendMessage", list...)
		s.api.Fail("getUpdates", gatewaytest.Fault{Kind: gatewaytest.Truncated})
		time.Sleep(d)
		s.api.Heal("sendMessage")
		s.api.Heal("getUpdates")
	}
}

func cuts(list ...wadouble.Fault) func(*soak, time.Duration) {
	return func(s *soak, d time.Duration) {
		s.wa.Fail(list...)
		s.wa.Cut()
		time.Sleep(d)
		s.wa.Heal()
	}
}

func moods(mood string) func(*soak, time.Duration) {
	return func(s *soak, d time.Duration) {
		s.model.be(mood)
		time.Sleep(d)
		s.model.be("")
	}
}

// jumps sets the clock, for good.
func jumps(seconds int64) func(*soak, time.Duration) {
	return func(s *soak, d time.Duration) {
		s.beneath.ahead.Add(seconds)
		time.Sleep(d)
	}
}

// smallDisk mounts a file system of so many bytes, if this user may; else it is empty.
func (s *soak) smallDisk(size string) string {
	dir := filepath.Join(s.t.TempDir(), "small")
	if err := os.Mkdir(dir, 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := syscall.Mount("nacre-soak", dir, "tmpfs", 0, "mode=700,size="+size); err != nil {
		if os.Getenv("CI") != "" {
			s.t.Fatalf("cannot mount a small disk: %v", err)
		}
		s.t.Logf("no disk is filled: mounting a small one: %v", err)
		return ""
	}
	s.t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// fill takes all space of the small disk; what it returns gives it back.
func (s *soak) fill() (free func()) {
	s.t.Helper()
	path := filepath.Join(s.small, "ballast")
	f, err := os.Create(path)
	for b := make([]byte, 4096); err == nil; {
		_, err = f.Write(b)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		s.t.Fatalf("the small disk cannot be filled: %v", err)
	}
	f.Close()
	return func() { os.Remove(path) }
}
