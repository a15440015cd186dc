package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Settling leaves fewer pages of the program resident, and the program working.
func TestSettle(t *testing.T) {
	before := resident(t)
	settle()
	after := resident(t)
	if after >= before {
		t.Errorf("%d KiB of files resident before, %d after", before, after)
	}
	if _, code := newWorld(t).run("", "version"); code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// Only what cannot have been written to is dropped.
func TestMappings(t *testing.T) {
	for _, c := range []struct {
		lines string
		clean bool
	}{
		{"00400000-00b33000 r-xp 00000000 fe:00 1 /bin/nacre\nRss: 64 kB\nAnonymous:             0 kB", true},
		{"00400000-00b33000 r--p 00000000 fe:00 1 /bin/nacre\nAnonymous:           128 kB", false}, // relocated
		{"00400000-00b33000 r--p 00000000 fe:00 1 /bin/nacre\nAnonymous: 0 kB\nSwap: 0 kB", false}, // read before
		{"nonsense\n\n:", false},
	} {
		var m mapping
		for line := range strings.SplitSeq(c.lines, "\n") {
			m.read(line)
		}
		if m.clean != c.clean {
			t.Errorf("%q: %+v", c.lines, m)
		}
	}
	var m mapping
	m.read("00400000-00b33000 r-xp 00000000 fe:00 1 /bin/my nacre")
	if want := (mapping{from: 0x400000, to: 0xb33000, may: "r-xp", file: "/bin/my nacre"}); m != want {
		t.Errorf("%+v, want %+v", m, want)
	}
}

// resident is how much of files is in memory, in KiB.
func resident(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "RssFile:")
	var kib int
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	return kib
}
