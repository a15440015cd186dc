package recall

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"nacre/memory/recall/terms"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
)

// meanings is an Embedder that knows what a few words mean, and keeps vectors.
type meanings struct {
	mu     sync.Mutex // guards what follows
	texts  []string   // that were embedded
	stored map[Key][]float32

	fail error         // that Embed returns
	slow time.Duration // that it takes
}

var senses = map[string][]float32{
	"bicycle": {1, 0, 0}, "cycling": {0.9, 0.1, 0}, "soup": {0, 1, 0}, "harbour": {0, 0, 1},
}

func (m *meanings) Name() string { return "senses" }

func (m *meanings) Embed(ctx context.Context, _ nacre.OwnerID, texts []string) ([][]float32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return nil, m.fail
	}
	if m.slow > 0 {
		select {
		case <-time.After(m.slow):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	m.texts = append(m.texts, texts...)
	var vectors [][]float32
	for _, text := range texts {
		vector := []float32{0, 0, 0}
		for word := range strings.FieldsSeq(text) {
			for i, n := range senses[word] {
				vector[i] += n
			}
		}
		vectors = append(vectors, vector)
	}
	return vectors, nil
}

func (m *meanings) PutVectors(_ context.Context, owner nacre.OwnerID, model string, vectors map[Key][]float32) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, vector := range vectors {
		m.stored[k] = vector
	}
	return nil
}

func (m *meanings) Vectors(_ context.Context, owner nacre.OwnerID, model string, yield func(Key, []float32)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, vector := range m.stored {
		yield(k, vector)
	}
	return nil
}

func (m *meanings) options() Options {
	m.stored = map[Key][]float32{}
	return Options{Terms: terms.New([]string{"en"}), Embedder: m, Vectors: m}
}

func TestMeaningFindsOtherWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, model := newMemStore(), &meanings{}
		keys := store.say(ann, lines("my bicycle squeaks", "the soup is cold", "a walk to the harbour")...)
		x := New(store, model.options())
		defer x.Close()
		x.Warm(ann)
		synctest.Wait()
		best := func() string {
			res := find(t, x, ann, Query{Text: "cycling"})
			if len(res.Hits) == 0 {
				return ""
			}
			return res.Hits[0].Text.Text
		}
		if got := best(); got != "my bicycle squeaks" {
			t.Errorf("found %q, want what means the same", got)
		}
		for _, h := range find(t, x, ann, Query{Text: "cycling"}).Hits {
			if h.Meant != (h.Key == keys[0]) {
				t.Errorf("%q is meant: %v", h.Text.Text, h.Meant)
			}
		}
		store.say(ann, Doc{Text: "cycling cycling"})
		best()
		synctest.Wait()
		if got := best(); got != "cycling cycling" {
			t.Errorf("found %q first, want the message with the word", got)
		}
		store.erase(ann, keys[0])
		delete(model.stored, keys[0])
		x.Drop(ann)
		model.texts = nil
		best()
		synctest.Wait()
		if got := fmt.Sprint(find(t, x, ann, Query{Text: "cycling"}).Hits); strings.Contains(got, "squeaks") {
			t.Errorf("found what was erased: %s", got)
		}
		for _, text := range model.texts {
			if text != "cycling" {
				t.Errorf("embedded %q again", text)
			}
		}
	})
}

func TestMeaningIsNotWaitedFor(t *testing.T) {
	for _, c := range []struct {
		name  string
		model *meanings
		most  time.Duration
	}{
		{"fails", &meanings{fail: errors.New("no such model")}, 0},
		{"hangs", &meanings{slow: time.Hour}, askTimeout},
	} {
		synctest.Test(t, func(t *testing.T) {
			store := newMemStore()
			store.say(ann, lines("my bicycle squeaks", "the soup is cold")...)
			opts := c.model.options()
			c.model.stored[100] = []float32{1, 0, 0}
			c.model.stored[101] = []float32{0, 1, 0}
			x := New(store, opts)
			defer x.Close()
			x.Warm(ann)
			synctest.Wait()
			began := time.Now()
			if res := find(t, x, ann, Query{Text: "soup"}); texts(res) != "the soup is cold" {
				t.Errorf("%s: found %q", c.name, texts(res))
			}
			if took := time.Since(began); took > c.most {
				t.Errorf("%s: waited %v, want at most %v", c.name, took, c.most)
			}
		})
	}
}

func TestNearestIsByCosine(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	random := func() []float32 {
		vector := make([]float32, 64)
		for i := range vector {
			vector[i] = float32(r.NormFloat64() * 3)
		}
		return vector
	}
	list := randomSaid(r, 400)
	v := newView(segmentsOf(r, list), nil, filter{}, window{10, 350})
	var vectors table
	exact := map[docID]float64{}
	asked := random()
	for d := range docID(400) {
		vector := random()
		vectors.add(d, quantise(vector))
		exact[d] = cosine(asked, vector)
	}
	hits := vectors.nearest(v, quantise(asked), 400)
	if len(hits) < 100 {
		t.Fatalf("%d near, want about half of 341", len(hits))
	}
	for i, h := range hits {
		if h.doc < 10 || h.doc > 350 {
			t.Errorf("document %d is outside of the view", h.doc)
		}
		if math.Abs(h.score-exact[h.doc]) > 0.02 || i > 0 && h.score > hits[i-1].score {
			t.Errorf("hit %d: document %d at %.3f, want %.3f", i, h.doc, h.score, exact[h.doc])
		}
	}
	for _, none := range [][]float32{nil, make([]float32, 64), {float32(math.NaN())}, {float32(math.Inf(1))}, {1}} {
		if vectors.add(401, quantise(none)) {
			t.Errorf("took in %v", none)
		}
	}
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}
