package recall

import (
	"math"
	"time"
)

// window is the run of documents that a search looks at, both ends included.
type window struct{ first, last docID }

// unbounded is the window of a search that begins.
var unbounded = window{math.MinInt32, math.MaxInt32}

// part is what a filter lets through of a segment, if that is anything. Documents
// that were replaced count in its statistics, so that these stay what they are
// from page to page, and for nothing else.
type part struct {
	*segment
	within set // what the filter lets through
	shown  set // of that, what was not replaced
	size   int // documents of within
	length int // of them all
}

// newPart filters a segment.
func newPart(s *segment, f filter, w window) part {
	p := part{segment: s, size: s.len(), length: s.total}
	from, to := f.minutes()
	switch {
	case s.end() <= w.first || s.first > w.last || s.newest < from || s.oldest >= to, f.away && !s.away:
		return part{}
	case s.first < w.first || s.end()-1 > w.last || s.oldest < from || s.newest >= to || f.here && s.away, f.away:
		p.narrow(f, w)
	}
	p.shown = p.within
	if len(s.gone) > 0 {
		p.hide(w.last)
	}
	return p
}

func (p *part) narrow(f filter, w window) {
	from, to := f.minutes()
	p.within, p.size, p.length = newSet(p.len()), 0, 0
	for i, t := range p.segment.traits {
		d := p.first + docID(i)
		if w.first <= d && d <= w.last && from <= t.sent && t.sent < to && !(f.here && t.has(away)) && !(f.away && !t.has(away)) {
			p.within.add(uint16(i))
			p.size++
			p.length += int(t.length)
		}
	}
}

// hide takes out what had been replaced when a document was the last one.
func (p *part) hide(last docID) {
	p.shown = p.everything()
	for _, g := range p.gone {
		if g.by <= last {
			p.shown.remove(g.doc)
		}
	}
}

// everything is the set of what is shown, written out.
func (p *part) everything() set {
	s := full(p.len())
	s.keep(p.shown)
	return s
}

// minutes are the times of a filter as traits have them, the second one excluded.
// Parts of minutes are let through: texts say when they were sent exactly.
func (f filter) minutes() (from, to uint32) {
	to = math.MaxUint32
	if !f.to.IsZero() {
		to = minute(f.to.Add(time.Minute - 1))
	}
	return minute(f.from), to
}

// minute is the one that an instant lies in, as traits have it.
func minute(t time.Time) uint32 {
	return uint32(min(max(0, t.Unix()/60), math.MaxUint32))
}

// frequency counts the documents of within that a list has.
func (p *part) frequency(list int) int {
	var read postings
	n, _ := read.open(p.list(list))
	if p.within == nil {
		return n
	}
	n = 0
	for read.next() {
		for _, doc := range read.docs[:read.n] {
			if p.within.has(doc) {
				n++
			}
		}
	}
	return n
}

// collect adds the documents of a list to a set.
func (p *part) collect(list int, found set) {
	var read postings
	for read.open(p.list(list)); read.next(); {
		for _, doc := range read.docs[:read.n] {
			found.add(doc)
		}
	}
}
