package moving

import (
	"io"
	"math"
	"time"

	"nacre"
)

// Limits of a Parcel. Within them anything may come: what is too big is left out and
// told, and the rest is read.
const (
	MaxFiles    = 20_000    // entries of an archive
	MaxText     = 1_000_000 // bytes of a file of notes
	MaxEntry    = 8 << 20   // bytes of one conversation or one line, as it is written
	MaxNotes    = 10_000    // notes of one file
	MaxUnpacked = 8 << 30   // bytes of all that is read of an archive
)

// Parcel is what an owner brings from elsewhere: one file, or an archive of them (zip).
// Nothing of it is ever written to a path that it names.
type Parcel struct {
	at      *faults
	entries []entry // in the order of the archive
	files   []file  // what is read of them, in the order in which it is
	all     int64   // bytes of files, unpacked, as they say
	left    []Left  // what Open saw that is not read
}

// file is an entry of which it is known what it is.
type file struct {
	entry
	form form
}

// Open looks at what was brought: name is what the file is called, at its bytes. It
// reads no more than is needed to tell what it is. Invalid, as a sentence, for what
// nobody can read.
func Open(name string, at io.ReaderAt, size int64) (*Parcel, error) {
	p := &Parcel{at: &faults{at: at, allowance: math.MaxInt64}}
	head, err := headOf(p.at, size)
	if err != nil {
		return nil, err
	}
	if zipped(head) {
		err = p.unpack(size)
	} else {
		err = p.single(name, head, size)
	}
	if err == nil {
		err = p.detect()
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Sources are where it comes from, as far as that can be told from its files; each
// once, in the order in which they are read.
func (p *Parcel) Sources() []Source {
	var list []Source
	seen := map[Source]bool{"": true}
	for _, f := range p.files {
		if !seen[f.form.source] {
			seen[f.form.source] = true
			list = append(list, f.form.source)
		}
	}
	return list
}

// Receiver takes what is found in a Parcel, in its order. An error of it ends the
// reading and is returned as it is. What is nil is not wanted.
type Receiver struct {
	Note     func(Note) error
	Said     func(Said) error // a conversation's messages come in a row, by time
	Job      func(Job) error
	Setting  func(Setting) error
	Left     func(Left) error
	Progress func(read, all int64) // bytes, now and then; all may grow
}

// Read hands over all that is in the Parcel: what was said first, because notes may
// rest on it, then notes, then jobs and settings. What is malformed is told as Left, by
// file and line, and never ends it; errors are those of reading its bytes and of the
// Receiver, and Invalid for an archive of ours that is newer than this program. zone is
// the owner's, for times without one. Memory does not grow with its size.
func (p *Parcel) Read(zone *time.Location, r Receiver) error {
	p.at.err = nil
	in := newReading(p, zone, r)
	for _, l := range p.left {
		if err := in.tell(l); err != nil {
			return err
		}
	}
	for _, f := range p.files {
		if err := in.read(f); err != nil {
			return err
		}
	}
	in.progress(true)
	return nil
}

// find is the entry of a name, as it stands in the archive.
func (p *Parcel) find(name string) (entry, bool) {
	for _, e := range p.entries {
		if e.name == name {
			return e, true
		}
	}
	return entry{}, false
}

// errTooLong is the answer to a text that does not fit MaxText.
var errTooLong = nacre.Errorf(nacre.Invalid, "That is more than 1 MB of text; import it in parts.")
