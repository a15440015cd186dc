package keys

import (
	"crypto/sha256"
	"math"
	"math/rand/v2"
	"sync"

	"nacre/memory/recall/terms"
)

// dims is how many frequencies a vector has.
const dims = 2048

// vector is a phasor for each frequency, as an angle in 256ths of a turn.
type vector [dims]uint8

// spectrum is a sum of vectors.
type spectrum [dims]complex64

// vectorOf is the vector of a name among those of a kind: always the same, and as
// good as at right angles to all others.
func vectorOf(kind, name string) (v vector) {
	rand.NewChaCha8(sha256.Sum256([]byte("nacre holographic memory\x00" + kind + "\x00" + name))).Read(v[:])
	return v
}

// phasors are the 256 angles.
var phasors = sync.OnceValue(func() *[256]complex64 {
	var list [256]complex64
	for i := range list {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 256)
		list[i] = complex(float32(cos), float32(sin))
	}
	return &list
})

// add lays a vector over a sum.
func (s *spectrum) add(v *vector, weight float64) {
	p, w := phasors(), complex(float32(weight), 0)
	for d := range s {
		s[d] += w * p[v[d]]
	}
}

// piece is a part of a word, by which what is mistyped still resembles it.
type piece struct {
	name   string
	weight float64
}

// What a word is worth as itself and as its pieces; together 1 in energy.
const (
	wordShare   = 0.3
	pieceShare  = 0.95
	pieceLength = 3
)

// pieces takes a word apart. One that is short, or is no word, is one piece.
func pieces(t terms.Token, weight float64) []piece {
	marked := []rune("^" + t.Form + "$")
	n := len(marked) - pieceLength + 1
	if t.Kind != terms.Word || n < 3 {
		return []piece{{"=" + t.Form, weight}}
	}
	list := []piece{{"=" + t.Form, weight * wordShare}}
	for i := range n {
		list = append(list, piece{string(marked[i : i+pieceLength]), weight * pieceShare / math.Sqrt(float64(n))})
	}
	return list
}
