package folder

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
)

// Forgotten takes what was forgotten out of an owner's folder, as memory.Hooks
// wants it: MEMORY.md is written anew from now, without reading hand edits back,
// and what was being written is removed. Prose that holds what n finds is the
// owner's and not cut unasked, so its files are named. N is nil if only notes went.
// Memory waits for it, so it does not ask memory.
func (f *Folder) Forgotten(ctx context.Context, owner nacre.OwnerID, now *memory.State, n *memory.Needle) (own, pending []string) {
	h := f.home(owner)
	h.disk.Lock()
	defer h.disk.Unlock()
	h.forgotten++
	if err := errors.Join(removeTemps(h.dir), f.rewrite(ctx, h, visible(now))); err != nil {
		pending = append(pending, err.Error())
	}
	for _, name := range append([]string{Memory}, texts...) {
		if h.holds(name, n) {
			own = append(own, name)
		}
	}
	return own, pending
}

// rewrite writes MEMORY.md anew, if there is one, whatever hands do meanwhile.
// The caller holds disk.
func (f *Folder) rewrite(ctx context.Context, h *home, notes []*memory.Note) error {
	key, err := f.ledger.TombKey(h.owner)
	if err != nil {
		return err
	}
	err = errChanged
	for round := 0; round < maxRounds && errors.Is(err, errChanged); round++ {
		at := time.Now()
		var file string
		if file, err = h.read(); err != nil || file == "" {
			return err
		}
		err = f.render(ctx, h, scene{file: file, marker: marker(key)}, notes, at)
	}
	return err
}

// holds reports whether the owner's own words in a file hold what was forgotten.
// What stands there by default is not theirs. The caller holds disk.
func (h *home) holds(name string, n *memory.Needle) bool {
	if n == nil {
		return false
	}
	raw, err := readFile(filepath.Join(h.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	words := string(raw)
	if name == Memory {
		words = prose(words)
	}
	return err != nil || words != pristine(name) && n.Finds(words)
}

// prose is MEMORY.md without its notes; all of it, if nobody can tell where those
// are.
func prose(file string) string {
	text, err := render.File(file, nil)
	if err != nil {
		return file
	}
	return text
}

// pristine is how a file is made at first.
func pristine(name string) string {
	if name == Memory {
		return prose("")
	}
	return string(byDefault(name))
}

// Cut takes what was forgotten out of the owner's own words in their folder too,
// once they said that it may: it is blanked, and where everything was forgotten
// the files are made anew.
func (f *Folder) Cut(ctx context.Context, owner nacre.OwnerID, n *memory.Needle) error {
	now, err := f.library.Book(owner).State(ctx)
	if err != nil {
		return err
	}
	h := f.home(owner)
	h.disk.Lock()
	defer h.disk.Unlock()
	h.forgotten++
	if err := f.rewrite(ctx, h, visible(now)); err != nil && nacre.KindOf(err) != nacre.Invalid {
		return err
	}
	for _, name := range append([]string{Memory}, texts...) {
		if !h.holds(name, n) {
			continue
		}
		if err := h.cut(name, n); err != nil {
			return err
		}
	}
	f.look(h, settle)
	return nil
}

func (h *home) cut(name string, n *memory.Needle) error {
	path := filepath.Join(h.dir, name)
	raw, err := readFile(path)
	if err != nil {
		return err
	}
	text, _ := n.Redact(string(raw))
	if n.All {
		text = pristine(name)
	}
	return writeFile(path, []byte(text))
}
