package timetable

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// maxExpression is the longest cron expression that is taken, in bytes.
const maxExpression = 200

// fields are the parts of an expression in their order, with the names that their
// values have.
var fields = [...]struct {
	name   string
	values []string
}{
	{"minute", nil},
	{"hour", nil},
	{"day of month", nil},
	{"month", []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}},
	{"day of week", []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}},
}

// expression is a cron expression that was read. Its sets have the bit 1<<n for
// the number n, and anyValue where a star stands.
type expression struct{ *cron.SpecSchedule }

const (
	anyValue   = 1 << 63
	everyHour  = 1<<24 - 1
	everyDate  = 1<<32 - 1<<1
	everyMonth = 1<<13 - 1<<1
	everyDay   = 1<<7 - 1
)

// parse reads five fields as cron(5) describes them, with names of months and
// days, and 7 for Sunday. An entry such as */2 restricts its field. The error is a
// phrase that follows "cannot be read: ".
func parse(text string) (expression, error) {
	parts := strings.Fields(text)
	switch {
	case len(text) > maxExpression:
		return expression{}, fmt.Errorf("it is longer than %d characters", maxExpression)
	case strings.HasPrefix(text, "TZ=") || strings.HasPrefix(text, "CRON_TZ="):
		return expression{}, errors.New("the time zone does not belong into it, it is told apart")
	case strings.HasPrefix(text, "@"):
		return expression{}, errors.New("names such as @daily are not taken")
	case len(parts) != len(fields):
		return expression{}, fmt.Errorf("it has %d fields where there must be 5", len(parts))
	}
	for i, part := range parts {
		if f := fields[i]; !wellFormed(part, f.values) {
			return expression{}, fmt.Errorf("“%s” is no %s", part, f.name)
		}
	}
	parts[4] = sundays(parts[4])
	spec, err := cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow).Parse(strings.Join(parts, " "))
	if err != nil {
		return expression{}, err
	}
	read := spec.(*cron.SpecSchedule)
	read.Location = time.UTC // the walls of calendar
	return expression{read}, nil
}

// wellFormed reports whether a field is a list of stars, numbers, names and
// ranges of them, each with or without a step. The library reads some others as
// something else, and of the rest it complains in words for programmers.
func wellFormed(field string, names []string) bool {
	for entry := range strings.SplitSeq(field, ",") {
		span, step, stepped := strings.Cut(entry, "/")
		first, last, ranged := strings.Cut(span, "-")
		star := span == "*" || span == "?"
		if !star && !isValue(first, names) || ranged && !isValue(last, names) || stepped && !isNumber(step) {
			return false
		}
	}
	return true
}

func isValue(word string, names []string) bool {
	return isNumber(word) || slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, word) })
}

// isNumber also keeps a number within what any machine counts to.
func isNumber(word string) bool {
	return word != "" && len(word) < 10 && strings.Trim(word, "0123456789") == ""
}

// sundays writes the seventh day of a week as the library does, which begins
// with Sunday as 0: 5-7 becomes 5,6,0.
func sundays(field string) string {
	entries := strings.Split(field, ",")
	for i, entry := range entries {
		if days := weekdays(entry); len(days) > 0 {
			entries[i] = strings.Join(days, ",")
		}
	}
	return strings.Join(entries, ",")
}

// weekdays lists the days of an entry that goes up to the seventh; none of
// another one, which the library reads right, or refuses.
func weekdays(entry string) (days []string) {
	span, by, stepped := strings.Cut(entry, "/")
	first, last, ranged := strings.Cut(span, "-")
	if span != "7" && last != "7" && !strings.EqualFold(last, "sun") {
		return nil
	}
	start, step := weekday(first), 1
	if stepped || !ranged {
		step, _ = strconv.Atoi(cmp.Or(by, "7"))
	}
	if step < 1 {
		return nil
	}
	for day := start; day <= 7; day += step {
		days = append(days, strconv.Itoa(day%7))
	}
	return days
}

// weekday is the number of a day that is written as a number or a name.
func weekday(word string) int {
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	return slices.Index(fields[4].values, strings.ToLower(word))
}

// next is the first time after another that the expression names, on a clock
// that is never set; zero for none.
func (e expression) next(after time.Time) time.Time {
	t := e.Next(after)
	if t.IsZero() { // the library looks five years ahead; over 2100 it is eight to the next leap day
		t = e.Next(after.AddDate(5, 0, 0))
	}
	return t
}

// hourly reports whether the expression allows every hour.
func (e expression) hourly() bool { return e.Hour&everyHour == everyHour }

// apart is how far two times of an hourly expression are apart at least.
func (e expression) apart() time.Duration {
	minutes := numbers(e.Minute, 60)
	least := minutes[0] + 60 - minutes[len(minutes)-1]
	for i := range minutes[1:] {
		least = min(least, minutes[i+1]-minutes[i])
	}
	return time.Duration(least) * time.Minute
}

// numbers lists those of a set that are below a limit.
func numbers(set uint64, limit int) (list []int) {
	for n := range limit {
		if set&(1<<n) != 0 {
			list = append(list, n)
		}
	}
	return list
}
