package llm

import (
	"context"
	"math"
)

// Price is what a provider asks for a model, in dollars per million tokens. A
// price that is not Known is not zero: its tokens are counted apart.
type Price struct {
	Input      float64
	Output     float64
	CacheRead  float64
	CacheWrite float64
	Known      bool
}

// Cost is the price of u in billionths of a dollar, rounded and never negative:
// tokens that were read from a cache or written to one are not paid as Input.
func (p Price) Cost(u Usage) int64 {
	plain := u.Input - u.CacheRead - u.CacheWrite
	micros := float64(plain)*p.Input + float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite + float64(u.Output)*p.Output
	nanos := math.Round(micros * 1000)
	if !(nanos > 0) { // so that it catches NaN
		return 0
	}
	return int64(min(nanos, mostCost))
}

const (
	mostTokens = 10_000_000 // of one count; several times the largest window
	mostCost   = 1e15       // a million dollars, so that a mistyped price cannot overflow a sum
)

// Spend is what one call used.
type Spend struct {
	Model  string // the name that the Meter was given
	Usage  Usage
	Cost   int64 // billionths of a dollar
	Priced bool  // false: the price is unknown and Cost is 0
}

// Meter returns a Model that asks m and tells book, and Counting, what each call
// used, also one that failed after the provider had begun to answer. It belongs around one
// provider, inside Retry and Fallback, which call it several times for one
// answer. Counts that cannot be true are clamped: a broken server must neither
// empty a budget nor refill it.
//
// Counts that never came are estimated, at four bytes a token, so that neither a
// server that tells none nor a person who stops every answer goes beyond a
// budget: those of the request, pictures left out, and those of the text that
// was emitted. Reasoning that nobody saw is not in the estimate.
func Meter(m Model, name string, price Price, book Book) Model {
	return &meter{m, name, price, book}
}

type meter struct {
	model Model
	name  string
	price Price
	book  Book
}

func (m *meter) Complete(ctx context.Context, req Request, emit func(string)) (Response, error) {
	emitted, counted := tally(emit)
	resp, err := m.model.Complete(ctx, req, counted)
	begun := resp.Model != "" || resp.Usage != (Usage{}) || *emitted > 0
	if err == nil || begun {
		m.spend(ctx, req.Account, completed(clamp(resp.Usage), &req, &resp, *emitted, err != nil))
	}
	return resp, err
}

func (m *meter) spend(ctx context.Context, account string, used Usage) {
	s := Spend{Model: m.name, Usage: used, Priced: m.price.Known}
	if s.Priced {
		s.Cost = m.price.Cost(used)
	}
	m.book.Spend(account, s)
	countedIn(ctx).add(s)
}

// tokenBytes is what a token holds, about, in most languages.
const tokenBytes = 4

// completed returns u with estimates for what was not counted. A cut answer
// counted at most its beginning.
func completed(u Usage, req *Request, resp *Response, emitted int, cut bool) Usage {
	if u.Input == 0 {
		u.Input = size(req) / tokenBytes
	}
	if u.Output == 0 || cut {
		written := len(resp.Text)
		for _, c := range resp.Calls {
			written += len(c.Name) + len(c.Args)
		}
		u.Output = max(u.Output, max(written, emitted)/tokenBytes)
	}
	return u
}

// tally returns an emit, nil if emit is, that counts the bytes it passes on.
func tally(emit func(string)) (bytes *int, counted func(string)) {
	bytes = new(int)
	if emit == nil {
		return bytes, nil
	}
	return bytes, func(text string) {
		*bytes += len(text)
		emit(text)
	}
}

// size is the bytes of the words in req.
func size(req *Request) int {
	n := len(req.System) + len(req.Tail)
	for i := range req.Tools {
		t := &req.Tools[i]
		n += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	for i := range req.Messages {
		n += len(req.Messages[i].Text)
		for _, c := range req.Messages[i].Calls {
			n += len(c.Name) + len(c.Args)
		}
	}
	return n
}

// clamp makes each count possible, and the cached ones parts of Input.
func clamp(u Usage) Usage {
	u.Input = min(max(0, u.Input), mostTokens)
	u.Output = min(max(0, u.Output), mostTokens)
	u.CacheRead = min(max(0, u.CacheRead), u.Input)
	u.CacheWrite = min(max(0, u.CacheWrite), u.Input-u.CacheRead)
	return u
}
