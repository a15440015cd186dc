package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"nacre/memory/folder"
)

// largestFile is up to how many bytes the folder reads a file.
const largestFile = 2 << 20

// folders looks at the folders of owners and at the files in them. What of a folder is
// missing, the next start makes.
func (x *examination) folders(context.Context) []finding {
	root := filepath.Join(x.cfg.Data, "owners")
	if _, err := os.Lstat(root); missing(err) {
		return nil
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return []finding{brokenFolder(root, err)}
	}
	var list []finding
	for _, e := range entries {
		if e.IsDir() {
			list = append(list, checkFolder(filepath.Join(root, e.Name()))...)
		}
	}
	if list == nil {
		list = []finding{{Name: "folders", Level: fine, Found: fmt.Sprintf("%s, in %s", number(len(entries), "owner's files", "owners' files"), root)}}
	}
	return list
}

func brokenFolder(path string, err error) finding {
	return finding{Name: "folders", Level: problem, Found: fmt.Sprintf("%s cannot be used (%v)", path, bare(err)),
		Do: "give this user all rights there; memory itself lies in the database and is not affected"}
}

// checkFolder looks at one owner's folder.
func checkFolder(dir string) (list []finding) {
	if err := syscall.Access(dir, allAccess); err != nil {
		return []finding{brokenFolder(dir, err)}
	}
	for _, name := range []string{folder.Memory, folder.Soul, folder.Heartbeat, folder.Reflect} {
		if wrong := wrongFile(filepath.Join(dir, name)); wrong != "" {
			list = append(list, finding{Name: "folders", Level: warning, Found: filepath.Join(dir, name) + " " + wrong,
				Do: "mend it, or move it away, and Nacre makes it anew when it starts"})
		}
	}
	return list
}

// wrongFile says why a file of an owner is not read; empty if it is.
func wrongFile(path string) string {
	st, err := os.Stat(path)
	switch {
	case missing(err):
		return ""
	case err != nil:
		return fmt.Sprintf("cannot be looked at (%v)", bare(err))
	case !st.Mode().IsRegular():
		return "is not a file"
	case st.Size() > largestFile:
		return "is larger than " + size(largestFile) + " and is not read"
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Sprintf("cannot be read and written (%v)", bare(err))
	}
	f.Close()
	return ""
}
