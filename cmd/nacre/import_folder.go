package main

import (
	"archive/zip"
	"compress/flate"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"nacre"
	"nacre/memory/moving"
)

// packed is a folder as an archive that is made while it is read: its regular files
// under their names in it. No link is followed, and what systems and programs leave
// lying about is passed over. The caller closes it.
func packed(dir string) (io.ReadCloser, error) {
	name, err := filepath.Abs(dir)
	if err != nil {
		return nil, errUnreadable(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, errUnreadable(err)
	}
	read, write := io.Pipe()
	go func() {
		defer root.Close()
		write.CloseWithError(pack(write, root.FS(), filepath.Base(name)))
	}()
	return read, nil
}

// pack writes a folder as an archive, below a name.
func pack(w io.Writer, folder fs.FS, name string) error {
	to := zip.NewWriter(w)
	to.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	files := 0
	err := fs.WalkDir(folder, ".", func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return errUnreadable(err)
		case at != "." && litter(d.Name()) && d.IsDir():
			return fs.SkipDir
		case !d.Type().IsRegular() || litter(d.Name()):
			return nil
		}
		if files++; files > moving.MaxFiles {
			return nacre.Errorf(nacre.Invalid, "there are more than 20,000 files in the folder; name the one in which the assistant keeps its files")
		}
		return packFile(to, folder, at, path.Join(name, at))
	})
	if err != nil {
		return err
	}
	return to.Close()
}

func packFile(to *zip.Writer, folder fs.FS, at, name string) error {
	from, err := folder.Open(at)
	if err != nil {
		return errUnreadable(err)
	}
	defer from.Close()
	into, err := to.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err != nil {
		return err
	}
	_, err = io.Copy(into, from)
	return err
}

// litter reports whether a name is of what nobody wants to bring over.
func litter(name string) bool {
	switch strings.ToLower(name) {
	case "__macosx", ".ds_store", "thumbs.db", "desktop.ini", ".git", ".svn", ".hg", "node_modules", ".venv", "__pycache__", ".cache", ".trash":
		return true
	}
	return strings.HasPrefix(name, "._")
}
