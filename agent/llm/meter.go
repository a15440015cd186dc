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

// Meter returns a Model that asks m and tells book what each call used, also
// one that failed after tokens were counted. It belongs around one provider,
// inside Retry and Fallback, which call it several times for one answer. Counts
// that cannot be true are clamped: a broken server must neither empty a budget
// nor refill it.
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
	resp, err := m.model.Complete(ctx, req, emit)
	if used := clamp(resp.Usage); err == nil || used != (Usage{}) {
		s := Spend{Model: m.name, Usage: used, Priced: m.price.Known}
		if s.Priced {
			s.Cost = m.price.Cost(used)
		}
		m.book.Spend(req.Account, s)
	}
	return resp, err
}

// clamp makes each count possible, and the cached ones parts of Input.
func clamp(u Usage) Usage {
	u.Input = min(max(0, u.Input), mostTokens)
	u.Output = min(max(0, u.Output), mostTokens)
	u.CacheRead = min(max(0, u.CacheRead), u.Input)
	u.CacheWrite = min(max(0, u.CacheWrite), u.Input-u.CacheRead)
	return u
}
