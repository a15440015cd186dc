package recall

import (
	"slices"

	"nacre"
)

// shelf holds an owner's messages of one scope. What is on another shelf takes no
// part in a search, not even by how often a word is used there. The lock of its
// chats guards it, and slices that were taken from it stay as they are.
type shelf struct {
	older    []*segment // built from what was there before, in the order of time
	newer    []*segment // what was stored since
	sessions map[nacre.SessionID]uint32
	names    []string // of authors
	authors  map[string]uint16

	vectors table   // with an Embedder
	waiting []docID // documents that have no vector yet, ascending
	queued  docID   // the first one that neither waits nor had its turn
}

func newShelf() *shelf {
	s := &shelf{sessions: map[nacre.SessionID]uint32{}, authors: map[string]uint16{}}
	s.author(ByOwner)
	s.author(ByAssistant)
	return s
}

func (s *shelf) session(id nacre.SessionID) uint32 {
	n, known := s.sessions[id]
	if !known {
		n = uint32(len(s.sessions))
		s.sessions[id] = n
	}
	return n
}

// maxAuthors is how many authors are told apart; the others share a number.
const maxAuthors = 1 << 12

func (s *shelf) author(name string) uint16 {
	n, known := s.authors[name]
	if !known && len(s.names) >= maxAuthors {
		name = ""
		n, known = s.authors[name]
	}
	if !known {
		n = uint16(len(s.names))
		s.authors[name] = n
		s.names = append(s.names, name)
	}
	return n
}

// oldest is the number of the oldest document; 0 if there is none before the rest.
func (s *shelf) oldest() docID {
	if len(s.older) == 0 {
		return 0
	}
	return s.older[0].first
}

// bytes is about what the shelf takes in memory.
func (s *shelf) bytes() int64 {
	total := s.vectors.bytes() + int64(4*cap(s.waiting))
	for _, segment := range slices.Concat(s.older, s.newer) {
		total += segment.bytes()
	}
	return total
}

// next is the number of the next document that is stored.
func (s *shelf) next() docID {
	if len(s.newer) == 0 {
		return 0
	}
	return s.newer[len(s.newer)-1].end()
}

// replace marks a message as replaced by a later one; false if none of the
// segments has it. The slice is copied before it is changed.
func replace(segments *[]*segment, k Key, by docID) bool {
	for i := len(*segments) - 1; i >= 0; i-- {
		s := (*segments)[i]
		if doc := slices.Index(s.keys, k); doc >= 0 {
			*segments = slices.Clone(*segments)
			(*segments)[i] = s.without(gone{uint16(doc), by})
			return true
		}
	}
	return false
}
