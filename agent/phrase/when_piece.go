package phrase

import (
	"iter"
	"regexp"
	"time"
)

// everywhere are the pieces that no language has for itself.
func everywhere() []timeRule {
	return []timeRule{
		says(said, 0, `{y}-{month}-{day}(?:t| t)?(?P<iso> ?{hour}:{m}(?::00(?:\.0+)?)?)?`),
		says(said, 0, `{day}\.(?P<mo>\d{1,2})\.{y}`),
		says(said, 0, `{day}\. ?(?P<mo>\d{1,2})\.`),
		fails(errTwoDigits, `\d{1,2}[./-]\d{1,2}[./-]\d{2}`),
		says(said, 0, `(?P<a>\d{1,2})[/-](?P<b>\d{1,2})[/-]{y}`),
		says(said, 0, `(?P<a>\d{1,2})/(?P<b>\d{1,2})`),
		says(said, 0, `@? ?{hour}:{m}(?::00)?`),
	}
}

// piece reads the longest piece of a time that stands at a place; size is 0 if
// there is none. Some stand only behind others, of which before says what they said.
func (g *tongue) piece(text string, at int, before slots) (r reading, size int) {
	var best match
	var by *compiled
	for rule := range g.matching(text, at) {
		if rule.behind && before == 0 {
			continue
		}
		if m, n := rule.match(text, at); n > size {
			best, by, size = m, rule, n
		}
	}
	switch {
	case size > 0:
		return g.read(by, best), size
	case before&saidClock != 0:
		return g.place(text[at:])
	}
	return r, 0
}

// strong reports whether a piece of a time stands at a place that can hardly be
// anything else.
func (g *tongue) strong(text string, at int) bool {
	for rule := range g.matching(text, at) {
		if rule.weak || rule.behind || rule.kind == wrong && rule.err != errTwo {
			continue
		}
		if _, n := rule.match(text, at); n > 0 {
			return true
		}
	}
	return false
}

// matching are the rules that may match at a place: mostly none.
func (g *tongue) matching(text string, at int) iter.Seq[*compiled] {
	return func(yield func(*compiled) bool) {
		if !g.first.MatchString(text[at:]) {
			return
		}
		for i := range g.rules {
			if !yield(&g.rules[i]) {
				return
			}
		}
	}
}

// match tries a rule at a place; size is 0 if it does not match.
func (c *compiled) match(text string, at int) (m match, size int) {
	found := c.re.FindStringSubmatchIndex(text[at:])
	if found == nil {
		return m, 0
	}
	n := found[2*c.end]
	if !ended(text, at+n) {
		return m, 0
	}
	return match{c.re, text[at:], found}, n
}

// match gives the groups of a match.
type match struct {
	re   *regexp.Regexp
	text string
	at   []int
}

// word is what a group of this name holds; alternatives may each have one.
func (m match) word(group string) string {
	for i, name := range m.re.SubexpNames() {
		if name == group && m.at[2*i] >= 0 {
			return m.text[m.at[2*i]:m.at[2*i+1]]
		}
	}
	return ""
}

// of returns what a group says, and whether it says something.
func (g *tongue) of(m match, group string) (int, bool) {
	word := m.word(group)
	return g.value(group, word), word != ""
}

// read makes a reading of a match.
func (g *tongue) read(rule *compiled, m match) reading {
	r := reading{worded: rule.worded, problem: rule.err}
	switch rule.kind {
	case after:
		r.said, r.after = saidAfter, g.length(m)+time.Duration(rule.is)*time.Minute
		if r.after <= 0 {
			r.fail(errNever)
		}
	case ahead:
		r.said, r.day = saidDay, day{counted: true, days: rule.is}
	case later:
		r = r.with(g.later(m))
	case repeat:
		r.said, r.every = saidEvery, g.every(rule, m)
		if r.every.n < 1 {
			r.fail(errCannot)
		}
	}
	r = r.with(g.dateOf(m))
	r = r.with(g.weekOf(rule, m))
	return r.with(g.clockOf(rule, m))
}

// length is a length of real time: "2 hours and 10 minutes".
func (g *tongue) length(m match) (sum time.Duration) {
	for _, groups := range [][2]string{{"n", "unit"}, {"n2", "unit2"}} {
		n, _ := g.of(m, groups[0])
		u, ok := g.of(m, groups[1])
		if !ok {
			u = int(minute) // "1h30"
		}
		sum += time.Duration(n) * long[u]
	}
	return sum
}

