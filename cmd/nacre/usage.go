package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/configs"
	"nacre/memory/ledger"
)

// book is the ledger as the models' book of what they cost.
type book struct {
	ledger *ledger.Ledger
	zone   *time.Location
}

// Spend implements llm.Book.
func (b book) Spend(account string, s llm.Spend) {
	b.ledger.Spend(nacre.OwnerID(account), s.Model, usageOf(s))
}

// usageOf is what one request used.
func usageOf(s llm.Spend) nacre.Usage {
	u := nacre.Usage{Calls: 1, Input: int64(s.Usage.Input), Output: int64(s.Usage.Output), CacheRead: int64(s.Usage.CacheRead),
		CacheWrite: int64(s.Usage.CacheWrite), Cost: s.Cost}
	if !s.Priced {
		u.Unpriced = u.Input + u.Output
	}
	return u
}

// Spent implements llm.Book.
func (b book) Spent(ctx context.Context, account string) (day, month llm.Total, err error) {
	today, thisMonth, err := b.spans(ctx, nacre.OwnerID(account))
	return llm.Total(total(today)), llm.Total(total(thisMonth)), err
}

// spans are what an owner used today and in this month, by model.
func (b book) spans(ctx context.Context, owner nacre.OwnerID) (today, month map[string]nacre.Usage, err error) {
	now := time.Now().In(b.zone)
	if today, err = b.ledger.Usage(ctx, owner, now, now); err != nil {
		return nil, nil, err
	}
	month, err = b.ledger.Usage(ctx, owner, now.AddDate(0, 0, 1-now.Day()), now)
	return today, month, err
}

func total(by map[string]nacre.Usage) (sum nacre.Usage) {
	for _, u := range by {
		sum = sum.Plus(u)
	}
	return sum
}

// usageCommand tells what the models have cost: an owner their own, and the
// operator everybody's as well.
func (a *app) usageCommand(ctx context.Context, c nacre.Caller, _ string) (string, error) {
	if !c.Private {
		return "", nacre.Errorf(nacre.Denied, "I tell that in a private chat only.")
	}
	b := book{a.ledger, a.cfg.Zone}
	today, month, err := b.spans(ctx, c.Owner)
	if err != nil {
		return "", err
	}
	parts := []string{usageText(today, month), budgetText("your", total(today), total(month), a.cfg.Budget.OwnerDay, a.cfg.Budget.OwnerMonth)}
	if c.Operator {
		own := total(month)
		if today, month, err = b.spans(ctx, ""); err != nil {
			return "", err
		}
		if total(month) != own {
			parts = append(parts, "Everybody together: "+spanText(total(today))+" today, "+spanText(total(month))+" this month.")
		}
		parts = append(parts, budgetText("the common", total(today), total(month), a.cfg.Budget.Day, a.cfg.Budget.Month))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n"), nil
}

// usageText is two spans, and the month by model.
func usageText(today, month map[string]nacre.Usage) string {
	if len(month) == 0 {
		return "No language model was used this month."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Today: %s.\nThis month: %s.", spanText(total(today)), spanText(total(month)))
	for _, m := range dearestFirst(month) {
		fmt.Fprintf(&b, "\n- %s: %s", m, spanText(month[m]))
	}
	return b.String()
}

// dearestFirst are the models of which something was used.
func dearestFirst(by map[string]nacre.Usage) []string {
	return slices.SortedFunc(maps.Keys(by), func(x, y string) int {
		return cmp.Or(cmp.Compare(by[y].Cost, by[x].Cost), cmp.Compare(by[y].Input, by[x].Input), strings.Compare(x, y))
	})
}

// spanText is what was used, in a phrase.
func spanText(u nacre.Usage) string {
	if u.Calls == 0 {
		return "nothing"
	}
	text := fmt.Sprintf("%s, %s tokens in, %s out", number(u.Calls, "call", "calls"), count(u.Input), count(u.Output))
	if u.Input > 0 && u.CacheRead > 0 {
		text += fmt.Sprintf(", %d %% of the input from the cache", u.CacheRead*100/u.Input)
	}
	switch {
	case u.Unpriced == 0:
		return text + ", " + dollars(u.Cost)
	case u.Unpriced == u.Input+u.Output:
		return text + ", price unknown"
	}
	return text + ", " + dollars(u.Cost) + " and an unknown price for part of it"
}

// budgetText is what is left of a day's and a month's budget; empty without.
func budgetText(whose string, today, month nacre.Usage, perDay, perMonth configs.Limit) string {
	var lines []string
	for _, b := range []struct {
		span  string
		used  nacre.Usage
		limit configs.Limit
	}{{"today", today, perDay}, {"this month", month, perMonth}} {
		if b.limit.Cost > 0 {
			lines = append(lines, fmt.Sprintf("Left of %s budget %s: %s of %s.", whose, b.span, dollars(max(0, b.limit.Cost-b.used.Cost)), dollars(b.limit.Cost)))
		}
		if b.limit.Tokens > 0 {
			lines = append(lines, fmt.Sprintf("Left of %s budget %s: %s of %s tokens.", whose, b.span, count(max(0, b.limit.Tokens-b.used.Input-b.used.Output)), count(b.limit.Tokens)))
		}
	}
	return strings.Join(lines, "\n")
}

// dollars writes a sum as budgets do, to the cent, or to the hundredth of one
// where it is small.
func dollars(nanos int64) string {
	unit := int64(10_000_000)
	if nanos < 10*unit {
		unit /= 100
	}
	return llm.Dollars((nanos + unit/2) / unit * unit)
}

// count writes a number of tokens short.
func count(n int64) string {
	switch {
	case n >= 10_000_000:
		return fmt.Sprintf("%.0fM", float64(n)/1e6)
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}
