package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
)

// settle gives back to the machine, which may be small, what only the start
// needed: freed memory, and the pages of the program itself that were read while
// its packages initialised. Whatever of them is used again comes back from the
// page cache by itself.
func settle() {
	debug.FreeOSMemory()
	self, err := os.Executable()
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		dropPages(lines.Text(), self)
	}
}

// dropPages drops the resident pages of one mapping, if it is of the program's
// file and cannot have been written to. The form of the line is that of
// proc_pid_maps(5).
func dropPages(line, self string) {
	var from, to uintptr
	var may string
	if _, err := fmt.Sscanf(line, "%x-%x %4s", &from, &to, &may); err != nil {
		return
	}
	if may[0] == 'r' && may[1] == '-' && strings.HasSuffix(line, " "+self) {
		syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED) // if it fails they stay
	}
}
