package configs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// File is a configuration file that is to be changed. Every byte that no change
// needs stays: comments, order and blanks.
type File struct {
	Path string
	doc  []byte
	was  []byte
	made bool // there was none
}

const heading = "# Written by nacre setup, and yours to change. Every setting with its explanation:\n# nacre config --example\n"

// OpenFile reads a file; one that is missing begins empty. The error is a sentence
// for the operator, one of Problems.
func OpenFile(path string) (*File, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // what a link leads to is written, and the link stays
	}
	doc, _, err := read(path)
	switch {
	case err != nil && missing(err):
		return &File{Path: path, doc: []byte(heading), made: true}, nil
	case err != nil:
		return nil, Problems{fmt.Sprintf("the configuration file %q cannot be read (%v); check its path and permissions", path, err)}
	}
	return &File{Path: path, doc: doc, was: doc}, nil
}

// New reports whether there was no file.
func (f *File) New() bool { return f.made }

// Changed reports whether the file is to be written.
func (f *File) Changed() bool { return !bytes.Equal(f.doc, f.was) }

// Bytes is the whole file as it is to be.
func (f *File) Bytes() []byte { return f.doc }

// Get returns what the file says of a setting by its dotted key, such as
// "telegram.token"; empty if it says nothing, or something else than a text.
func (f *File) Get(key string) string {
	text, _ := values(f.doc)[key].(string)
	return text
}

// Set gives a setting another value, in the place of the old one, else below its
// sample, else at the end of its table, which is added if need be. Giving what
// stands there changes nothing, and so does an empty text where there is nothing.
// The error is one of Problems: the file is written in a way that cannot be
// changed without touching more.
func (f *File) Set(key, text string) error {
	if f.Get(key) == text {
		return nil
	}
	doc := layoutOf(f.doc).put(f.doc, key, text)
	want := values(f.doc)
	want[key] = text
	if !maps.EqualFunc(values(doc), want, func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
		return Problems{fmt.Sprintf("%s holds %s in a form that is not changed by program; write it as %s by hand", f.Path, key, assignmentIn(key))}
	}
	f.doc = doc
	return nil
}

func assignmentIn(key string) string {
	table, name, dotted := strings.Cut(key, ".")
	if !dotted {
		return key + " = \"…\" above all tables"
	}
	return name + " = \"…\" below [" + table + "]"
}

// values is what a document says, by dotted key; nothing if it is not TOML.
func values(doc []byte) map[string]any {
	var root map[string]any
	if toml.Unmarshal(bytes.TrimPrefix(doc, []byte(bom)), &root) != nil {
		return map[string]any{}
	}
	all := flatten(root)
	maps.DeleteFunc(all, func(_ string, value any) bool {
		table, ok := value.(map[string]any)
		return ok && len(table) == 0 // says nothing yet
	})
	return all
}

// Override returns an environment in which settings, by their dotted keys, have
// other values than elsewhere, so that Load can tell whether they would do.
func Override(environ []string, set map[string]string) []string {
	vars := map[string]string{} // by key
	for name, key := range variables(newSettings(&Config{}, "", nil)) {
		vars[key] = name
	}
	gone := map[string]bool{}
	for key := range set {
		key = strings.TrimSuffix(key, fileKey)
		gone[vars[key]], gone[vars[key]+fileEnv] = true, true
	}
	out := slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return gone[name]
	})
	for _, key := range slices.Sorted(maps.Keys(set)) {
		if set[key] != "" {
			out = append(out, vars[key]+"="+set[key])
		}
	}
	return out
}

// Variable is the variable of the environment that wins over what the file says of
// a setting, by its dotted key.
func Variable(key string) string {
	for name, k := range variables(newSettings(&Config{}, "", nil)) {
		if k == key {
			return name
		}
	}
	return ""
}

// Draft is a file that is to be written whole.
type Draft struct {
	Path string
	Data []byte
	Mode fs.FileMode
}

// WriteAll writes all of the files or none, each so that a reader sees the old or
// the new one. Directories that are missing are made, for their owner alone. A
// root who writes into somebody's directory leaves them the file.
func WriteAll(drafts []Draft) (err error) {
	staged := make([]string, len(drafts))
	defer func() {
		for _, temp := range staged {
			os.Remove(temp) // is gone if all went well
		}
	}()
	for i, d := range drafts {
		if staged[i], err = d.stage(); err != nil {
			return fmt.Errorf("%s cannot be written: %w", d.Path, cause(err))
		}
	}
	var undo []func()
	for i, d := range drafts {
		old, readErr := os.ReadFile(d.Path)
		if err := os.Rename(staged[i], d.Path); err != nil {
			for _, back := range slices.Backward(undo) {
				back()
			}
			return fmt.Errorf("%s cannot be written: %w", d.Path, cause(err))
		}
		undo = append(undo, func() {
			if readErr != nil {
				os.Remove(d.Path)
			} else {
				os.WriteFile(d.Path, old, d.Mode)
			}
		})
	}
	return nil
}

// stage writes the file under another name beside its place.
func (d Draft) stage() (temp string, err error) {
	dir := filepath.Dir(d.Path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, ".setup-*")
	if err != nil {
		return "", err
	}
	defer f.Close()
	if _, err = f.Write(d.Data); err == nil {
		err = errors.Join(f.Chmod(d.Mode), leave(f, dir), f.Sync())
	}
	return f.Name(), err
}
