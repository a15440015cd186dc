package folder

import (
	"os"
	"strings"
	"testing"
)

// FuzzEdited: whatever a hand makes of MEMORY.md, what stands outside the
// generated section is there afterwards byte for byte, and reading it once more
// changes nothing.
func FuzzEdited(f *testing.F) {
	const begin, end = "<!-- memory:begin", "<!-- memory:end"
	for _, seed := range []string{
		"", "My words.", "a\r\nb\r\n", "# Memory\n\n" + begin + " -->\n\n## About\n\n- bike: Rides a red bike.\n- Has no car.\n\n" + end + " -->\nafter",
		begin + " -->" + end + " -->", begin + " 2026-05-01T10:00:00.000Z -->\n## Pinned\n- about/bike: Rides a green bike.\n" + end + "-->\n", begin, end + " -->\n" + begin + " -->",
		begin + " -->\n- people/x: <!-- y -->\n## Lessons\n* a\n  b\n+ c:\n" + end + " -->", begin + " -->\n- card: 4111 1111 1111 1111\n" + end + " -->\x00\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, file string) {
		w := newWorldIn(t, memoryDir(t))
		w.remember(bike, dog)
		w.sync() // the other files need not be there
		w.write(Memory, file)
		w.sync()
		after := w.read(Memory)
		switch b, e := strings.Index(file, begin), strings.Index(file, end); {
		case after == file:
		case b < 0 && e < 0:
			if !strings.HasPrefix(after, file) {
				t.Errorf("%q became %q", file, after)
			}
		default:
			_, behind, closed := strings.Cut(file[max(e, 0):], "-->")
			if b < 0 || e < b || !closed || !strings.HasPrefix(after, file[:b]+begin) || !strings.HasSuffix(after, "-->"+behind) {
				t.Errorf("%q became %q", file, after)
			}
		}
		notes := w.notes()
		if reports := w.sync(); len(reports) > 0 || w.notes() != notes {
			t.Errorf("once more it says %v of %q", reports, after)
		}
	})
}

// memoryDir is a directory that needs no disk, where the system has one: every
// file is synced, and a disk would let too few inputs be tried.
func memoryDir(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "nacre")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
