package recall

import (
	"math"
)

// table holds the vectors of a scope's messages, a byte for each number. It only
// grows, so that a copy of it stays as it is.
type table struct {
	width int // numbers in a vector; 0 before the first one
	docs  []docID
	norms []float32 // of the vectors
	codes []int8    // width of them for each document
}

// add takes a vector in; false if it is of another width, or is none.
func (t *table) add(d docID, codes []int8) bool {
	if len(codes) == 0 || t.width != 0 && t.width != len(codes) {
		return false
	}
	t.width = len(codes)
	t.docs = append(t.docs, d)
	t.norms = append(t.norms, float32(norm(codes)))
	t.codes = append(t.codes, codes...)
	return true
}

// bytes is what the table takes in memory.
func (t *table) bytes() int64 { return int64(cap(t.codes) + 4*cap(t.norms) + 4*cap(t.docs)) }

// quantise rounds a vector so that its largest number becomes 127: what is left is
// its direction. It is nil for a vector that has none.
func quantise(vector []float32) []int8 {
	largest := float32(0)
	for _, n := range vector {
		largest = max(largest, n, -n)
	}
	if !(largest > 0) || math.IsInf(float64(largest), 0) {
		return nil
	}
	codes := make([]int8, len(vector))
	for i, n := range vector {
		codes[i] = int8(math.Round(float64(n / largest * 127)))
	}
	return codes
}

// nearest are the n messages of a view whose vectors point most nearly where
// another does; their scores are cosines. Those that point away are left out.
func (t *table) nearest(v *view, codes []int8, n int) []hit {
	if len(codes) == 0 || len(codes) != t.width || len(v.parts) == 0 {
		return nil
	}
	best, length := podium{room: n}, norm(codes)
	for i, d := range t.docs {
		p, doc, found := v.place(d)
		if !found || !p.shown.has(doc) {
			continue
		}
		row := t.codes[i*t.width : (i+1)*t.width]
		if cosine := dot(codes, row) / (length * float64(t.norms[i])); cosine > 0 {
			best.offer(hit{d, cosine})
		}
	}
	return best.sorted()
}

func norm(codes []int8) float64 { return math.Sqrt(dot(codes, codes)) }

func dot(a, b []int8) float64 {
	sum := int32(0)
	for i, n := range a {
		sum += int32(n) * int32(b[i])
	}
	return float64(sum)
}
