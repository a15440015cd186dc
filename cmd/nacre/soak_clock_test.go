//go:build linux

package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// The clock of a process is a function that the kernel puts into its memory, the vDSO,
// which the runtime calls for each time.Now. The one process that a test starts gets
// another in its place: it asks the kernel and adds what the test wants. Timers, which
// go by the clock that only runs forward, stay as they are, as when a real clock is set.

// clockBends reports whether this is known for the machine.
func clockBends() bool { return runtime.GOARCH == "amd64" }

// bendClock puts it there; ahead is how many seconds are added from now on.
func bendClock(ahead *atomic.Int64) {
	if !clockBends() {
		return
	}
	at, page := vdso()
	clock, unused := at+symbol(page, "__vdso_clock_gettime"), at+symbol(page, "__vdso_gettimeofday")
	start := at &^ uintptr(os.Getpagesize()-1)
	all := unsafe.Slice((*byte)(pointer(start)), int(at-start)+len(page))
	if err := syscall.Mprotect(all, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC); err != nil {
		panic(err)
	}
	code := []byte{
		0xb8, 228, 0, 0, 0, // mov eax, SYS_clock_gettime; the arguments are where the kernel wants them
		0x0f, 0x05, // syscall
		0x85, 0xff, // test edi, edi: CLOCK_REALTIME is 0
		0x75, 0x10, // jnz to ret
		0x48, 0xba, 0, 0, 0, 0, 0, 0, 0, 0, // mov rdx, ahead
		0x48, 0x8b, 0x12, // mov rdx, [rdx]
		0x48, 0x01, 0x16, // add [rsi], rdx
		0xc3, // ret
	}
	binary.LittleEndian.PutUint64(code[13:], uint64(uintptr(unsafe.Pointer(ahead))))
	copy(unsafe.Slice((*byte)(pointer(unused)), len(code)), code) // in a function that Go never calls
	jump := [8]byte{0xe9}
	binary.LittleEndian.PutUint32(jump[1:], uint32(unused-(clock+5)))
	// One store, so that whoever runs there meanwhile sees the old or the new.
	atomic.StoreUint64((*uint64)(pointer(clock)), binary.LittleEndian.Uint64(jump[:]))
}

// vdso is where the kernel put it, and its bytes.
func vdso() (at uintptr, page []byte) {
	const header = 33 // AT_SYSINFO_EHDR
	auxv, err := os.ReadFile("/proc/self/auxv")
	if err != nil {
		panic(err)
	}
	for ; len(auxv) >= 16; auxv = auxv[16:] {
		if binary.LittleEndian.Uint64(auxv) == header {
			at = uintptr(binary.LittleEndian.Uint64(auxv[8:]))
		}
	}
	const pages = 2 // which it has at least
	return at, unsafe.Slice((*byte)(pointer(at)), pages*os.Getpagesize())
}

// symbol is where a function begins, from the beginning of the image.
func symbol(image []byte, name string) uintptr {
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		panic(err)
	}
	list, err := f.DynamicSymbols()
	if err != nil {
		panic(err)
	}
	for _, s := range list {
		if s.Name == name {
			return uintptr(s.Value)
		}
	}
	panic("the kernel's clock has no " + name)
}
