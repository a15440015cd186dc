package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// part is something that others wrote and that the program holds: a module of Go,
// Go's own library, or what lies among our files.
type part struct {
	path    string // of the module, "std", or of the directory below our root
	version string // empty for what lies among our files
	texts   []text // sorted
	dir     string
}

// text is one file in which a part says what is allowed.
type text struct {
	path    string // below the directory of the part
	content string
	ids     []string // licences that were recognised, in SPDX's names
}

// listed is a package as "go list" prints it.
type listed struct {
	Dir        string
	Standard   bool
	EmbedFiles []string
	Module     *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// readParts lists what is linked into the program for a platform, such as
// linux/arm64, and adds it to the parts by path.
func readParts(root, platform string, parts map[string]*part) error {
	goos, goarch, ok := strings.Cut(platform, "/")
	if !ok {
		return fmt.Errorf("%q is no platform", platform)
	}
	goarch, _, _ = strings.Cut(goarch, "/") // a variant changes no package
	list := exec.Command("go", "list", "-deps", "-json=Dir,Standard,EmbedFiles,Module", "./cmd/nacre")
	list.Dir, list.Stderr = root, os.Stderr
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list for %s: %w", platform, err)
	}
	for in := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := addPackage(p, parts); err != nil {
			return err
		}
	}
}

// addPackage notes which part a package belongs to, with the licences that lie
// between the package and the top of its part.
func addPackage(p listed, parts map[string]*part) error {
	switch {
	case p.Standard: // readStandard adds it
		return nil
	case p.Module.Main:
		return addEmbedded(p, parts)
	}
	return add(parts, part{path: p.Module.Path, version: p.Module.Version, dir: p.Module.Dir}, p.Dir)
}

// readStandard adds Go's own library, which is part of every program.
func readStandard(parts map[string]*part) error {
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	at := strings.Fields(string(out))
	return add(parts, part{path: "std", version: at[1], dir: at[0]}, at[0])
}

// addEmbedded notes the parts among our own files: the directories that have a
// licence and that a package takes in.
func addEmbedded(p listed, parts map[string]*part) error {
	for _, file := range p.EmbedFiles {
		if !isLicence(path.Base(file)) {
			continue
		}
		dir := filepath.Join(p.Dir, path.Dir(file))
		below, err := filepath.Rel(p.Module.Dir, dir)
		if err != nil {
			return err
		}
		if err := add(parts, part{path: filepath.ToSlash(below), dir: dir}, dir); err != nil {
			return err
		}
	}
	return nil
}

// add adds the licences that lie in a directory of a part, and above it in the part.
func add(parts map[string]*part, p part, dir string) error {
	known := parts[p.path]
	if known == nil {
		known = &p
		parts[p.path] = known
	}
	for ; ; dir = filepath.Dir(dir) {
		if err := known.read(dir); err != nil {
			return err
		}
		if dir == known.dir {
			return nil
		}
	}
}

// read reads the licences that lie in a directory.
func (p *part) read(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	below, err := filepath.Rel(p.dir, dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		t := text{path: path.Join(filepath.ToSlash(below), f.Name())}
		if !isLicence(f.Name()) || !f.Type().IsRegular() || slices.ContainsFunc(p.texts, func(o text) bool { return o.path == t.path }) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		t.content = string(content)
		p.texts = append(p.texts, t)
	}
	slices.SortFunc(p.texts, func(a, b text) int { return cmp.Compare(a.path, b.path) })
	return nil
}

// isLicence tells by a file's name whether it says what is allowed.
func isLicence(name string) bool {
	name, kind := strings.ToUpper(name), strings.ToUpper(path.Ext(name))
	if !slices.Contains([]string{"", ".TXT", ".MD"}, kind) && !strings.HasPrefix(name, "LICEN") {
		return false
	}
	return slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "UNLICENSE", "NOTICE"}, func(s string) bool {
		return strings.HasPrefix(name, s)
	}) && kind != ".GO"
}

// sorted are the parts by path.
func sorted(parts map[string]*part) []*part {
	return slices.SortedFunc(maps.Values(parts), func(a, b *part) int { return cmp.Compare(a.path, b.path) })
}
