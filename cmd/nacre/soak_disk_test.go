//go:build linux

package main

import (
	"sync"
	"time"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// disk is SQLite's own way to the disk, with a wait put before each write and each
// sync of every database of this process. SQLite calls it by plain function pointers,
// so it has to be one for the process.
var disk struct {
	beneath           *beneath
	open, write, sync uintptr // SQLite's own functions

	mu sync.Mutex // guards SQLite's tables
}

type (
	diskOpen  = func(tls *libc.TLS, vfs, path, file uintptr, flags int32, got uintptr) int32
	diskWrite = func(tls *libc.TLS, file, from uintptr, n int32, at int64) int32
	diskSync  = func(tls *libc.TLS, file uintptr, flags int32) int32
)

// slowDisk puts it there. It is called before any database is opened.
func slowDisk(b *beneath) {
	tls := libc.NewTLS()
	defer tls.Close()
	vfs := (*lib.Tsqlite3_vfs)(pointer(lib.Xsqlite3_vfs_find(tls, 0)))
	disk.beneath, disk.open = b, vfs.FxOpen
	vfs.FxOpen = fromGo[diskOpen](openSlow)
}

// openSlow opens a file as SQLite does, and takes the place of two functions in its
// table. Files of a kind, such as logs, share one, and all have the same two.
func openSlow(tls *libc.TLS, vfs, path, file uintptr, flags int32, got uintptr) int32 {
	rc := toGo[diskOpen](disk.open)(tls, vfs, path, file, flags, got)
	if rc != lib.SQLITE_OK {
		return rc
	}
	disk.mu.Lock()
	defer disk.mu.Unlock()
	own := (*lib.Tsqlite3_io_methods)(pointer((*lib.Tsqlite3_file)(pointer(file)).FpMethods))
	if slow := fromGo[diskWrite](writeSlow); own.FxWrite != slow {
		disk.write, disk.sync = own.FxWrite, own.FxSync
		own.FxWrite, own.FxSync = slow, fromGo[diskSync](syncSlow)
	}
	return rc
}

func writeSlow(tls *libc.TLS, file, from uintptr, n int32, at int64) int32 {
	disk.beneath.wait()
	return toGo[diskWrite](disk.write)(tls, file, from, n, at)
}

func syncSlow(tls *libc.TLS, file uintptr, flags int32) int32 {
	disk.beneath.wait()
	return toGo[diskSync](disk.sync)(tls, file, flags)
}

// wait is what makes the disk slow.
func (b *beneath) wait() {
	if d := time.Duration(b.slow.Load()); d > 0 {
		b.faults.Add(1)
		time.Sleep(d)
	}
}

// fromGo and toGo are between functions and the pointers by which C calls them.
func fromGo[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&struct{ f F }{f})) }
func toGo[F any](p uintptr) F   { return *(*F)(unsafe.Pointer(&struct{ p uintptr }{p})) }

// pointer is to memory of SQLite or the kernel, which the collector knows nothing of. The
// compiler fails on it where it is inlined.
//
//go:noinline
func pointer(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }
