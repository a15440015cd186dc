package main

import (
	"cmp"
	"context"
	"strings"
	"time"

	"nacre"
	"nacre/configs"
	"nacre/web"
)

// How many days usage is told of.
const (
	usualUsageDays = 30
	mostUsageDays  = 400
)

// Usage implements web.Desk.
func (a *app) Usage(ctx context.Context, h web.Hand, q web.UsageQuery) (web.Usage, error) {
	days := cmp.Or(q.Days, usualUsageDays)
	if days < 1 || days > mostUsageDays {
		return web.Usage{}, nacre.Errorf(nacre.Invalid, "Ask for 1 to %d days.", mostUsageDays)
	}
	owner, now := a.ownerOf(h), time.Now().In(a.cfg.Zone)
	mine, err := a.account(ctx, owner, now, days)
	if err != nil {
		return web.Usage{}, err
	}
	u := web.Usage{Days: mine.perDay(), Models: mine.perModel(), Today: mine.today(), Month: mine.month(),
		Budgets: mine.budgets("you", a.cfg.Budget.OwnerDay, a.cfg.Budget.OwnerMonth)}
	if owner != a.operator {
		return u, nil
	}
	all, err := a.account(ctx, "", now, days)
	if err != nil {
		return web.Usage{}, err
	}
	u.Everybody = &web.Everybody{Today: all.today(), Month: all.month(), Days: all.perDay()}
	u.Budgets = append(u.Budgets, all.budgets("everybody", a.cfg.Budget.Day, a.cfg.Budget.Month)...)
	return u, nil
}

// account is what an owner used, or everybody, by day and model. It holds the month
// so far, and the days that are asked for.
type account struct {
	used  map[string]map[string]nacre.Usage
	now   time.Time // in the installation's zone
	shown []string  // the days that are asked for, oldest first, without gaps
}

func (a *app) account(ctx context.Context, owner nacre.OwnerID, now time.Time, days int) (account, error) {
	c := account{now: now}
	noon := time.Date(now.Year(), now.Month(), now.Day(), 12, 0, 0, 0, now.Location()) // which every day has
	for i := days - 1; i >= 0; i-- {
		c.shown = append(c.shown, noon.AddDate(0, 0, -i).Format(time.DateOnly))
	}
	first := noon.AddDate(0, 0, min(1-days, 1-now.Day()))
	var err error
	c.used, err = a.ledger.UsageByDay(ctx, owner, first, now)
	return c, err
}

// sum is what was used on the days that count.
func (c account) sum(counts func(day string) bool) web.Spending {
	var sum nacre.Usage
	for day, by := range c.used {
		if counts(day) {
			sum = sum.Plus(total(by))
		}
	}
	return web.Spending(sum)
}

func (c account) today() web.Spending {
	today := c.now.Format(time.DateOnly)
	return c.sum(func(day string) bool { return day == today })
}

func (c account) month() web.Spending {
	month := c.now.Format("2006-01-")
	return c.sum(func(day string) bool { return strings.HasPrefix(day, month) })
}

func (c account) perDay() []web.DayUsage {
	list := make([]web.DayUsage, len(c.shown))
	for i, day := range c.shown {
		list[i] = web.DayUsage{Day: day, Spending: web.Spending(total(c.used[day]))}
	}
	return list
}

func (c account) perModel() []web.ModelUsage {
	by := map[string]nacre.Usage{}
	for _, day := range c.shown {
		for model, u := range c.used[day] {
			by[model] = by[model].Plus(u)
		}
	}
	list := []web.ModelUsage{}
	for _, model := range dearestFirst(by) {
		list = append(list, web.ModelUsage{Model: model, Spending: web.Spending(by[model])})
	}
	return list
}

// budgets are those of the limits that are set.
func (c account) budgets(whose string, perDay, perMonth configs.Limit) []web.Budget {
	list := []web.Budget{}
	for _, b := range []struct {
		span  string
		limit configs.Limit
		used  web.Spending
	}{{"day", perDay, c.today()}, {"month", perMonth, c.month()}} {
		if b.limit != (configs.Limit{}) {
			list = append(list, web.Budget{Whose: whose, Span: b.span, Cost: b.limit.Cost, Tokens: b.limit.Tokens,
				UsedCost: b.used.Cost, UsedTokens: b.used.Input + b.used.Output})
		}
	}
	return list
}
