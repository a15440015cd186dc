package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"sync"
	"testing"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// modelFunc is a Model that is one function.
type modelFunc func() (llm.Response, error)

func (f modelFunc) Complete(context.Context, llm.Request, func(string)) (llm.Response, error) {
	return f()
}

// book is a Book in memory, in which a month has one day.
type book struct {
	mu     sync.Mutex
	spends map[string][]llm.Spend
	err    error
}

func (b *book) Spend(account string, s llm.Spend) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spends == nil {
		b.spends = map[string][]llm.Spend{}
	}
	b.spends[account] = append(b.spends[account], s)
}

func (b *book) Spent(_ context.Context, account string) (day, month llm.Total, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var t llm.Total
	for who, spends := range b.spends {
		for _, s := range spends {
			if account == "" || account == who {
				t.Calls++
				t.Input += int64(s.Usage.Input)
				t.Output += int64(s.Usage.Output)
				t.Cost += s.Cost
			}
		}
	}
	return t, t, b.err
}

func TestPriceCost(t *testing.T) {
	price := llm.Price{Input: 3, Output: 15, CacheRead: 0.3, CacheWrite: 3.75, Known: true}
	tests := []struct {
		name  string
		price llm.Price
		usage llm.Usage
		want  int64
	}{
		{"nothing", price, llm.Usage{}, 0},
		{"input", price, llm.Usage{Input: 1_000_000}, 3e9},
		{"output", price, llm.Usage{Output: 1_000_000}, 15e9},
		{"one token", price, llm.Usage{Input: 1}, 3000},
		{"all kinds", price, llm.Usage{Input: 1000, Output: 10, CacheRead: 600, CacheWrite: 300}, 100*3000 + 600*300 + 300*3750 + 10*15000},
		{"rounded up", llm.Price{Input: 0.0006}, llm.Usage{Input: 1}, 1},
		{"rounded down", llm.Price{Input: 0.0004}, llm.Usage{Input: 1}, 0},
		{"free", llm.Price{Known: true}, llm.Usage{Input: 1000}, 0},
		{"negative price", llm.Price{Input: -1}, llm.Usage{Input: 1000}, 0},
		{"no number", llm.Price{Input: math.NaN()}, llm.Usage{Input: 1000}, 0},
		{"absurd price", llm.Price{Input: 1e30}, llm.Usage{Input: 1000}, 1e15},
	}
	for _, tt := range tests {
		if got := tt.price.Cost(tt.usage); got != tt.want {
			t.Errorf("%s: %d; want %d", tt.name, got, tt.want)
		}
	}
}

func TestMeter(t *testing.T) {
	price := llm.Price{Input: 1, Output: 2, CacheRead: 0.1, CacheWrite: 1.25, Known: true}
	broken := errors.New("broken")
	const most = 10_000_000
	tests := []struct {
		name  string
		price llm.Price
		usage llm.Usage
		err   error
		want  []llm.Spend
	}{
		{"priced", price, llm.Usage{Input: 100, Output: 10, CacheRead: 50}, nil,
			[]llm.Spend{{Model: "m", Usage: llm.Usage{Input: 100, Output: 10, CacheRead: 50}, Cost: 75_000, Priced: true}}},
		{"unknown price", llm.Price{Input: 1}, llm.Usage{Input: 100}, nil, []llm.Spend{{Model: "m", Usage: llm.Usage{Input: 100}}}},
		{"no usage told", price, llm.Usage{}, nil, []llm.Spend{{Model: "m", Priced: true}}},
		{"failed after counting", price, llm.Usage{Output: 10}, broken,
			[]llm.Spend{{Model: "m", Usage: llm.Usage{Output: 10}, Cost: 20_000, Priced: true}}},
		{"failed before", price, llm.Usage{}, broken, nil},
		{"negative counts", price, llm.Usage{Input: -5, Output: -5, CacheRead: -5, CacheWrite: -5}, nil, []llm.Spend{{Model: "m", Priced: true}}},
		{"more cached than sent", price, llm.Usage{Input: 100, CacheRead: 150, CacheWrite: 10}, nil,
			[]llm.Spend{{Model: "m", Usage: llm.Usage{Input: 100, CacheRead: 100}, Cost: 10_000, Priced: true}}},
		{"absurd counts", price, llm.Usage{Input: math.MaxInt, Output: math.MaxInt, CacheRead: math.MaxInt, CacheWrite: math.MaxInt}, nil,
			[]llm.Spend{{Model: "m", Usage: llm.Usage{Input: most, Output: most, CacheRead: most}, Cost: 21e9, Priced: true}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &book{}
			answer := llm.Response{Text: "hi", Usage: tt.usage}
			m := llm.Meter(modelFunc(func() (llm.Response, error) { return answer, tt.err }), "m", tt.price, b)
			resp, err := m.Complete(t.Context(), llm.Request{Account: "ann"}, nil)
			if err != tt.err || !reflect.DeepEqual(resp, answer) {
				t.Errorf("got %+v, %v; want what the model gave", resp, err)
			}
			if got := b.spends["ann"]; !reflect.DeepEqual(got, tt.want) {
				t.Errorf("spent %+v; want %+v", got, tt.want)
			}
		})
	}
}

