package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Whatever the umask allows, nobody else may read or list what the program makes: the
// database and what lies beside it, keys, files of the owner, the control socket, copies.
func TestNobodyElseMayReadWhatIsMade(t *testing.T) {
	w := newWorld(t)
	old := syscall.Umask(0)
	t.Cleanup(func() { syscall.Umask(old) })
	control := filepath.Join(t.TempDir(), "control")
	if err := os.WriteFile(control, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(control); err != nil || info.Mode().Perm() != 0o666 {
		t.Fatalf("the umask still forbids: %v, %v", info.Mode(), err)
	}
	archive := filepath.Join(t.TempDir(), "ann.zip")
	p := w.start()
	w.api.Text(1001, "Remember that I live in Kyoto")
	w.sent(1)
	if out, code := w.run("", "export", "--archive", archive); code != 0 {
		t.Fatalf("export ends with %d: %s", code, out)
	}
	made := modes(t, w.env["NACRE_DATA"], archive) // the socket is there while the program runs
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"nacre.db", "keys.nacre", "ann.zip"} {
		if _, ok := made[name]; !ok {
			t.Errorf("%s was not made; there are %v", name, made)
		}
	}
	for name, mode := range made {
		if mode.Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", name, mode)
		}
	}
}

// modes are the modes of all that lies under the paths, by name.
func modes(t *testing.T, paths ...string) map[string]fs.FileMode {
	t.Helper()
	all := map[string]fs.FileMode{}
	for _, path := range paths {
		err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err == nil {
				all[filepath.Base(path)] = info.Mode()
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}
