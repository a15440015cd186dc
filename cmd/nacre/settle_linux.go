package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
)

// settle gives back to the machine, which may be small, what only the start or a
// burst of work needed: freed memory, and the pages of the program itself that were
// read meanwhile. Whatever of them is used again comes back from the page cache by
// itself.
func settle() {
	debug.FreeOSMemory()
	self, err := os.Executable()
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer maps.Close()
	var m mapping
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		m.read(lines.Text())
		if m.clean && m.may == "r--p" || m.clean && m.may == "r-xp" {
			m.drop(self)
		}
	}
}

// mapping is an entry of smaps while it is read; see proc_pid_smaps(5).
type mapping struct {
	from, to  uintptr
	may, file string
	clean     bool // nothing in it was written to, so that its file has it all
}

// read takes the next line: the head of an entry, or one of its figures.
func (m *mapping) read(line string) {
	m.clean = false
	name, figure, _ := strings.Cut(line, ":")
	if name == "Anonymous" { // pages that are no longer the file's
		m.clean = strings.TrimSpace(figure) == "0 kB"
		return
	}
	var next mapping
	if _, err := fmt.Sscanf(line, "%x-%x %4s", &next.from, &next.to, &next.may); err == nil {
		if at := strings.IndexByte(line, '/'); at >= 0 {
			next.file = line[at:]
		}
		*m = next
	}
}

// drop drops the resident pages, if they are of that file.
func (m *mapping) drop(file string) {
	if m.file == file {
		syscall.Syscall(syscall.SYS_MADVISE, m.from, m.to-m.from, syscall.MADV_DONTNEED) // if it fails they stay
	}
}
