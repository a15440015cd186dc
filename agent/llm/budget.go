package llm

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Book keeps what was spent. It decides where a day ends.
type Book interface {
	// Spend adds one call to an account. It neither blocks nor fails; Meter
	// calls it from any goroutine. An empty account is nobody's: it counts for
	// everybody alone.
	Spend(account string, s Spend)
	// Spent returns what an account spent today and in this month, including
	// what was handed to Spend before; an empty account stands for everybody.
	Spent(ctx context.Context, account string) (day, month Total, err error)
}

// Total sums up calls.
type Total struct {
	Calls      int
	Input      int64 // tokens, as all but Calls and Cost
	Output     int64
	CacheRead  int64
	CacheWrite int64
	Cost       int64 // billionths of a dollar
	Unpriced   int64 // input and output of models whose price is unknown; not in Cost
}

// Limit bounds a Total; zero fields bound nothing. What is Unpriced counts as
// Tokens only, so a limit of Cost alone does not hold where a price is unknown.
type Limit struct {
	Cost   int64 // billionths of a dollar
	Tokens int64 // input and output
}

// Limits are the budgets of an installation: of each account and of all
// together.
type Limits struct {
	OwnerDay   Limit
	OwnerMonth Limit
	Day        Limit
	Month      Limit
}

// Budget returns a Model that asks m while book is within all limits, and m
// itself if there are none. Beyond one it fails with Cause Spent, whose Message
// is a sentence for the person. It belongs outside Retry and Fallback.
//
// A call is let in by what was spent before it, so the last one may go beyond
// the limit, and so may those in flight at that time; none is broken off.
//
// A Book that cannot be read refuses the call: then the answer could not be
// stored either, and money would be spent on what is lost.
func Budget(m Model, book Book, limits Limits) Model {
	if limits == (Limits{}) {
		return m
	}
	return &budget{m, book, limits}
}

type budget struct {
	model  Model
	book   Book
	limits Limits
}

func (b *budget) Complete(ctx context.Context, req Request, emit func(string)) (Response, error) {
	if err := b.limits.Check(ctx, b.book, req.Account); err != nil {
		return Response{}, err
	}
	return b.model.Complete(ctx, req, emit)
}

// Check returns the error of Cause Spent if an account, or everybody together,
// has come to a limit. Budget calls it before each call of a Model; whatever
// else costs money calls it too.
func (l Limits) Check(ctx context.Context, book Book, account string) error {
	if account != "" {
		if err := check(ctx, book, account, "Your", l.OwnerDay, l.OwnerMonth); err != nil {
			return err
		}
	}
	return check(ctx, book, "", "This installation's", l.Day, l.Month)
}

// check holds the totals of an account against its limits. The month comes
// first, because it is the one that lasts longer.
func check(ctx context.Context, book Book, account, whose string, day, month Limit) error {
	if day == (Limit{}) && month == (Limit{}) {
		return nil
	}
	today, thisMonth, err := book.Spent(ctx, account)
	if err != nil {
		return fmt.Errorf("read the budget: %w", err)
	}
	if limit := month.reached(thisMonth); limit != "" {
		return spent(whose + " budget of " + limit + " a month is used up; it is free again on the first of next month.")
	}
	if limit := day.reached(today); limit != "" {
		return spent(whose + " budget of " + limit + " a day is used up; it is free again at midnight.")
	}
	return nil
}

func spent(sentence string) error {
	return &Error{Cause: Spent, Provider: "budget", Message: sentence}
}

// reached names the bound that t has come to, "" if it is below all.
func (l Limit) reached(t Total) string {
	switch {
	case l.Cost > 0 && t.Cost >= l.Cost:
		return Dollars(l.Cost)
	case l.Tokens > 0 && t.Input+t.Output >= l.Tokens:
		return grouped(l.Tokens) + " tokens"
	}
	return ""
}

// Dollars writes billionths of a dollar with cents, and with more digits where
// there are more.
func Dollars(nanos int64) string {
	fraction := strings.TrimRight(fmt.Sprintf("%09d", nanos%1e9), "0")
	return fmt.Sprintf("$%s.%s", grouped(nanos/1e9), fraction+"00"[min(2, len(fraction)):])
}

// grouped writes n in groups of three digits.
func grouped(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
