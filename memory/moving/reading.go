package moving

import (
	"errors"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"nacre"
)

// reading is one Parcel.Read: what the readers of the formats hand their finds to. Their
// errors are returned by a reader as they are; reading.read knows whose they are.
type reading struct {
	parcel *Parcel
	zone   *time.Location // the owner's, for times without one
	to     Receiver
	stop   error // what the receiver ended it with
	tally  tally // of the file that is read

	unpacked int64 // bytes that were read
	all      int64 // bytes that will be
	told     int64 // of unpacked, when progress was told
}

func newReading(p *Parcel, zone *time.Location, r Receiver) *reading {
	return &reading{parcel: p, zone: zone, to: r, all: p.all}
}

// read reads one file. What is wrong with it is told; only what ends the whole reading
// is returned.
func (r *reading) read(f file) error { return r.over(f.entry, f.form.read(r.parcel, f.entry, r)) }

// tally is how much of a file was handed over.
type tally struct {
	notes int  // that are to be taken over
	cut   bool // there are more of them
	lefts int  // that are told
	more  int  // that are not
}

// maxLeft is how many things that are left out of a file are told one by one.
const maxLeft = 1000

// over ends the reading of a file, with what it ended with, nil for its end. What was
// too much of it is told.
func (r *reading) over(e entry, err error) error {
	if err := r.judge(e, err); err != nil {
		return err
	}
	t := r.tally
	r.tally = tally{}
	if t.cut {
		if err := r.tell(Left{e.place(0), "the rest of the notes", "There are more than 10,000 in the file; import it in parts."}); err != nil {
			return err
		}
	}
	if t.more == 0 {
		return nil
	}
	return r.tell(Left{e.place(0), plural(t.more, "other"), "They are left out for reasons like those before."})
}

// judge judges what the reading of a file ended with.
func (r *reading) judge(e entry, err error) error {
	switch {
	case r.stop != nil:
		return r.stop
	case r.parcel.at.err != nil:
		return r.parcel.at.err
	case err == nil:
		return nil
	case errors.Is(err, errUnpacked):
		return r.tell(Left{e.place(0), "the rest of the file", tooMuch})
	case errors.Is(err, errTooLong):
		return r.tell(Left{e.place(0), "the file", "It is longer than 1 MB; import it in parts."})
	case nacre.KindOf(err) == nacre.Invalid:
		return err
	}
	return r.tell(Left{e.place(0), "the rest of the file", "It is damaged; what could be read of it was taken."})
}

// errUnpacked ends the reading of files behind MaxUnpacked.
var errUnpacked = errors.New("the parcel unpacks to too much")

// open begins reading an entry, unpacked. Its bytes count, and are told as progress.
func (r *reading) open(e entry) (io.ReadCloser, error) {
	if e.zip == nil {
		return &counted{in: r, from: io.NopCloser(io.NewSectionReader(r.parcel.at, 0, e.size))}, nil
	}
	from, err := e.zip.Open()
	if err != nil {
		return nil, err
	}
	return &counted{in: r, from: from}, nil
}

// counted is an open entry.
type counted struct {
	in   *reading
	from io.ReadCloser
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	if c.in.unpacked >= MaxUnpacked {
		return 0, errUnpacked
	}
	n, err := c.from.Read(p)
	c.in.unpacked += int64(n)
	c.in.progress(false)
	return n, err
}

// Close implements io.Closer.
func (c *counted) Close() error { return c.from.Close() }

// progressStep is how many bytes lie between two words of progress.
const progressStep = 1 << 20

func (r *reading) progress(end bool) {
	if r.to.Progress != nil && (end || r.unpacked-r.told >= progressStep) {
		r.told = r.unpacked
		r.all = max(r.all, r.unpacked)
		r.to.Progress(r.unpacked, r.all)
	}
}

// text is all of a file of notes, as plain makes it; errTooLong beyond MaxText.
func (r *reading) text(e entry) (string, error) {
	if e.size > MaxText {
		return "", errTooLong
	}
	from, err := r.open(e)
	if err != nil {
		return "", err
	}
	defer from.Close()
	raw, err := io.ReadAll(io.LimitReader(from, MaxText+1))
	switch {
	case err != nil:
		return "", err
	case len(raw) > MaxText:
		return "", errTooLong
	}
	return plain(string(raw)), nil
}

// The finds. Each returns what the receiver says, which a reader passes on.

// note hands over a note, up to MaxNotes of a file; those that are left out count as
// what else is.
func (r *reading) note(n Note) error {
	switch {
	case n.Left != "":
		if !r.mayTell() {
			return r.stop
		}
	case r.tally.notes == MaxNotes:
		r.tally.cut = true
		return r.stop
	default:
		r.tally.notes++
	}
	return hand(r, r.to.Note, n)
}

func (r *reading) job(j Job) error { return hand(r, r.to.Job, j) }

func (r *reading) setting(s Setting) error { return hand(r, r.to.Setting, s) }

// left tells of something that is not taken over, unless there is too much of that in
// the file.
func (r *reading) left(at Place, what, why string) error {
	if !r.mayTell() {
		return r.stop
	}
	return r.tell(Left{at, what, why})
}

// mayTell counts what is left out, and reports whether it is to be told by itself.
func (r *reading) mayTell() bool {
	if r.tally.lefts < maxLeft {
		r.tally.lefts++
		return true
	}
	r.tally.more++
	return false
}

func (r *reading) tell(l Left) error { return hand(r, r.to.Left, l) }

// said hands over a message. Whatever a reader made of it, it has a time, words that
// are text, and no more of them than MaxSaid; what has no words is passed over.
func (r *reading) said(s Said) error {
	if !utf8.ValidString(s.Text) {
		s.Text = strings.ToValidUTF8(s.Text, "\uFFFD")
	}
	switch {
	case strings.TrimSpace(s.Text) == "":
		return nil
	case len(s.Text) > MaxSaid:
		return r.left(s.Place, "a message", "It is longer than 256 KB.")
	case !datable(s.At):
		return r.left(s.Place, "a message", "It does not say when it was said.")
	}
	return hand(r, r.to.Said, s)
}

// datable reports whether a time is one at which somebody may have talked to an
// assistant.
func datable(t time.Time) bool { return t.Year() >= 1990 && t.Year() < 2200 }

func hand[T any](r *reading, to func(T) error, what T) error {
	if to == nil || r.stop != nil {
		return r.stop
	}
	r.stop = to(what)
	return r.stop
}
