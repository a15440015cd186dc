package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"nacre/memory"
	"nacre/memory/recall"
)

// qualityReport is what -locomo prints. Adversarial questions, whose answer is not
// in the conversation as they ask, stand apart.
type qualityReport struct {
	Overall     metrics            `json:"categories 1-4"`
	Adversarial metrics            `json:"category 5"`
	Categories  map[string]metrics `json:"by category"`
	LeftOut     int                `json:"questions left out"`
	Latency     latency            `json:"latency"`
	Heap        float64            `json:"heap_mib"` // with the texts, that are in memory here
}

// adversarial is the category of questions whose answer is not there.
const adversarial = 5

// quality asks all questions of a file.
func quality(ctx context.Context, file string, typos, captions bool) (qualityReport, error) {
	conversations, err := load(file, captions)
	if err != nil {
		return qualityReport{}, err
	}
	if len(conversations) == 0 {
		return qualityReport{}, fmt.Errorf("%s has no conversation in it", file)
	}
	t := tally{categories: map[int]*metrics{}}
	if typos {
		t.typos = rand.New(rand.NewPCG(1, 2))
	}
	for _, c := range conversations {
		if err := t.run(ctx, c); err != nil {
			return qualityReport{}, err
		}
	}
	return t.report(), nil
}

// tally adds up what questions found.
type tally struct {
	typos      *rand.Rand // nil for questions as they are
	categories map[int]*metrics
	skipped    int
	times      []time.Duration
	heap       float64
}

// run asks the questions of one conversation of an index of its own.
func (t *tally) run(ctx context.Context, c conversation) error {
	index := recall.New(c.store, recall.Options{Log: slog.New(slog.DiscardHandler)})
	defer index.Close()
	if _, err := complete(ctx, index, c.end); err != nil {
		return err
	}
	t.skipped += c.skipped
	for _, q := range c.questions {
		if t.typos != nil {
			q.text = misspell(q.text, t.typos)
		}
		if err := t.ask(ctx, index, q, c.end); err != nil {
			return err
		}
	}
	t.heap = max(t.heap, heap())
	return nil
}

func (t *tally) ask(ctx context.Context, index *recall.Index, q question, now time.Time) error {
	began := time.Now()
	res, err := index.Search(ctx, owner, recall.Query{Text: q.text, Scope: memory.Private, Now: now, Limit: recall.MaxLimit})
	if err != nil {
		return err
	}
	t.times = append(t.times, time.Since(began))
	found := make([]recall.Key, len(res.Hits))
	for i, h := range res.Hits {
		found[i] = h.Key
	}
	if t.categories[q.category] == nil {
		t.categories[q.category] = &metrics{}
	}
	t.categories[q.category].add(found, q.evidence)
	return nil
}

func (t *tally) report() qualityReport {
	r := qualityReport{Categories: map[string]metrics{}, LeftOut: t.skipped, Latency: latencyOf(t.times), Heap: t.heap}
	for category, m := range t.categories {
		r.Categories[fmt.Sprint(category)] = m.mean()
		if category == adversarial {
			r.Adversarial = m.mean()
		} else {
			r.Overall.join(*m)
		}
	}
	r.Overall = r.Overall.mean()
	return r
}

// complete waits until everything is searchable and returns how long it took.
func complete(ctx context.Context, index *recall.Index, now time.Time) (time.Duration, error) {
	began := time.Now()
	for {
		res, err := index.Search(ctx, owner, recall.Query{Text: "?", Scope: memory.Private, Now: now, Limit: 1})
		if err != nil || res.Complete {
			return time.Since(began), err
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}
