package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/recall"
)

// Shape of the made-up messages.
const (
	wordsEach  = 23
	vocabulary = 100_000
	perSession = 400
	small      = 50_000 // the newest that are to be searchable at once; also measured alone
	requests   = 300
)

// speedReport is what -scale prints.
type speedReport struct {
	All   pace `json:"all"`
	Small pace `json:"small"`
}

// pace is how fast an index over some messages is.
type pace struct {
	Messages int     `json:"messages"`
	Newest   float64 `json:"newest_searchable_s"` // until the newest 50,000 are
	Complete float64 `json:"all_searchable_s"`
	Latency  latency `json:"latency"`
	Heap     float64 `json:"heap_mib"` // of the index alone
}

// speed measures an index over so many messages, and over the newest 50,000.
func speed(ctx context.Context, messages int) (speedReport, error) {
	var r speedReport
	var err error
	if r.Small, err = measure(ctx, min(small, messages)); err != nil {
		return r, err
	}
	r.All, err = measure(ctx, messages)
	return r, err
}

func measure(ctx context.Context, messages int) (pace, error) {
	w := newWriter()
	s := w.store(messages)
	p := pace{Messages: messages}
	before := heap()
	index := recall.New(s, recall.Options{Memory: 1 << 30, Log: slog.New(slog.DiscardHandler)})
	defer index.Close()
	var err error
	if p.Newest, p.Complete, err = build(ctx, index, w.now, messages); err != nil {
		return p, err
	}
	p.Heap = heap() - before
	p.Latency, err = respond(ctx, index, w)
	runtime.KeepAlive(s)
	return p, err
}

// build waits for the newest messages and for all, and returns the seconds.
func build(ctx context.Context, index *recall.Index, now time.Time, messages int) (newest, all float64, err error) {
	began := time.Now()
	for {
		// Every made-up message has the common word: the hits count what is there.
		res, err := index.Search(ctx, owner, recall.Query{Text: common, Scope: memory.Private, Now: now, Limit: 1, Order: recall.Newest})
		if err != nil {
			return 0, 0, err
		}
		seconds := time.Since(began).Seconds()
		if newest == 0 && res.Total >= min(small, messages) {
			newest = seconds
		}
		if res.Complete {
			return newest, seconds, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// respond asks natural requests of ten words.
func respond(ctx context.Context, index *recall.Index, w *writer) (latency, error) {
	var times []time.Duration
	for range requests {
		q := recall.Query{Text: w.text(10), Scope: memory.Private, Now: w.now, Limit: 10}
		began := time.Now()
		if _, err := index.Search(ctx, owner, q); err != nil {
			return latency{}, err
		}
		times = append(times, time.Since(began))
	}
	return latencyOf(times), nil
}

// heap is the memory in use after a collection, in MiB.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

// common is a word that every made-up message has.
const common = "zzz"

// writer makes up messages whose words are as frequent as those of a language
// (Zipf), stop words among them.
type writer struct {
	random *rand.Rand
	zipf   *rand.Zipf
	words  []string
	now    time.Time
}

func newWriter() *writer {
	random := rand.New(rand.NewPCG(3, 4))
	w := &writer{random: random, zipf: rand.NewZipf(random, 1.07, 2, vocabulary-1), now: time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)}
	w.words = strings.Fields("the i you and to a it of that in is my for on me was we have with so but be at this not do are")
	for len(w.words) < vocabulary {
		w.words = append(w.words, w.word())
	}
	return w
}

// word is made of syllables.
func (w *writer) word() string {
	var b strings.Builder
	for range 2 + w.random.IntN(3) {
		b.WriteByte("bdfgklmnprstvw"[w.random.IntN(14)])
		b.WriteByte("aeiou"[w.random.IntN(5)])
	}
	return b.String()
}

func (w *writer) text(words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = w.words[w.zipf.Uint64()]
	}
	return strings.Join(list, " ")
}

// store holds messages of the owner and answers of the assistant by turns.
func (w *writer) store(messages int) *store {
	s := &store{}
	for i := range messages {
		author := recall.ByOwner
		if i%2 == 1 {
			author = recall.ByAssistant
		}
		s.add(recall.Doc{
			Session: nacre.SessionID(fmt.Sprint(i / perSession)), Scope: memory.Private, Author: author,
			Sent: w.now.Add(time.Duration(i-messages) * 10 * time.Minute), Text: w.text(wordsEach-1) + " " + common,
		})
	}
	return s
}
