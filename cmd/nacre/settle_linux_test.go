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

func TestDropPagesSparesOthers(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	before := resident(t)
	for _, line := range []string{"", "nonsense", "0-ffffffffffff r--p 0 0:0 0 /other", "0-ffffffffffff rw-p 0 0:0 0 " + self, "0-ffffffffffff r-xp 0 0:0 0"} {
		dropPages(line, self)
	}
	if after := resident(t); after < before {
		t.Errorf("%d KiB of files resident before, %d after", before, after)
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
