package llm_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// calendar is a Book with fixed totals: a day and a month of each account.
type calendar map[string][2]llm.Total

func (c calendar) Spend(string, llm.Spend) {}

func (c calendar) Spent(_ context.Context, account string) (day, month llm.Total, err error) {
	return c[account][0], c[account][1], nil
}

func TestBudget(t *testing.T) {
	b := calendar{
		"ann": {{Cost: 2e9, Input: 900, Output: 100, Unpriced: 50}, {Cost: 10e9, Input: 9000, Output: 1000}},
		"":    {{Cost: 5e9, Input: 2000}, {Cost: 50e9, Input: 20_000}},
	}
	tests := []struct {
		name    string
		account string
		limits  llm.Limits
		want    string // the refusal, empty for an answer
	}{
		{"none", "ann", llm.Limits{}, ""},
		{"below all", "ann", llm.Limits{llm.Limit{2e9 + 1, 1001}, llm.Limit{10e9 + 1, 10_001}, llm.Limit{5e9 + 1, 2001}, llm.Limit{50e9 + 1, 20_001}}, ""},
		{"day's money", "ann", llm.Limits{OwnerDay: llm.Limit{Cost: 2e9}}, "Your budget of $2.00 a day is used up; it is free again at midnight."},
		{"day's tokens", "ann", llm.Limits{OwnerDay: llm.Limit{Tokens: 1000}}, "Your budget of 1,000 tokens a day is used up; it is free again at midnight."},
		{"month's money", "ann", llm.Limits{OwnerMonth: llm.Limit{Cost: 9_500_000_000}}, "Your budget of $9.50 a month is used up; it is free again on the first of next month."},
		{"month before day", "ann", llm.Limits{OwnerDay: llm.Limit{Cost: 1}, OwnerMonth: llm.Limit{Tokens: 10}}, "Your budget of 10 tokens a month is used up; it is free again on the first of next month."},
		{"everybody's day", "ann", llm.Limits{Day: llm.Limit{Cost: 1_234_500_000, Tokens: 1e6}}, "This installation's budget of $1.2345 a day is used up; it is free again at midnight."},
		{"everybody's month", "ann", llm.Limits{Month: llm.Limit{Tokens: 12_345}}, "This installation's budget of 12,345 tokens a month is used up; it is free again on the first of next month."},
		{"another account", "bob", llm.Limits{OwnerDay: llm.Limit{Cost: 1}, OwnerMonth: llm.Limit{Cost: 1}}, ""},
		{"another account counts for all", "bob", llm.Limits{Day: llm.Limit{Cost: 1}}, "This installation's budget of $0.000000001 a day is used up; it is free again at midnight."},
		{"no account has no owner's limit", "", llm.Limits{OwnerDay: llm.Limit{Cost: 1}}, ""},
		{"no account", "", llm.Limits{Day: llm.Limit{Cost: 5e9}}, "This installation's budget of $5.00 a day is used up; it is free again at midnight."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := llmtest.NewModel(llmtest.Step{Text: "done"})
			resp, err := llm.Budget(double, b, tt.limits).Complete(t.Context(), llm.Request{Account: tt.account}, nil)
			if tt.want == "" {
				if err != nil || resp.Text != "done" {
					t.Errorf("got %q, %v; want the answer", resp.Text, err)
				}
				return
			}
			var e *llm.Error
			if !errors.As(err, &e) || e.Cause != llm.Spent || e.Provider != "budget" || e.After != 0 || e.Message != tt.want {
				t.Errorf("got %v; want %q", err, tt.want)
			}
			if len(double.Requests()) != 0 {
				t.Error("the provider was asked")
			}
		})
	}
}

func TestBudgetWithoutLimits(t *testing.T) {
	m := llmtest.NewModel()
	if got := llm.Budget(m, calendar{}, llm.Limits{}); got != llm.Model(m) {
		t.Errorf("got a %T; want the model itself", got)
	}
}

// A Budget and a Meter over one Book end at the limit, whatever it was over.
func TestBudgetWithMeter(t *testing.T) {
	b := &book{}
	double := &llmtest.Model{}
	for range 10 {
		double.Push(llmtest.Step{Text: "x", Usage: llm.Usage{Input: 30}})
	}
	m := llm.Budget(llm.Meter(double, "m", llm.Price{}, b), b, llm.Limits{Day: llm.Limit{Tokens: 100}})
	var answered int
	for range 10 {
		if _, err := m.Complete(t.Context(), ask, nil); err == nil {
			answered++
		}
	}
	if answered != 4 { // the fourth began at 90
		t.Errorf("%d answers; want 4", answered)
	}
}

// Nothing is broken off: calls in flight when the budget ends are answered.
func TestBudgetInFlight(t *testing.T) {
	b := &book{}
	gate := llmtest.NewGate()
	double := llmtest.NewModel(llmtest.Step{Gate: gate, Usage: llm.Usage{Input: 100}}, llmtest.Step{Usage: llm.Usage{Input: 100}})
	m := llm.Budget(llm.Meter(double, "m", llm.Price{}, b), b, llm.Limits{Day: llm.Limit{Tokens: 100}})
	var held error
	var wg sync.WaitGroup
	wg.Go(func() { _, held = m.Complete(t.Context(), ask, nil) })
	<-gate.Reached()
	if _, err := m.Complete(t.Context(), ask, nil); err != nil {
		t.Errorf("the second call: %v", err)
	}
	gate.Open()
	wg.Wait()
	if held != nil {
		t.Errorf("the call in flight: %v", held)
	}
	var e *llm.Error
	if _, err := m.Complete(t.Context(), ask, nil); !errors.As(err, &e) || e.Cause != llm.Spent {
		t.Errorf("afterwards: %v; want it spent", err)
	}
}

func TestBudgetUnreadable(t *testing.T) {
	b := &book{err: errors.New("disk")}
	double := llmtest.NewModel()
	m := llm.Budget(double, b, llm.Limits{Month: llm.Limit{Cost: 1}})
	if _, err := m.Complete(t.Context(), ask, nil); !errors.Is(err, b.err) || len(double.Requests()) != 0 {
		t.Errorf("got %v after %d requests; want the failure of the book alone", err, len(double.Requests()))
	}
	b.err = nil
	if _, err := m.Complete(t.Context(), ask, nil); err != nil {
		t.Errorf("readable again: %v", err)
	}
}
