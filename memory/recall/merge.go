package recall

import (
	"bytes"
	"math"
	"slices"
)

// writer makes the words and lists of a segment, word by word in ascending order.
type writer struct {
	*segment
	docs   []uint16 // of the present word
	counts []uint8
}

// word ends a word, whose documents were collected in w.
func (w *writer) put(word []byte) {
	w.wordAt = append(w.wordAt, uint32(len(w.words)))
	w.words = append(w.words, word...)
	w.listAt = append(w.listAt, uint32(len(w.lists)))
	w.lists = appendList(w.lists, w.docs, w.counts, bound(w.docs, w.counts, w.lengths, w.average()))
	w.docs, w.counts = w.docs[:0], w.counts[:0]
}

// close ends the segment, and gives back what its slices have to spare.
func (w *writer) close() *segment {
	w.wordAt = slices.Clone(append(w.wordAt, uint32(len(w.words))))
	w.words = slices.Clone(w.words)
	w.lists = slices.Clone(append(w.lists, make([]byte, overread)...))
	w.listAt = slices.Clone(w.listAt)
	return w.segment
}

// measure works out what a segment knows of all its traits together.
func (s *segment) measure() {
	s.oldest = math.MaxUint32
	for i, t := range s.traits {
		s.lengths[i] = t.length
		s.total += int(t.length)
		s.oldest, s.newest = min(s.oldest, t.sent), max(s.newest, t.sent)
		s.away = s.away || t.has(away)
	}
}

// merge makes one segment of two that follow one another.
func merge(a, b *segment) *segment {
	w := writer{segment: &segment{
		first:   a.first,
		keys:    slices.Concat(a.keys, b.keys),
		traits:  slices.Concat(a.traits, b.traits),
		lengths: make([]uint8, a.len()+b.len()),
		dated:   slices.Clip(a.dated),
		gone:    slices.Clip(a.gone),
	}}
	w.measure()
	behind := uint16(a.len())
	for _, d := range b.dated {
		w.dated = append(w.dated, dated{d.doc + behind, d.span})
	}
	for _, g := range b.gone {
		w.gone = append(w.gone, gone{g.doc + behind, g.by})
	}
	w.mergeWords(a, b)
	return w.close()
}

func (w *writer) mergeWords(a, b *segment) {
	for i, j := 0, 0; i < a.terms() || j < b.terms(); {
		order := 0
		switch {
		case i == a.terms():
			order = 1
		case j == b.terms():
			order = -1
		default:
			order = bytes.Compare(a.word(i), b.word(j))
		}
		var word []byte
		if order <= 0 {
			word = a.word(i)
			w.collect(a.list(i), 0)
			i++
		}
		if order >= 0 {
			word = b.word(j)
			w.collect(b.list(j), uint16(a.len()))
			j++
		}
		w.put(word)
	}
}

// collect adds the documents of a list, which are counted from a number up.
func (w *writer) collect(list []byte, from uint16) {
	var p postings
	p.open(list)
	w.docs, w.counts = p.all(w.docs, w.counts, from)
}

// compact merges neighbours, from the end, until each segment is more than twice
// as large as the next one, or too large to grow: there are then as many as the
// logarithm of the documents, and one for each maxSegment of them.
func compact(list []*segment) []*segment {
	for n := len(list); n > 1; n-- {
		a, b := list[n-2], list[n-1]
		if a.len() > 2*b.len() || a.len()+b.len() > maxSegment {
			break
		}
		list = append(slices.Clip(list[:n-2]), merge(a, b))
	}
	return list
}
