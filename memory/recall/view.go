package recall

import (
	"bytes"
	"slices"
	"sort"
	"time"
)

// reach is how far neighbour looks for the next message of a session: the owner
// has few of them at the same time.
const reach = 64

// view is the corpus of one search.
type view struct {
	parts   []part // those that hold anything, in the order of time
	names   []string
	count   int // of documents, with those that were replaced
	length  int // of them all
	present int // the part that was looked into last: the next document is near
	words   map[string]*usage
}

func newView(segments []*segment, names []string, f filter, w window) *view {
	v := &view{names: names, words: map[string]*usage{}}
	for _, s := range segments {
		if p := newPart(s, f, w); p.size > 0 {
			v.parts = append(v.parts, p)
			v.count += p.size
			v.length += p.length
		}
	}
	return v
}

func (v *view) size() int { return v.count }

func (v *view) average() float64 { return max(1, float64(v.length)/float64(max(1, v.count))) }

// usage is where a word is used.
type usage struct {
	lists     []int // its number in each part; -1 where it is not used
	frequency int
}

// usage looks a word up, once: a search comes back to its words.
func (v *view) usage(word string) *usage {
	if u, known := v.words[word]; known {
		return u
	}
	u := &usage{lists: make([]int, len(v.parts))}
	for i := range v.parts {
		list, found := v.parts[i].find(word)
		if !found {
			u.lists[i] = -1
			continue
		}
		u.lists[i] = list
		u.frequency += v.parts[i].frequency(list)
	}
	v.words[word] = u
	return u
}

func (v *view) frequency(word string) int { return v.usage(word).frequency }

func (v *view) authors() []string { return v.names }

func (v *view) vocabulary(prefix string, yield func(word []byte) bool) {
	for _, p := range slices.Backward(v.parts) {
		for w, _ := p.find(prefix); w < p.terms() && bytes.HasPrefix(p.word(w), []byte(prefix)); w++ {
			if !yield(p.word(w)) {
				return
			}
		}
	}
}

func (v *view) during(from, to time.Time, n int) []docID {
	var list []docID
	first, end := filter{from: from, to: to}.minutes()
	for _, p := range slices.Backward(v.parts) {
		if p.newest < first || p.oldest >= end {
			continue
		}
		for doc := p.len() - 1; doc >= 0 && len(list) < n; doc-- {
			if sent := p.segment.traits[doc].sent; first <= sent && sent < end && p.shown.has(uint16(doc)) {
				list = append(list, p.first+docID(doc))
			}
		}
	}
	return list
}

func (v *view) traits(d docID) traits {
	p, doc, _ := v.place(d)
	return p.segment.traits[doc]
}

func (v *view) spans(d docID) []span {
	p, doc, _ := v.place(d)
	return p.segment.spans(doc)
}

func (v *view) neighbour(d docID, offset int) (docID, bool) {
	session, step := v.traits(d).session, docID(1)
	if offset < 0 {
		offset, step = -offset, -1
	}
	for range reach {
		d += step
		p, doc, found := v.place(d)
		if found && p.shown.has(doc) && p.segment.traits[doc].session == session {
			offset--
		}
		if offset <= 0 {
			return d, true
		}
	}
	return 0, false
}

// place finds the part that a document is in, and its number there.
func (v *view) place(d docID) (p *part, doc uint16, found bool) {
	if p = &v.parts[v.present]; d < p.first || d >= p.end() {
		i := sort.Search(len(v.parts), func(i int) bool { return v.parts[i].end() > d })
		if i == len(v.parts) || d < v.parts[i].first {
			return nil, 0, false
		}
		v.present, p = i, &v.parts[i]
	}
	return p, uint16(d - p.first), true
}

// key is the key of a document of the view.
func (v *view) key(d docID) Key {
	p, doc, _ := v.place(d)
	return p.keys[doc]
}

// shown are the documents of each part, all of them.
func (v *view) shown() []set {
	list := make([]set, len(v.parts))
	for i := range v.parts {
		list[i] = v.parts[i].everything()
	}
	return list
}

// having are the documents of each part that have any of some words.
func (v *view) having(words []string) []set {
	found := make([]set, len(v.parts))
	for i := range v.parts {
		p := &v.parts[i]
		found[i] = newSet(p.len())
		for _, word := range words {
			if list := v.usage(word).lists[i]; list >= 0 {
				p.collect(list, found[i])
			}
		}
		found[i].keep(p.shown)
	}
	return found
}

// latest are the newest documents of sets, one for each part, that stand before
// another, at most n.
func (v *view) latest(of []set, before docID, n int) []hit {
	var list []hit
	for i := len(v.parts) - 1; i >= 0 && len(list) < n; i-- {
		first := v.parts[i].first
		for doc := range of[i].backward(min(int(before)-int(first), v.parts[i].len())) {
			if len(list) == n {
				break
			}
			list = append(list, hit{doc: first + docID(doc)})
		}
	}
	return list
}

func (v *view) segments() []*segment {
	list := make([]*segment, len(v.parts))
	for i := range v.parts {
		list[i] = v.parts[i].segment
	}
	return list
}
