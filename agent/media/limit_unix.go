//go:build linux || darwin

package media

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
)

// limitProcess ends this process, by a failed allocation or by the kernel, when
// it uses so many bytes more than now or so much processor time. macOS takes
// the limit of memory and does not enforce it.
func limitProcess(memory uint64, processor time.Duration) error {
	bytes, seconds := dataSize()+memory, uint64(processor/time.Second)
	// At the higher limit the signal cannot be ignored, as Go's runtime does.
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds}); err != nil {
		return err
	}
	return syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: bytes, Max: bytes})
}

// dataSize is what RLIMIT_DATA counts of this process, as the sixth field of
// /proc/self/statm tells it in pages; 0 where there is no such file.
func dataSize() uint64 {
	statm, _ := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(statm)
	if len(fields) < 6 {
		return 0
	}
	pages, _ := strconv.ParseUint(string(fields[5]), 10, 64)
	return pages * uint64(os.Getpagesize())
}
