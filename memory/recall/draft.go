package recall

import (
	"slices"
	"strings"

	"nacre/memory/recall/terms"
)

// draft collects documents until they become a segment.
type draft struct {
	keys   []Key
	traits []traits
	dated  []dated
	ids    map[string]uint32 // of words, from 0 up
	had    []entry           // by document
	scan   []uint32          // words of the present document

	replaces []replaces // in the order in which they were added
}

// replaces is a document that takes the place of another.
type replaces struct {
	doc uint16
	old Key
}

// entry is a document that has a word.
type entry struct {
	word  uint32
	doc   uint16
	count uint8
}

// add takes a document in. There must be fewer than maxSegment of them.
func (d *draft) add(m Doc, t traits, spans []span, tokens []terms.Token) {
	doc := uint16(len(d.keys))
	if m.Replaces != 0 {
		d.replaces = append(d.replaces, replaces{doc, m.Replaces})
	}
	d.scan = d.scan[:0]
	for _, token := range tokens {
		if !token.Stop {
			d.scan = append(d.scan, d.id(token.Term))
		}
	}
	t.length = uint8(min(len(d.scan), 255))
	d.keys = append(d.keys, m.Key)
	d.traits = append(d.traits, t)
	for _, s := range spans {
		d.dated = append(d.dated, dated{doc, s})
	}
	slices.Sort(d.scan)
	for i, word := range d.scan {
		if i > 0 && word == d.scan[i-1] {
			last := &d.had[len(d.had)-1]
			last.count = min(last.count+1, maxCount)
			continue
		}
		d.had = append(d.had, entry{word, doc, 1})
	}
}

func (d *draft) id(word string) uint32 {
	id, known := d.ids[word]
	if !known {
		if d.ids == nil {
			d.ids = map[string]uint32{}
		}
		id = uint32(len(d.ids))
		d.ids[strings.Clone(word)] = id // word may be a piece of a long text
	}
	return id
}

// seal makes a segment of the documents, numbered from first up in the order in
// which they were added.
func (d *draft) seal(first docID) *segment {
	w := writer{segment: &segment{
		first:   first,
		keys:    slices.Clone(d.keys),
		traits:  slices.Clone(d.traits),
		lengths: make([]uint8, len(d.keys)),
		dated:   slices.Clone(d.dated),
	}}
	w.measure()
	words := make([]string, len(d.ids))
	for word, id := range d.ids {
		words[id] = word
	}
	order := make([]uint32, len(words))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(words[a], words[b]) })
	sorted, ends := d.byWord(len(words))
	for _, id := range order {
		from := uint32(0)
		if id > 0 {
			from = ends[id-1]
		}
		for _, e := range sorted[from:ends[id]] {
			w.docs, w.counts = append(w.docs, e.doc), append(w.counts, e.count)
		}
		w.put([]byte(words[id]))
	}
	return w.close()
}

// byWord sorts the entries by words, of one word by documents, and says where the
// entries of each word end.
func (d *draft) byWord(words int) (sorted []entry, ends []uint32) {
	ends = make([]uint32, words)
	for _, e := range d.had {
		ends[e.word]++
	}
	at := uint32(0)
	for i, n := range ends {
		ends[i] = at
		at += n
	}
	sorted = make([]entry, len(d.had))
	for _, e := range d.had {
		sorted[ends[e.word]] = e
		ends[e.word]++
	}
	return sorted, ends
}

// reset makes room for other documents, without giving the memory back.
func (d *draft) reset() {
	clear(d.ids)
	d.keys, d.traits, d.dated, d.had, d.replaces = d.keys[:0], d.traits[:0], d.dated[:0], d.had[:0], d.replaces[:0]
}

// turn puts the documents, which were added newest first, in the order of time.
func (d *draft) turn() {
	last := uint16(len(d.keys) - 1)
	slices.Reverse(d.keys)
	slices.Reverse(d.traits)
	slices.Reverse(d.dated)
	slices.Reverse(d.had)
	for i := range d.dated {
		d.dated[i].doc = last - d.dated[i].doc
	}
	for i := range d.had {
		d.had[i].doc = last - d.had[i].doc
	}
}
