package folder

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"nacre"
)

// Own is one of the files that the owner writes, as it lies there: with comments,
// and beyond what is read of it.
type Own struct {
	Name     string
	Text     string // what is no UTF-8 in it is shown as such
	Default  bool   // as it was made, untouched
	Original string // what it was made as
	Hash     string // of its bytes
}

// Owns reads the files that an owner writes. One that is not there is as it will be
// made.
func (f *Folder) Owns(owner nacre.OwnerID) ([]Own, error) {
	h := f.home(owner)
	list := make([]Own, len(texts))
	for i, name := range texts {
		raw, err := h.raw(name)
		if err != nil {
			return nil, err
		}
		list[i] = ownOf(name, raw)
	}
	return list, nil
}

func ownOf(name, raw string) Own {
	sum := sha256.Sum256([]byte(raw))
	first := pristine(name)
	return Own{name, strings.ToValidUTF8(raw, "\uFFFD"), raw == first, first, hex.EncodeToString(sum[:8])}
}

// raw is a text as it lies there, or as it will be made.
func (h *home) raw(name string) (string, error) {
	raw, err := readFile(filepath.Join(h.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return pristine(name), nil
	}
	return string(raw), err
}

// Write puts an owner's words in the place of one of their files, in a folder that
// is made if there is none. Was is the hash of what the owner was shown: the error
// is Conflict if the file is not that any more, and Invalid for words that no file
// of theirs may have. It is called for the owner's own hand alone.
func (f *Folder) Write(owner nacre.OwnerID, name, text, was string) (Own, error) {
	if err := sound(name, text); err != nil {
		return Own{}, err
	}
	h := f.home(owner)
	if err := h.furnish(); err != nil {
		return Own{}, err
	}
	f.look(h, settle) // for Run to watch it
	h.disk.Lock()
	defer h.disk.Unlock()
	err := replaceFile(filepath.Join(h.dir, name), []byte(text), func() error {
		raw, err := h.raw(name)
		if err == nil && ownOf(name, raw).Hash != was {
			err = errChanged
		}
		return err
	})
	if errors.Is(err, errChanged) {
		return Own{}, nacre.Errorf(nacre.Conflict, "%s has changed since you opened it, so nothing was written; look at what it says now", name)
	}
	if name == Soul {
		h.soul.expire()
	}
	return ownOf(name, text), err
}

// sound refuses what is no text of the owner's.
func sound(name, text string) error {
	switch {
	case !slices.Contains(texts, name):
		return nacre.Errorf(nacre.NotFound, "there is no file of that name; there are %s", strings.Join(texts, ", "))
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return nacre.Errorf(nacre.Invalid, "%s was not written, because it holds what is no text", name)
	case len(text) > maxFile:
		return nacre.Errorf(nacre.Invalid, "%s was not written, because it is larger than 2 MiB", name)
	}
	if cut := readText(text).Cut; cut > 0 {
		return nacre.Errorf(nacre.Invalid, "%s was not written: %d characters are read of it, and it has %d more", name, MaxText, cut)
	}
	return nil
}
