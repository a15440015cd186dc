package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// abandoned is how long nobody may have written a file of which we know that it is
// renamed when it is finished.
const abandoned = time.Hour

// leftovers lists what processes that ended meanwhile wrote beside a file and never put
// in its place.
func (x *examination) leftovers() (paths []string) {
	for _, pattern := range []string{
		filepath.Join(x.cfg.Data, "owners", "*", ".nacre-*.tmp"),
		filepath.Join(x.cfg.Data, "owners", "*", "prompts", ".nacre-*.tmp"),
		filepath.Join(x.cfg.Backup.Dir, "nacre-*.db.part*"),
	} {
		found, err := filepath.Glob(pattern)
		if err != nil { // what reads as no pattern, such as a bracket, is in the directory's name
			continue
		}
		for _, path := range found {
			st, err := os.Lstat(path)
			if err == nil && st.Mode().IsRegular() && ownerOf(st) == os.Geteuid() && time.Since(st.ModTime()) > abandoned {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// litter tells of leftovers, which do no harm but take room.
func (x *examination) litter(context.Context) []finding {
	paths := x.leftovers()
	if paths == nil {
		return nil
	}
	return []finding{{Name: "leftovers", Level: fine, Found: number(len(paths), "file was", "files were") + " never finished, such as " + paths[0],
		Do: "nacre doctor --fix takes them away, and so do the next start and the next backup"}}
}

// removal deletes a leftover.
func removal(path string) remedy {
	return remedy{"remove " + path + ", which was never finished", func() error {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}}
}
