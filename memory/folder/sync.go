package folder

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
)

// errUnfinished means that a file looks as if somebody were still writing it.
var errUnfinished = errors.New("file looks unfinished")

// errOvertaken means that something was forgotten since a survey, which then says
// what nobody may hear of any more.
var errOvertaken = errors.New("forgotten meanwhile")

// Sync reads back what a hand changed in MEMORY.md, as the owner's own wishes,
// writes the file anew, and tells the owner what they have to know. It returns
// what became of each edit. Run calls it by itself; others do where no Run is,
// or to have it now.
//
// The error is Transient where the disk fails; memory then is as it was, or has
// the edits already, which does no harm when they are read once more.
func (f *Folder) Sync(ctx context.Context, owner nacre.OwnerID) ([]Report, error) {
	return f.sync(ctx, f.home(owner), false)
}

// maxRounds bounds how often a file is read again because it changed on the way.
const maxRounds = 10

// sync is Sync. A patient one gives a file that looks unfinished another chance.
func (f *Folder) sync(ctx context.Context, h *home, patient bool) ([]Report, error) {
	h.editing.Lock()
	defer h.editing.Unlock()
	reports := f.overlong(h)
	for round := 0; round < maxRounds; {
		more, err := f.round(ctx, h, patient)
		reports = append(reports, more...)
		switch {
		case errors.Is(err, errChanged):
			round++
		case errors.Is(err, errOvertaken):
		default:
			if text := Summary(reports); text != "" {
				f.tell(ctx, h.owner, text)
			}
			return reports, err
		}
	}
	return reports, nacre.Errorf(nacre.Transient, "%s in %s changes all the time, so it was not written anew; close the program that writes it", Memory, h.dir)
}

// scene is what a round goes by.
type scene struct {
	file      string
	forgotten int
	base      []mark
	written   bool // base says what was last written
	ahead     bool // base says what a hand wrote since, which was taken over, and is not kept yet
	marker    marker
}

// survey reads the file and what is kept of it.
func (f *Folder) survey(ctx context.Context, h *home) (scene, error) {
	h.disk.Lock()
	defer h.disk.Unlock()
	key, err := f.ledger.TombKey(h.owner)
	if err != nil {
		return scene{}, err
	}
	s := scene{marker: marker(key), forgotten: h.forgotten}
	if s.base, s.written, err = f.kept(ctx, h.owner); err != nil {
		return s, err
	}
	s.file, err = h.read()
	return s, err
}

// overtaken is errOvertaken if something was forgotten since a survey.
func (h *home) overtaken(s scene) error {
	h.disk.Lock()
	defer h.disk.Unlock()
	if h.forgotten != s.forgotten {
		return errOvertaken
	}
	return nil
}

// read reads MEMORY.md; one that is not there is empty.
func (h *home) read() (string, error) {
	raw, err := readFile(filepath.Join(h.dir, Memory))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(raw), err
}

// round reads the file, takes over what a hand did, and writes it anew. It is to
// be done again on errChanged and errOvertaken.
func (f *Folder) round(ctx context.Context, h *home, patient bool) ([]Report, error) {
	s, err := f.survey(ctx, h)
	if nacre.KindOf(err) == nacre.Invalid {
		return h.broken(Memory, err), nil
	}
	if err != nil {
		return nil, err
	}
	list, why := render.Lines(s.file)
	if nacre.KindOf(why) == nacre.Invalid {
		if patient && h.doubts(s.file) {
			return nil, errUnfinished
		}
		return h.broken(Memory, why), nil
	}
	delete(h.told, Memory)
	at, st, err := f.believed(ctx, h, s)
	if err != nil {
		return nil, err
	}
	reports, err := f.readBack(ctx, h, &s, st, list, why == nil, patient)
	if err == nil && len(reports) > 0 {
		at, st, err = f.believed(ctx, h, s)
	}
	if err != nil {
		return reports, err
	}
	return reports, f.write(ctx, h, s, st, at)
}

// believed asks memory, and says since when it says so. It waits while something
// is being forgotten.
func (f *Folder) believed(ctx context.Context, h *home, s scene) (time.Time, *memory.State, error) {
	at := time.Now()
	st, err := f.library.Book(h.owner).State(ctx)
	if err == nil {
		err = h.overtaken(s)
	}
	return at, st, err
}

// broken reports, once, a file that has to be mended. It is left alone: where
// the section of MEMORY.md cannot be found nobody can tell what is prose.
func (h *home) broken(name string, why error) []Report {
	if h.told[name] == why.Error() {
		return nil
	}
	h.told[name] = why.Error()
	return []Report{{What: Broken, File: name, Mend: why.Error()}}
}

// overlong reports, once, texts of which a part is not read, or nothing.
func (f *Folder) overlong(h *home) []Report {
	var reports []Report
	for _, name := range texts {
		t, err := f.Text(h.owner, name)
		switch {
		case nacre.KindOf(err) == nacre.Invalid:
			reports = append(reports, h.broken(name, err)...)
		case t.Cut == 0:
			delete(h.told, name)
		case h.told[name] == "":
			h.told[name] = "long"
			reports = append(reports, Report{What: Overlong, File: name})
		}
	}
	return reports
}

// doubts reports whether a file looks unfinished for the first time.
func (h *home) doubts(file string) bool {
	sum := sha256.Sum256([]byte(file))
	if h.doubt == sum {
		return false
	}
	h.doubt = sum
	return true
}

// visible are the notes that stand in the file: what prompts of a private chat
// may hold. Topics that are switched off stay out of it, since others than
// Nacre may read files.
func visible(st *memory.State) []*memory.Note {
	return st.Select(memory.Query{Scope: memory.Private, Now: time.Now()})
}

// write writes the file anew, if that is still what was surveyed. Else it is
// errChanged, and what the hand does by then counts from what was surveyed.
func (f *Folder) write(ctx context.Context, h *home, s scene, st *memory.State, at time.Time) error {
	h.disk.Lock()
	defer h.disk.Unlock()
	if h.forgotten != s.forgotten {
		return errOvertaken
	}
	err := f.render(ctx, h, s, visible(st), at)
	if errors.Is(err, errChanged) && s.ahead {
		err = errors.Join(err, f.keep(ctx, h.owner, s.base))
	}
	return err
}

// render writes the file and then keeps what it says, in that order: a process
// that ends between the two finds lines that memory has already. It writes over
// nothing but s.file, and is errChanged if that is not there any more. The caller
// holds disk.
func (f *Folder) render(ctx context.Context, h *home, s scene, notes []*memory.Note, at time.Time) error {
	text, err := render.File(s.file, notes)
	if err != nil {
		return err
	}
	unchanged := func() error {
		file, err := h.read()
		if err == nil && file != s.file {
			err = errChanged
		}
		return err
	}
	if dated(text, dateOf(s.file)) == s.file {
		err = unchanged()
	} else if err = makeDirs(h.dir); err == nil {
		err = replaceFile(filepath.Join(h.dir, Memory), []byte(dated(text, at)), unchanged)
	}
	if err != nil {
		return err
	}
	marks, err := s.marker.marks(text)
	if err != nil || s.written && !s.ahead && slices.Equal(marks, s.base) {
		return err
	}
	return f.keep(ctx, h.owner, marks)
}
