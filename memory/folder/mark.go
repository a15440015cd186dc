package folder

import (
	"context"
	"strings"

	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/render"
)

// tag is a keyed hash, under the key of the owner's tombstones.
type tag [16]byte

// mark is what is kept of a line that was written: enough to tell whether a
// hand changed it, and no word of it, so that nothing is left there to forget.
type mark struct {
	slot, words tag
	pinned      bool
}

// marker makes the marks of one owner.
type marker memory.Hash

func (m marker) tag(parts ...string) tag {
	h := canon.Tag(m, parts...)
	return tag(h[:])
}

func (m marker) slot(s memory.Slot) tag {
	return m.tag("file slot", string(s.Area), memory.Slug(s.Slug))
}

func (m marker) mark(s memory.Slot, text string, pinned bool) mark {
	return mark{m.slot(s), m.tag("file words", strings.Join(strings.Fields(text), " ")), pinned}
}

// marks are those of the lines that a file holds, which this package wrote.
func (m marker) marks(file string) ([]mark, error) {
	lines, err := render.Lines(file)
	if err != nil {
		return nil, err
	}
	list := make([]mark, len(lines))
	for i, l := range lines {
		list[i] = m.mark(l.Slot, l.Text, l.Pinned)
	}
	return list, nil
}

// written are the marks of notes, as they would be written.
func (m marker) written(notes []*memory.Note) ([]mark, error) {
	file, err := render.File("", notes)
	if err != nil {
		return nil, err
	}
	return m.marks(file)
}

// same reports whether two lines say the same in the same place. Nil is no line.
func same(a, b *mark) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.slot == b.slot && a.words == b.words
}

// bySlot finds marks by their place, the first of each.
func bySlot(list []mark) map[tag]*mark {
	m := make(map[tag]*mark, len(list))
	for i := range list {
		if m[list[i].slot] == nil {
			m[list[i].slot] = &list[i]
		}
	}
	return m
}

// The form in which marks are kept: a byte for the form, then each of them.
const (
	keptForm = 1
	markSize = 2*len(tag{}) + 1
)

// keep stores the marks of the file that was written. The caller holds disk.
func (f *Folder) keep(ctx context.Context, owner nacre.OwnerID, list []mark) error {
	raw := make([]byte, 1, 1+len(list)*markSize)
	raw[0] = keptForm
	for _, m := range list {
		raw = append(append(raw, m.slot[:]...), m.words[:]...)
		pinned := byte(0)
		if m.pinned {
			pinned = 1
		}
		raw = append(raw, pinned)
	}
	return f.ledger.PutFile(ctx, owner, Memory, raw)
}

// kept reads the marks of what was last written; false if nothing says so.
func (f *Folder) kept(ctx context.Context, owner nacre.OwnerID) ([]mark, bool, error) {
	raw, err := f.ledger.File(ctx, owner, Memory)
	if nacre.KindOf(err) == nacre.NotFound {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if len(raw)%markSize != 1 || raw[0] != keptForm {
		return nil, false, nil
	}
	var list []mark
	for raw = raw[1:]; len(raw) > 0; raw = raw[markSize:] {
		size := len(tag{})
		list = append(list, mark{tag(raw[:size]), tag(raw[size : 2*size]), raw[2*size] == 1})
	}
	return list, true, nil
}
