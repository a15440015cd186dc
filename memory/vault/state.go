package vault

import (
	"encoding/binary"
	"maps"
	"slices"

	"nacre"
)

// state is everything the key file keeps. It is not changed once it is in use:
// a change works on a clone, which takes its place when it is on the disk.
type state struct {
	reserved  uint64 // record numbers below it may have been handed out
	punctures uint64 // destructions so far
	owners    map[nacre.OwnerID]*tree
}

func (s *state) clone() *state {
	c := *s
	c.owners = maps.Clone(s.owners)
	return &c
}

const nodeSize = 8 + len(secret{})

const maxOwnerID = 255 // bytes

// encode writes the state for a slot, always the same way: reserved, punctures
// and the number of owners; for each owner, in the order of their ids, the
// length of the id in two bytes, the id, and the number of nodes in four; for
// each node its first record times 256 plus its level, and its secret. Numbers
// are big-endian, of eight bytes where nothing else is said.
func (s *state) encode() []byte {
	var b []byte
	b = binary.BigEndian.AppendUint64(b, s.reserved)
	b = binary.BigEndian.AppendUint64(b, s.punctures)
	b = binary.BigEndian.AppendUint64(b, uint64(len(s.owners)))
	for _, id := range slices.Sorted(maps.Keys(s.owners)) {
		nodes := s.owners[id].nodes
		b = slices.Grow(b, 2+len(id)+4+len(nodes)*nodeSize)
		b = binary.BigEndian.AppendUint16(b, uint16(len(id)))
		b = append(b, id...)
		b = binary.BigEndian.AppendUint32(b, uint32(len(nodes)))
		for _, n := range nodes {
			b = binary.BigEndian.AppendUint64(b, n.first<<8|uint64(n.level))
			b = append(b, n.secret[:]...)
		}
	}
	return b
}

// decodeState reads what encode wrote and nothing else; false for other bytes.
func decodeState(b []byte) (*state, bool) {
	r := &reader{rest: b}
	s := &state{reserved: r.number(8), punctures: r.number(8), owners: map[nacre.OwnerID]*tree{}}
	last := nacre.OwnerID("")
	for n := r.number(8); n > 0 && !r.failed; n-- {
		id := nacre.OwnerID(r.take(r.number(2)))
		r.expect(id > last)
		last = id
		s.owners[id] = &tree{nodes: r.nodes()}
	}
	r.expect(len(r.rest) == 0 && s.reserved >= firstRecord && s.reserved <= records)
	return s, !r.failed
}

// reader takes pieces off a byte slice and remembers the first that was wrong,
// after which all pieces are empty.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) expect(ok bool) {
	if !ok {
		r.rest, r.failed = nil, true
	}
}

func (r *reader) take(n uint64) []byte {
	r.expect(n <= uint64(len(r.rest)))
	if r.failed {
		return nil
	}
	piece := r.rest[:n]
	r.rest = r.rest[n:]
	return piece
}

func (r *reader) number(size uint64) uint64 {
	var b [8]byte
	copy(b[8-size:], r.take(size))
	return binary.BigEndian.Uint64(b[:])
}

// nodes reads the nodes of one tree, which must be in order, whole and apart.
func (r *reader) nodes() []node {
	count := r.number(4)
	r.expect(count <= uint64(len(r.rest)/nodeSize))
	if r.failed {
		return nil
	}
	nodes := make([]node, 0, count)
	behind := uint64(0)
	for range count {
		at := r.number(8)
		n := node{first: at >> 8, level: uint8(at)}
		copy(n.secret[:], r.take(uint64(len(n.secret))))
		r.expect(n.level <= depth && n.first >= behind && n.end() <= records && n.first%(records>>n.level) == 0)
		if r.failed {
			return nil
		}
		nodes, behind = append(nodes, n), n.end()
	}
	return nodes
}
