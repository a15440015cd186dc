package main

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/agent/llm/offline"
	"nacre/configs"
	"nacre/web"
)

// Days have no gaps, begin and end with those that are asked for, and count what is
// not written down yet; budgets tell what is used of them, and what everybody used is
// for the operator alone.
func TestUsageOfThePage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBubble(t, "NACRE_BUDGET_OWNER_DAY=$1", "NACRE_BUDGET_MONTH=5k tokens")
		cfg, err := configs.Load(b.env, "", checkOwners)
		if err != nil {
			t.Fatal(err)
		}
		builtIn := supplier{name: "offline", model: offline.Model{}, window: unknownWindow, simple: true, blind: true}
		if b.app, err = build(t.Context(), cfg, slog.New(slog.DiscardHandler), outside{chat: []supplier{builtIn}, still: true}); err != nil {
			t.Fatal(err)
		}
		defer b.app.ledger.Close()
		usage := func(user int64, days int) web.Usage {
			t.Helper()
			u, err := b.app.Usage(b.t.Context(), b.hand(user), web.UsageQuery{Days: days})
			if err != nil {
				t.Fatal(err)
			}
			return u
		}
		spend := func(user int64, model string, cost int64) {
			b.app.ledger.Spend(b.ownerOf(user), model, nacre.Usage{Calls: 1, Input: 100, Output: 10, CacheRead: 80, Cost: cost})
		}
		time.Sleep(30*24*time.Hour - time.Hour) // 30 January, 23:00
		spend(1001, "cheap", 1)
		time.Sleep(2 * time.Hour)
		spend(1001, "dear", 5)
		time.Sleep(2 * 24 * time.Hour) // 2 February
		spend(1001, "cheap", 2)
		spend(1002, "cheap", 30)

		u := usage(1001, 5)
		want := []web.DayUsage{
			{Day: "2000-01-29"}, {Day: "2000-01-30", Spending: web.Spending{Calls: 1, Input: 100, Output: 10, CacheRead: 80, Cost: 1}},
			{Day: "2000-01-31", Spending: web.Spending{Calls: 1, Input: 100, Output: 10, CacheRead: 80, Cost: 5}},
			{Day: "2000-02-01"}, {Day: "2000-02-02", Spending: web.Spending{Calls: 1, Input: 100, Output: 10, CacheRead: 80, Cost: 2}}}
		if len(u.Days) != len(want) {
			t.Fatalf("%d days, want %d", len(u.Days), len(want))
		}
		for i := range want {
			if u.Days[i] != want[i] {
				t.Errorf("day %d is %+v, want %+v", i, u.Days[i], want[i])
			}
		}
		if len(u.Models) != 2 || u.Models[0].Model != "dear" || u.Models[1].Cost != 3 {
			t.Errorf("the models are %+v", u.Models)
		}
		if u.Today.Cost != 2 || u.Month.Cost != 2 || u.Everybody.Today.Cost != 32 || u.Everybody.Month.Cost != 32 || len(u.Everybody.Days) != 5 {
			t.Errorf("today %+v, this month %+v, everybody %+v", u.Today, u.Month, u.Everybody)
		}
		budgets := []web.Budget{{Whose: "you", Span: "day", Cost: 1e9, UsedCost: 2, UsedTokens: 110}, {Whose: "everybody", Span: "month", Tokens: 5000, UsedCost: 32, UsedTokens: 220}}
		if len(u.Budgets) != 2 || u.Budgets[0] != budgets[0] || u.Budgets[1] != budgets[1] {
			t.Errorf("the budgets are %+v, want %+v", u.Budgets, budgets)
		}
		if one := usage(1001, 1); len(one.Days) != 1 || one.Month.Cost != 2 || len(one.Models) != 1 {
			t.Errorf("of one day is told %+v", one)
		}
		other := usage(1002, 0)
		if other.Everybody != nil || len(other.Budgets) != 1 || other.Month.Cost != 30 || len(other.Days) != 30 {
			t.Errorf("another is told %+v", other)
		}
		if all := usage(1001, 400); len(all.Days) != 400 || all.Days[0].Day != "1998-12-30" {
			t.Errorf("%d days from %s", len(all.Days), all.Days[0].Day)
		}
		for _, days := range []int{-1, 401} {
			if _, err := b.app.Usage(b.t.Context(), b.hand(1001), web.UsageQuery{Days: days}); nacre.KindOf(err) != nacre.Invalid {
				t.Errorf("%d days give %v", days, err)
			}
		}
	})
}
