package recall

import (
	"slices"
	"sort"
)

// maxSegment is how many documents a segment has at most: as many as two bytes
// number, which are counted from 0 in it.
const maxSegment = 1 << 16

// segment is a run of documents that were stored one after another, with the
// words that they have. It never changes, so that searches need no lock.
type segment struct {
	first   docID
	keys    []Key
	traits  []traits
	lengths []uint8 // of traits, close together
	dated   []dated // ascending
	gone    []gone  // documents that were replaced, in no order

	words  []byte   // one behind the other, ascending
	wordAt []uint32 // where each begins, and behind the last one
	lists  []byte   // of postings, in the order of words, and overread bytes
	listAt []uint32 // where each begins

	oldest, newest uint32 // minutes in which documents were sent
	total          int    // of lengths
	away           bool   // some documents were said elsewhere
}

// dated is a day, or some, that a document speaks of.
type dated struct {
	doc uint16
	span
}

// gone is a document that another, later one took the place of.
type gone struct {
	doc uint16
	by  docID
}

func (s *segment) len() int         { return len(s.keys) }
func (s *segment) end() docID       { return s.first + docID(len(s.keys)) }
func (s *segment) terms() int       { return len(s.listAt) }
func (s *segment) average() float64 { return max(1, float64(s.total)/float64(max(1, s.len()))) }

func (s *segment) word(i int) []byte { return s.words[s.wordAt[i]:s.wordAt[i+1]] }
func (s *segment) list(i int) []byte { return s.lists[s.listAt[i]:] }

// find returns the number of a word; false if no document has it.
func (s *segment) find(word string) (int, bool) {
	return sort.Find(s.terms(), func(i int) int {
		switch w := s.word(i); {
		case word == string(w):
			return 0
		case word < string(w):
			return -1
		}
		return 1
	})
}

// spans are the days that a document speaks of.
func (s *segment) spans(doc uint16) []span {
	at, _ := slices.BinarySearchFunc(s.dated, doc, func(d dated, doc uint16) int { return int(d.doc) - int(doc) })
	var list []span
	for ; at < len(s.dated) && s.dated[at].doc == doc; at++ {
		list = append(list, s.dated[at].span)
	}
	return list
}

// without is the segment after a document was replaced.
func (s *segment) without(g gone) *segment {
	next := *s
	next.gone = append(slices.Clip(s.gone), g)
	return &next
}

// bytes is about what the segment takes in memory.
func (s *segment) bytes() int64 {
	const each = 8 + 12 + 1 // of keys, traits and lengths
	return int64(s.len()*each + 12*len(s.dated) + 8*len(s.gone) + len(s.words) + len(s.lists) + 8*s.terms() + 256)
}
