package recall

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"time"

	"nacre"
)

// cursor says where the next page of a search begins. It names messages by keys,
// so that it stays good when an index is built anew, and for good measure by when
// they were sent, should one have been erased.
type cursor struct {
	Search  uint64 // fingerprint of what is searched for
	Asked   int64  // when the first page was, in seconds since 1970: it decides what "yesterday" means
	Ceiling place  // the newest message of the scope then; later ones belong to another search
	Floor   place  // the oldest one that was indexed then; the zero place if all were
	Last    place  // the last hit that was shown
	Score   float64
	Window  uint32 // how many hits come before the ones that Last was among
}

// place is a message.
type place struct {
	Key  Key
	Sent uint32 // minutes since 1970
}

// encode writes a cursor for the person or model that will bring it back.
func (c cursor) encode() string {
	raw, err := binary.Append(nil, binary.LittleEndian, c)
	if err != nil {
		panic(err) // all fields have a fixed size
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// readCursor reads the cursor of a query: the zero one if it has none, Invalid if
// it is not from this query.
func readCursor(owner nacre.OwnerID, q Query) (cursor, error) {
	c := cursor{Search: fingerprint(owner, q), Asked: q.Now.Unix()}
	if q.Cursor == "" {
		return c, nil
	}
	var read cursor
	raw, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || len(raw) != binary.Size(read) {
		return c, nacre.Errorf(nacre.Invalid, "that is no cursor of a search; search again without it")
	}
	if _, err := binary.Decode(raw, binary.LittleEndian, &read); err != nil || read.Search != c.Search {
		return c, nacre.Errorf(nacre.Invalid, "the cursor belongs to another search; search again without it")
	}
	return read, nil
}

// fingerprint is the same for all pages of a search, and of no other. What the first
// page was before is in the cursor.
func fingerprint(owner nacre.OwnerID, q Query) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q %q %q %d %d %t %t", owner, q.Scope, q.Order, q.Text, stamp(q.From), stamp(q.To), q.Here, q.Away)
	return h.Sum64()
}

func stamp(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.UnixMilli()
}

// at is the cursor behind the last of some hits, or before the hits of a lot if
// none of them was shown.
func (c cursor) at(lot int, shown []Hit) cursor {
	c.Window, c.Last, c.Score = uint32(lot), place{}, 0
	if len(shown) > 0 {
		last := shown[len(shown)-1]
		c.Last, c.Score = place{last.Key, minute(last.Sent)}, last.Score
	}
	return c
}

// after is what comes behind the last hit that was shown. Should that be gone, it
// is what scored less.
func (c cursor) after(hits []Hit) []Hit {
	if c.Last.Key == 0 {
		return hits
	}
	if i := slices.IndexFunc(hits, func(h Hit) bool { return h.Key == c.Last.Key }); i >= 0 {
		return hits[i+1:]
	}
	return slices.DeleteFunc(hits, func(h Hit) bool { return h.Score >= c.Score })
}

// placeOf is the place of a document of some segments.
func placeOf(s *segment, doc int) place { return place{s.keys[doc], s.traits[doc].sent} }

// begin sets the bounds of a search that begins.
func (c *cursor) begin(segments []*segment, complete bool) {
	if len(segments) == 0 {
		return
	}
	newest := segments[len(segments)-1]
	c.Ceiling = placeOf(newest, newest.len()-1)
	if !complete {
		c.Floor = placeOf(segments[0], 0)
	}
}

// endBefore makes the ceiling the message that stands before another, which
// therefore is no hit and says nothing about which words were ever used.
func (c *cursor) endBefore(segments []*segment, k Key) {
	doc, there := late(segments, k)
	if !there {
		return
	}
	c.Ceiling = place{}
	for _, s := range slices.Backward(segments) {
		if s.first < doc {
			c.Ceiling = placeOf(s, int(min(doc, s.end())-s.first)-1)
			return
		}
	}
}

// lately is how many of the newest messages, at least, are looked through for one
// that is late.
const lately = 1 << 15

// late finds a message that is one of the newest.
func late(segments []*segment, k Key) (d docID, there bool) {
	left := lately
	for i := len(segments) - 1; i >= 0 && k != 0 && left > 0; i-- {
		if doc := slices.Index(segments[i].keys, k); doc >= 0 {
			return segments[i].first + docID(doc), true
		}
		left -= segments[i].len()
	}
	return 0, false
}

// window finds the bounds again.
func (c cursor) window(segments []*segment) window {
	w := unbounded
	w.last, _ = locate(segments, c.Ceiling)
	if c.Floor.Key != 0 {
		w.first, _ = locate(segments, c.Floor)
	}
	return w
}

// before is the document that the next page of the newest messages stands before.
// Should the last one that was shown be gone, a message that was sent in the same
// minute may be shown again rather than none be missed.
func (c cursor) before(segments []*segment) docID {
	if c.Last.Key == 0 {
		return unbounded.last
	}
	d, there := locate(segments, c.Last)
	if !there && d < unbounded.last {
		d++
	}
	return d
}

// locate finds a message by its key; or else, and false, the newest one that was
// not sent later. Without any it is before everything.
func locate(segments []*segment, p place) (d docID, there bool) {
	for _, s := range slices.Backward(segments) {
		if i := slices.Index(s.keys, p.Key); i >= 0 {
			return s.first + docID(i), true
		}
	}
	for _, s := range slices.Backward(segments) {
		for i := s.len() - 1; i >= 0 && s.oldest <= p.Sent; i-- {
			if s.traits[i].sent <= p.Sent {
				return s.first + docID(i), false
			}
		}
	}
	return unbounded.first, false
}