// A server that counts nothing, and a person who stops every answer, cost what
// was said, by an estimate.
func TestMeterEstimates(t *testing.T) {
	const half, whole = "eight by", "sixteen bytes ab"
	req := llm.Request{
		System: whole, Tail: half,
		Tools: []llm.ToolSpec{{Name: "calc", Description: half, Schema: json.RawMessage(`{  }`)}},
		Messages: []llm.Message{
			{Role: llm.User, Text: half, Images: []llm.Image{{Data: make([]byte, 1000)}}},
			{Role: llm.Assistant, Calls: []llm.ToolCall{{Name: "calc", Args: json.RawMessage(`{  }`)}}},
		},
	}
	const input = (16 + 8 + 4 + 8 + 4 + 8 + 4 + 4) / 4
	stopped := &llm.Error{Cause: llm.Network}
	tests := []struct {
		name  string
		emits string
		resp  llm.Response
		err   error
		want  []llm.Usage
	}{
		{"counted", whole, llm.Response{Text: whole, Usage: llm.Usage{Input: 9, Output: 3}}, nil, []llm.Usage{{Input: 9, Output: 3}}},
		{"not counted", whole, llm.Response{Text: whole}, nil, []llm.Usage{{Input: input, Output: 4}}},
		{"calls not counted", "", llm.Response{Calls: []llm.ToolCall{{Name: "calc", Args: json.RawMessage(`{}  `)}}}, nil, []llm.Usage{{Input: input, Output: 2}}},
		{"input not counted", "", llm.Response{Usage: llm.Usage{Output: 3}}, nil, []llm.Usage{{Input: input, Output: 3}}},
		{"cut", half, llm.Response{}, stopped, []llm.Usage{{Input: input, Output: 2}}},
		{"cut after its beginning was counted", whole, llm.Response{Usage: llm.Usage{Input: 9, Output: 1}}, stopped, []llm.Usage{{Input: 9, Output: 4}}},
		{"cut before any text", "", llm.Response{Model: "m-1"}, context.Canceled, []llm.Usage{{Input: input}}},
		{"never begun", "", llm.Response{}, stopped, nil},
	}
	for _, tt := range tests {
		b := &book{}
		m := llm.Meter(emitter{tt.emits, tt.resp, tt.err}, "m", llm.Price{}, b)
		m.Complete(t.Context(), req, func(string) {})
		var got []llm.Usage
		for _, s := range b.spends[""] {
			got = append(got, s.Usage)
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v; want %+v", tt.name, got, tt.want)
		}
	}
}

// emitter is a Model that emits a text and then ends.
type emitter struct {
	text string
	resp llm.Response
	err  error
}

func (e emitter) Complete(_ context.Context, _ llm.Request, emit func(string)) (llm.Response, error) {
	if e.text != "" {
		emit(e.text)
	}
	return e.resp, e.err
}

// Every try of a Retry is paid for.
func TestMeterInsideRetry(t *testing.T) {
	b := &book{}
	tries := 0
	m := llm.Meter(modelFunc(func() (llm.Response, error) {
		tries++
		if tries == 1 {
			return llm.Response{Usage: llm.Usage{Input: 7}}, &llm.Error{Cause: llm.Network}
		}
		return llm.Response{Usage: llm.Usage{Input: 8}}, nil
	}), "m", llm.Price{}, b)
	if _, err := llm.Retry(m, llm.Policy{Base: 1}).Complete(t.Context(), ask, nil); err != nil {
		t.Fatal(err)
	}
	if got := b.spends[""]; len(got) != 2 || got[0].Usage.Input != 7 || got[1].Usage.Input != 8 {
		t.Errorf("spent %+v", got)
	}
}

func TestMeterIsSafe(t *testing.T) {
	b := &book{}
	m := llm.Meter(&llmtest.Model{}, "m", llm.Price{}, b)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { m.Complete(t.Context(), ask, nil) })
	}
	wg.Wait()
	if got := len(b.spends[""]); got != 50 {
		t.Errorf("%d calls counted; want 50", got)
	}
}
