package recall

import (
	"context"
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"time"

	"nacre"
	"nacre/memory"
)

// synthetic is a Store of many messages, made up again each time they are read: 23
// words each, as frequent as words of a language are, ten of them stop words.
type synthetic struct {
	n    int       // messages there are
	cdf  []float64 // of the words, the most frequent first
	stop []string
}

const (
	syntheticWords = 200_000
	syntheticOwner = nacre.OwnerID("o")
)

func newSynthetic(n int) *synthetic {
	s := &synthetic{n: n, cdf: make([]float64, syntheticWords), stop: strings.Fields("the and of to in is it you that a")}
	sum := 0.0
	for i := range s.cdf {
		sum += math.Pow(8+float64(i), -1.07)
		s.cdf[i] = sum
	}
	for i := range s.cdf {
		s.cdf[i] /= sum
	}
	return s
}

func (s *synthetic) word(r *rand.Rand) string { return spell(sort.SearchFloat64s(s.cdf, r.Float64())) }

// spell makes a word of a number, of two syllables or more.
func spell(n int) string {
	const consonants, vowels = "bdfgklmnprtvz", "aiou"
	var b []byte
	for n += 52; n > 0; n /= 52 {
		b = append(b, consonants[n%52/4], vowels[n%4])
	}
	return string(b)
}

// words are so many words as they are said.
func (s *synthetic) words(r *rand.Rand, n int) string {
	var list []string
	for range n {
		if r.IntN(23) < 10 {
			list = append(list, s.stop[r.IntN(len(s.stop))])
		} else {
			list = append(list, s.word(r))
		}
	}
	return strings.Join(list, " ")
}

func (s *synthetic) doc(i int) Doc {
	r := rand.New(rand.NewPCG(1, uint64(i)))
	author := ByOwner
	if i&1 == 1 {
		author = ByAssistant
	}
	return Doc{Key: Key(i + 1), Session: nacre.SessionID([]string{"telegram", "whatsapp", "web"}[i>>6%3]),
		Author: author, Sent: syntheticEpoch.Add(time.Duration(i) * 5 * time.Minute), Text: s.words(r, 23)}
}

var syntheticEpoch = time.Date(2016, 1, 1, 0, 0, 0, 0, time.UTC)

func (s *synthetic) Mark(context.Context, nacre.OwnerID) (Mark, error) {
	return Mark{Said: int64(s.n)}, nil
}

func (s *synthetic) Before(_ context.Context, _ nacre.OwnerID, m Mark, yield func(Doc) bool) error {
	for i := int(m.Said) - 1; i >= 0; i-- {
		if !yield(s.doc(i)) {
			return nil
		}
	}
	return nil
}

func (s *synthetic) Since(_ context.Context, _ nacre.OwnerID, m Mark, yield func(Doc)) (Mark, error) {
	for i := int(m.Said); i < s.n; i++ {
		yield(s.doc(i))
	}
	return Mark{Said: int64(s.n)}, nil
}

func (s *synthetic) Texts(_ context.Context, _ nacre.OwnerID, keys []Key) (map[Key]Text, error) {
	texts := map[Key]Text{}
	for _, k := range keys {
		texts[k] = Text{Doc: s.doc(int(k) - 1)}
	}
	return texts, nil
}

func (s *synthetic) Near(context.Context, nacre.OwnerID, memory.Scope, Key, int) ([]Text, error) {
	return nil, nil
}
