package recall

import (
	"encoding/binary"
	"math/bits"
)

// A list says which documents of a segment have a word, and how often. It is
//
//	how many documents there are, as an unsigned varint
//	with blockSize or more: its bound (a byte, see bm25)
//	whole blocks of blockSize documents:
//	  the last document (2 bytes), the widths of gaps (5 bits) and counts (3 bits)
//	  the gaps between documents, less 1, of that many bits each
//	  the counts, less 1, of that many bits each
//	the rest, as unsigned varints: a gap less 1, doubled, plus 1 if the next byte
//	is a count less 1, which is 0 otherwise
//
// with whole numbers in little-endian order, and the first gap counted from -1.
const (
	blockSize   = 128
	blockHeader = 3
	maxCount    = 15 // of one word in one document; more are not told apart
	overread    = 8  // bytes that must follow the last list, for unpack reads words
)

// appendList appends the list of documents, which ascend, and their counts.
func appendList(out []byte, docs []uint16, counts []uint8, bound uint8) []byte {
	out = binary.AppendUvarint(out, uint64(len(docs)))
	if len(docs) >= blockSize {
		out = append(out, bound)
	}
	before := -1
	for len(docs) >= blockSize {
		out = appendBlock(out, docs[:blockSize], counts, before)
		before = int(docs[blockSize-1])
		docs, counts = docs[blockSize:], counts[blockSize:]
	}
	for i, d := range docs {
		gap := uint64(int(d)-before-1) << 1
		if counts[i] == 1 {
			out = binary.AppendUvarint(out, gap)
		} else {
			out = append(binary.AppendUvarint(out, gap|1), counts[i]-1)
		}
		before = int(d)
	}
	return out
}

func appendBlock(out []byte, docs []uint16, counts []uint8, before int) []byte {
	var gaps, more [blockSize]uint16
	var gapBits, countBits uint16
	for i, d := range docs {
		gaps[i], more[i] = uint16(int(d)-before-1), uint16(counts[i]-1)
		gapBits |= gaps[i]
		countBits |= more[i]
		before = int(d)
	}
	wide, high := bits.Len16(gapBits), bits.Len16(countBits)
	out = binary.LittleEndian.AppendUint16(out, docs[blockSize-1])
	out = append(out, byte(wide|high<<5))
	return pack(pack(out, &gaps, wide), &more, high)
}

// pack appends a block of numbers of so many bits, at most 16.
func pack(out []byte, numbers *[blockSize]uint16, width int) []byte {
	var word uint64
	have := 0
	for _, n := range numbers {
		word |= uint64(n) << have
		for have += width; have >= 8; have -= 8 {
			out = append(out, byte(word))
			word >>= 8
		}
	}
	return out
}

// postings reads a list forward, a block at a time.
type postings struct {
	bytes  []byte // what follows the list may be there too
	left   int    // documents that are neither read nor passed over
	before int    // the document before them; -1 at the beginning

	n      int // documents of the block that was read
	docs   [blockSize]uint16
	counts [blockSize]uint8
}

// open begins a list and returns its length and bound.
func (p *postings) open(list []byte) (n int, bound uint8) {
	size, at := binary.Uvarint(list)
	bound = 255
	if size >= blockSize {
		bound = list[at]
		at++
	}
	p.bytes, p.left, p.before, p.n = list[at:], int(size), -1, 0
	return p.left, bound
}

// next reads the next block; false at the end.
func (p *postings) next() bool {
	switch {
	case p.left == 0:
		p.n = 0
		return false
	case p.left < blockSize:
		p.rest()
	default:
		p.block()
	}
	p.left -= p.n
	p.before = int(p.docs[p.n-1])
	return true
}

// seek passes over the blocks, unread, that end before a document.
func (p *postings) seek(doc uint16) {
	for p.left >= blockSize {
		last := binary.LittleEndian.Uint16(p.bytes)
		if last >= doc {
			return
		}
		wide, high := widths(p.bytes[2])
		p.bytes = p.bytes[blockHeader+(wide+high)*blockSize/8:]
		p.left -= blockSize
		p.before = int(last)
	}
}

func widths(b byte) (wide, high int) { return int(b & 31), int(b >> 5) }

func (p *postings) block() {
	wide, high := widths(p.bytes[2])
	p.bytes = p.bytes[blockHeader:]
	mask := uint64(1)<<wide - 1
	doc := p.before
	for i, at := 0, 0; i < blockSize; i, at = i+1, at+wide {
		doc += int(binary.LittleEndian.Uint64(p.bytes[at>>3:])>>(at&7)&mask) + 1
		p.docs[i] = uint16(doc)
	}
	p.bytes = p.bytes[wide*blockSize/8:]
	mask = 1<<high - 1
	for i, at := 0, 0; i < blockSize; i, at = i+1, at+high {
		p.counts[i] = 1 + uint8(binary.LittleEndian.Uint64(p.bytes[at>>3:])>>(at&7)&mask)
	}
	p.bytes = p.bytes[high*blockSize/8:]
	p.n = blockSize
}

func (p *postings) rest() {
	doc := p.before
	for i := range p.left {
		gap, n := binary.Uvarint(p.bytes)
		doc += int(gap>>1) + 1
		p.docs[i], p.counts[i] = uint16(doc), 1
		p.bytes = p.bytes[n:]
		if gap&1 == 1 {
			p.counts[i] += p.bytes[0]
			p.bytes = p.bytes[1:]
		}
	}
	p.n = p.left
}

// all reads what is left of a list, counting documents from a number up.
func (p *postings) all(docs []uint16, counts []uint8, from uint16) ([]uint16, []uint8) {
	for p.next() {
		for _, d := range p.docs[:p.n] {
			docs = append(docs, from+d)
		}
		counts = append(counts, p.counts[:p.n]...)
	}
	return docs, counts
}
