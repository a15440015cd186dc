package recall

import (
	"iter"
	"math/bits"
)

// set holds documents of one segment, a bit each. The nil set holds all of them.
type set []uint64

func newSet(documents int) set { return make(set, (documents+63)/64) }

func (s set) add(doc uint16)      { s[doc>>6] |= 1 << (doc & 63) }
func (s set) remove(doc uint16)   { s[doc>>6] &^= 1 << (doc & 63) }
func (s set) has(doc uint16) bool { return s == nil || s[doc>>6]>>(doc&63)&1 == 1 }

// keep removes what another set does not hold.
func (s set) keep(other set) {
	for i, word := range other {
		s[i] &= word
	}
}

// full is the set of the first so many documents, written out.
func full(documents int) set {
	s := newSet(documents)
	for i := range s {
		s[i] = ^uint64(0)
	}
	if rest := documents & 63; rest != 0 {
		s[len(s)-1] = 1<<rest - 1
	}
	return s
}

// count is how many documents sets hold together.
func count(sets []set) int {
	n := 0
	for _, s := range sets {
		for _, word := range s {
			n += bits.OnesCount64(word)
		}
	}
	return n
}

// backward goes through the documents before a number, from the last one on.
func (s set) backward(before int) iter.Seq[uint16] {
	return func(yield func(uint16) bool) {
		for doc := before - 1; doc >= 0; doc-- {
			if s[doc>>6] == 0 {
				doc &^= 63
			} else if s.has(uint16(doc)) && !yield(uint16(doc)) {
				return
			}
		}
	}
}
