package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"nacre"
)

// Limits of a spool.
const (
	spoolChunk = 64 << 10 // bytes that are sealed together
	spoolCache = 8        // chunks that are kept open
	mostSpool  = 2 << 30  // bytes that one takes in
)

var errSpoolFull = nacre.Errorf(nacre.Invalid, "That is more than 2 GiB, which is the most that is taken at once; bring it over in parts.")

// spool keeps what comes in once so that it can be read at any place, in a file that
// nobody else can read: each chunk is sealed with a key that is in this process alone,
// and the file has no name, so that it is gone with the process whatever ends it. It
// is an io.ReaderAt.
type spool struct {
	file *os.File
	seal cipher.AEAD
	size int64

	mu     sync.Mutex // guards what follows
	opened []chunk    // the one that was used last is the last
}

// chunk is an open piece of a spool.
type chunk struct {
	number int64
	plain  []byte
}

// newSpool takes in all that from has, below a directory on a disk, and tells how much
// that is so far. The caller closes it. Errors are those of from as they are,
// Transient if the disk is full, and Invalid for more than mostSpool.
func newSpool(dir string, from io.Reader, tell func(done int64)) (*spool, error) {
	s, err := emptySpool(dir)
	if err != nil {
		return nil, spoolError(err)
	}
	if err := s.fill(from, tell); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func emptySpool(dir string) (*spool, error) {
	var key [32]byte
	rand.Read(key[:])
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	seal, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(dir, ".import-*") // mode 0600
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &spool{file: file, seal: seal}, nil
}

// fill seals what comes in, chunk by chunk.
func (s *spool) fill(from io.Reader, tell func(int64)) error {
	plain, sealed := make([]byte, spoolChunk), make([]byte, 0, spoolChunk+s.seal.Overhead())
	for number := int64(0); ; number++ {
		n, err := io.ReadFull(from, plain)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		if s.size += int64(n); s.size > mostSpool {
			return errSpoolFull
		}
		if n > 0 {
			sealed = s.seal.Seal(sealed[:0], nonceOf(number), plain[:n], nil)
			if _, err := s.file.Write(sealed); err != nil {
				return spoolError(err)
			}
		}
		if tell(s.size); err != nil {
			return nil
		}
	}
}

// nonceOf is that of a chunk: its number, since each is sealed once with the key.
func nonceOf(number int64) []byte {
	var nonce [12]byte
	binary.BigEndian.PutUint64(nonce[4:], uint64(number))
	return nonce[:]
}

// spoolError says what to do where a spool cannot be written.
func spoolError(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) {
		return nacre.Errorf(nacre.Transient, "The disk that holds the data directory has no room for what you bring over, so nothing was changed; make some room and import it again.")
	}
	return fmt.Errorf("keep what is imported: %w", err)
}

// ReadAt implements io.ReaderAt.
func (s *spool) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, nacre.Errorf(nacre.Invalid, "There is nothing before the beginning.")
	}
	for n < len(p) && off < s.size {
		m, err := s.copyFrom(off/spoolChunk, p[n:], int(off%spoolChunk))
		if err != nil {
			return n, err
		}
		n, off = n+m, off+int64(m)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// copyFrom copies from a place of a chunk on.
func (s *spool) copyFrom(number int64, into []byte, from int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	plain, err := s.open(number)
	if err != nil {
		return 0, err
	}
	return copy(into, plain[from:]), nil
}

// open opens a chunk, in the place of the one that was not used for longest. The
// caller holds mu, and has it as long as that.
func (s *spool) open(number int64) ([]byte, error) {
	for i := len(s.opened) - 1; i >= 0; i-- {
		if c := s.opened[i]; c.number == number {
			s.opened = append(append(s.opened[:i], s.opened[i+1:]...), c)
			return c.plain, nil
		}
	}
	room := make([]byte, 0, spoolChunk+s.seal.Overhead())
	if len(s.opened) >= spoolCache {
		room, s.opened = s.opened[0].plain[:0], append(s.opened[:0], s.opened[1:]...)
	}
	length := min(spoolChunk, s.size-number*spoolChunk) + int64(s.seal.Overhead())
	sealed := room[:length]
	if _, err := s.file.ReadAt(sealed, number*int64(spoolChunk+s.seal.Overhead())); err != nil {
		return nil, fmt.Errorf("read what is imported: %w", err)
	}
	plain, err := s.seal.Open(sealed[:0], nonceOf(number), sealed, nil)
	if err != nil {
		return nil, fmt.Errorf("read what is imported: %w", err)
	}
	s.opened = append(s.opened, chunk{number, plain})
	return plain, nil
}

// Close lets go of all of it.
func (s *spool) Close() error { return s.file.Close() }
