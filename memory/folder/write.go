package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"nacre"
)

// tempPattern names files that are being written. One that lies there longer
// is what a process left that ended meanwhile.
const tempPattern = ".nacre-*.tmp"

// failed says what to do about a folder that cannot be read or written. Memory
// itself lies elsewhere.
func failed(dir string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return nacre.Errorf(nacre.Transient, "the disk that holds %s is full; free some space, memory itself is not affected (%w)", dir, err)
	}
	return nacre.Errorf(nacre.Transient, "the folder %s cannot be read or written; check the disk and that the folder belongs to this user, memory itself is not affected (%w)", dir, err)
}

// makeDirs makes a folder that nobody else can look into.
func makeDirs(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(Reflect)), 0o700); err != nil {
		return failed(dir, err)
	}
	return nil
}

// makeText makes a text where there is none yet, and never in the place of one
// that somebody writes at this moment.
func makeText(dir, name string) error {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return failed(dir, err)
	}
	_, err = f.Write(byDefault(name))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(failed(dir, err), os.Remove(f.Name()))
	}
	return nil
}

// errChanged means that a file is not any more what it was.
var errChanged = errors.New("file changed meanwhile")

// writeFile puts a file in its place in one step, so that a reader sees the old
// one or the new one, also after a power failure.
func writeFile(path string, text []byte) error {
	return replaceFile(path, text, func() error { return nil })
}

// replaceFile is writeFile if, at the last moment, nothing speaks against it.
// What another program writes in the microseconds after that is lost.
func replaceFile(path string, text []byte, still func() error) error {
	dir := filepath.Dir(path)
	temp, err := os.CreateTemp(dir, tempPattern)
	if err != nil {
		return failed(dir, err)
	}
	defer os.Remove(temp.Name()) // in vain where all goes well
	_, err = temp.Write(text)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return failed(dir, err)
	}
	if err := still(); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return failed(dir, err)
	}
	return syncDir(dir)
}

// syncDir makes a new name in a directory last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return failed(dir, err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return failed(dir, err)
	}
	return nil
}

// removeTemps removes what interrupted writes left.
func removeTemps(dir string) error {
	for _, d := range []string{dir, filepath.Join(dir, filepath.Dir(Reflect))} {
		left, err := filepath.Glob(filepath.Join(d, tempPattern))
		if err != nil {
			return err
		}
		for _, path := range left {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return failed(dir, err)
			}
		}
	}
	return nil
}
