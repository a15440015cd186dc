package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// openFile is a file or directory of ours on which others have rights.
type openFile struct {
	path string
	mode fs.FileMode
}

// closed is its mode without them.
func (o openFile) closed() fs.FileMode { return o.mode.Perm() &^ 0o077 }

// ourRoots are the places that hold only files of ours.
func (x *examination) ourRoots() []string { return []string{x.cfg.Data, x.cfg.Backup.Dir, x.cfg.Keys} }

// openFiles lists all at or below the paths on which others have rights. What cannot
// be read is left out, as other checks tell of it; links below lead elsewhere and are
// not followed.
func (x *examination) openFiles(paths ...string) (list []openFile) {
	seen := map[string]bool{}
	for _, path := range paths {
		if path == "" { // a file that is not configured
			continue
		}
		root, err := filepath.EvalSymlinks(path)
		if err != nil {
			continue
		}
		_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || seen[path] || e.Type()&fs.ModeSymlink != 0 {
				return nil
			}
			seen[path] = true
			if info, err := e.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
				list = append(list, openFile{path, info.Mode()})
			}
			return nil
		})
	}
	return list
}

// modes tells which of our files are open to others, one line for each.
func (x *examination) modes(context.Context) []finding {
	var list []finding
	for _, o := range x.openFiles(append(x.ourRoots(), x.cfg.File, x.cfg.Web.TLSKey)...) {
		list = append(list, finding{Name: "permissions", Level: warning, Found: fmt.Sprintf("%s is open to other users (mode %04o)", o.path, o.mode.Perm()),
			Do: fmt.Sprintf("make it yours alone: chmod %03o %s", o.closed(), o.path)})
	}
	if list == nil {
		list = []finding{{Name: "permissions", Level: fine, Found: "all files are yours alone"}}
	}
	return list
}

// keyPlace tells whether whoever copies the data copies with it what opens it.
func (x *examination) keyPlace(context.Context) []finding {
	f := finding{Name: "master key", Level: fine, Found: "set, so the key file alone opens nothing"}
	if x.master() != nil {
		return []finding{f}
	}
	f.Found = "not set, but the key file lies on another disk than the data"
	if _, err := os.Stat(x.cfg.Keys); err != nil || sameDisk(x.cfg.Data, filepath.Dir(x.cfg.Keys)) {
		f.Level, f.Found = warning, "not set, and the key file lies on the disk of the data, so whoever copies the disk can read everything"
		f.Do = "set NACRE_MASTER_KEY_FILE to a file elsewhere, or move the key file to another disk with NACRE_KEYS"
	}
	return []finding{f}
}
