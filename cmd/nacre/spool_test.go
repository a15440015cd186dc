package main

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"nacre"
)

// What comes in can be read at any place, and no copy of it is anywhere on the disk.
func TestSpool(t *testing.T) {
	dir := t.TempDir()
	for _, size := range []int{0, 1, spoolChunk - 1, spoolChunk, spoolChunk + 1, 20*spoolChunk + 7} {
		plain := bytes.Repeat([]byte("Zirkonlerche "), size/13+1)[:size]
		var told int64
		s, err := newSpool(dir, iotest.HalfReader(bytes.NewReader(plain)), func(done int64) { told = done })
		if err != nil {
			t.Fatal(err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 || told != int64(size) || s.size != int64(size) {
			t.Errorf("%d bytes: %v lies there, %v; told %d of %d", size, left, err, told, s.size)
		}
		if err := iotest.TestReader(io.NewSectionReader(s, 0, s.size), plain); err != nil && size < 3*spoolChunk {
			t.Errorf("%d bytes: %v", size, err)
		}
		for range 50 {
			from := rand.IntN(size + 1)
			got := make([]byte, rand.IntN(size-from+2*spoolChunk))
			n, err := s.ReadAt(got, int64(from))
			want := plain[from:min(size, from+len(got))]
			if !bytes.Equal(got[:n], want) || (n < len(got)) != (err == io.EOF) {
				t.Fatalf("%d bytes: from %d on %d of %d are read, %v", size, from, n, len(got), err)
			}
		}
		if raw := make([]byte, size); size > 100 {
			if _, err := s.file.ReadAt(raw, 0); err != nil || bytes.Contains(raw, []byte("Zirkon")) {
				t.Errorf("%d bytes: the file holds the words, %v", size, err)
			}
		}
		if s.Close(); len(s.opened) > spoolCache {
			t.Errorf("%d chunks are open", len(s.opened))
		}
	}
	if _, err := newSpool(dir, strings.NewReader("x"), func(int64) {}); err != nil {
		t.Error(err)
	}
}

// endless has as many bytes as one likes.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestSpoolGoesWrong(t *testing.T) {
	broken := errors.New("broken")
	dir := t.TempDir()
	for _, c := range []struct {
		name, dir string
		from      io.Reader
		is        error
	}{
		{"what comes in breaks", dir, io.MultiReader(io.LimitReader(endless{}, 3*spoolChunk), iotest.ErrReader(broken)), broken},
		{"no directory", filepath.Join(dir, "none"), strings.NewReader("x"), os.ErrNotExist},
	} {
		if _, err := newSpool(c.dir, c.from, func(int64) {}); !errors.Is(err, c.is) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%v lies there, %v", left, err)
	}
	// A disk that is always full.
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil && os.Getenv("CI") != "" {
		t.Fatalf("the checks need a disk that is full: %v", err)
	}
	if err != nil {
		t.Skipf("no disk that is full here: %v", err)
	}
	s, err := emptySpool(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.file.Close()
	s.file = full
	if err := s.fill(strings.NewReader("x"), func(int64) {}); nacre.KindOf(err) != nacre.Transient || !strings.Contains(err.Error(), "make some room") {
		t.Errorf("a full disk: %v", err)
	}
	s.Close()
}