// later is a day so many days, weeks, months or years from now; lengths of real
// time are those, if they stand alone.
func (g *tongue) later(m match) reading {
	n, _ := g.of(m, "n")
	u, _ := g.of(m, "unit")
	if _, both := g.of(m, "n2"); both && unit(u) >= daily {
		return reading{problem: errUnclear}
	}
	r := reading{said: saidDay, day: day{counted: true, keeps: true}}
	switch unit(u) {
	case daily:
		r.day.days = n
	case weekly:
		r.day.days = 7 * n
	case monthly:
		r.day.months = n
	case yearly:
		r.day.years = n
	default:
		r = reading{said: saidAfter, after: g.length(m)}
	}
	if n == 0 {
		r.fail(errNever)
	}
	return r
}

func (g *tongue) every(rule *compiled, m match) every {
	e := every{n: max(1, rule.n), unit: unit(rule.is)}
	if n, ok := g.of(m, "n"); ok {
		e.n = n
	}
	if u, ok := g.of(m, "unit"); ok {
		e.unit = unit(u)
	}
	if u, ok := g.of(m, "adv"); ok {
		e.unit = unit(u)
	}
	return e
}

// dateOf reads a date.
func (g *tongue) dateOf(m match) reading {
	d := day{}
	d.year, _ = g.of(m, "y")
	d.month, _ = g.of(m, "mo")
	named := m.word("mo") != ""
	var ok bool
	if d.date, ok = g.of(m, "d"); ok {
		r := reading{said: saidDay, day: d}
		if d.date < 1 || d.date > 31 || named && (d.month < 1 || d.month > 12) || named && d.date > daysIn(d.year, d.month) {
			r.fail(errDate)
		}
		return r
	}
	if a, ok := g.of(m, "a"); ok {
		b, _ := g.of(m, "b")
		return slashed(d.year, a, b)
	}
	return reading{}
}

// slashed reads a date of two numbers in either order, as far as they say in which.
func slashed(year, a, b int) reading {
	r := reading{said: saidDay, day: day{year: year, month: a, date: b}}
	if a > 12 {
		r.day.month, r.day.date = b, a
	}
	switch {
	case a < 1 || b < 1 || r.day.month > 12 || r.day.date > daysIn(year, r.day.month):
		r.fail(errDate)
	case a <= 12 && b <= 12 && a != b:
		r.fail(errSlashed(year, a, b))
	}
	return r
}

// daysIn is how many days a month has; in a year of 0 as many as it ever has.
func daysIn(year, month int) int {
	if year == 0 {
		year = 2000
	}
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// weekOf reads weekdays: one, several, or from one to another.
func (g *tongue) weekOf(rule *compiled, m match) reading {
	if rule.days != [7]bool{} {
		return reading{said: saidWeekday, week: week{days: rule.days}}
	}
	names := g.weekday.FindAllString(m.word("wd"), -1)
	if len(names) == 0 {
		return reading{}
	}
	r := reading{said: saidWeekday}
	if rule.kind == onDay {
		r.week.which = rule.is
	}
	first := g.value("wd", names[0])
	last := first
	if to := m.word("wd2"); to != "" {
		if last = g.value("wd", to); first > last && last > 0 { // "moved from Friday to Monday"
			r.fail(errUnclear)
		}
	}
	for i := first; i != last; i = (i + 1) % 7 {
		r.week.days[i] = true
	}
	r.week.days[last] = true
	for _, name := range names {
		r.week.days[g.value("wd", name)] = true
	}
	return r
}

// clockOf reads a time of day, and the part of the day.
func (g *tongue) clockOf(rule *compiled, m match) (r reading) {
	p := rule.part
	for _, group := range []string{"half", "part"} {
		if is, ok := g.of(m, group); ok {
			p = part(is)
		}
	}
	c := clock{hourly: rule.kind == repeat && unit(rule.is) == hour}
	var hours, minutes bool
	c.hour, hours = g.of(m, "h")
	c.minute, minutes = g.of(m, "m")
	if to, ok := g.of(m, "to"); ok {
		c.minute -= to
	}
	for _, group := range []string{"past", "shift"} {
		more, _ := g.of(m, group)
		c.minute += more
	}
	switch {
	case hours || c.hourly && (minutes || c.minute != 0):
		r = reading{said: saidClock, clock: c}
		if c.hour > 23 || c.minute > 59 {
			r.fail(errHour)
		}
		if p != 0 {
			r.fail(r.clock.set(p))
		}
	case rule.kind == named:
		r = reading{said: saidClock, clock: clock{hour: rule.is % 24, fixed: true, midnight: rule.is == 24}}
	case p != 0:
		r = reading{said: saidPart, part: p}
	}
	return r
}
