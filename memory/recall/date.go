package recall

import (
	"slices"
	"strconv"
	"strings"

	"nacre/memory/recall/terms"
)

// tense says which one is meant by a month or a day of the week without a year.
type tense int

const (
	told  tense = iota // in a message: one that was lately or will be soon
	asked              // in a question: the last one
)

// soon is how many months ahead a message speaks of with the bare name of a month.
const soon = 3

// dates finds the days that a text speaks of, as they were meant on the day when
// it was written.
func dates(text string, tokens []terms.Token, today date, t tense) []span {
	r := dateReader{today: today, tense: t, words: calendarWords(text, tokens)}
	for r.at < len(r.words) {
		r.at += max(1, r.read())
	}
	return append(r.spans, hanDates(text, tokens, today, t)...)
}

// calendarWord is a word of a text. What does not belong to the calendar has no
// role.
type calendarWord struct {
	dateWord
	form   string
	digits bool // a number in figures
	name   bool
}

// calendarWords are those of a text, without what may stand inside a date, and
// none when nothing belongs to the calendar, which is so of most.
func calendarWords(text string, tokens []terms.Token) []calendarWord {
	if !slices.ContainsFunc(tokens, ofCalendar) {
		return nil
	}
	var words []calendarWord
	for i, t := range tokens {
		part := i > 0 && tokens[i-1].Place == t.Place
		if part || t.Kind == terms.Gram || isFigure(t.Form) && hanFollows(text, t) {
			continue
		}
		w := calendarWord{calendar()[t.Form], t.Form, false, t.Name}
		if n, ok := figures(t.Form); ok {
			w.dateWord, w.digits = dateWord{isNumber, n}, true
		}
		if len(words) > 0 && w.form == "a" && words[len(words)-1].form == "y" { // il y a
			w.dateWord, words = dateWord{isBefore, 0}, words[:len(words)-1]
		}
		if w.role != isNothing {
			words = append(words, w)
		}
	}
	return words
}

// hanFollows reports whether the figures of a token belong to a Chinese date.
func hanFollows(text string, t terms.Token) bool {
	rest := text[min(len(text), t.From+len(t.Form)):]
	return slices.ContainsFunc([]string{"年", "月", "日", "号", "號"}, func(unit string) bool { return strings.HasPrefix(rest, unit) })
}

// DateWord reports whether a word of a text may be of a date: the messages that are
// asked for by it need not have it, but be of that time.
func DateWord(t terms.Token) bool {
	if t.Kind == terms.Gram {
		return !strings.ContainsFunc(t.Form, func(r rune) bool { return !strings.ContainsRune(hanOfDates, r) })
	}
	return ofCalendar(t)
}

// hanOfDates are the characters of which Chinese words for dates are made.
const hanOfDates = "昨今前明后後天上下周週星期礼禮拜月号號日年去早晚"

// ofCalendar reports whether a date may be where a word is.
func ofCalendar(t terms.Token) bool {
	switch calendar()[t.Form].role {
	case isDay, isUnit, isMonth, isMonthMaybe, isWeekday:
		return true
	}
	return len(t.Form) >= 4 && isFigure(t.Form)
}

// figures reads "8" and "2023"; it is also true, without a number, for what may be
// a whole date, "2023-05-08".
func figures(form string) (int, bool) {
	if !isFigure(form) {
		return 0, false
	}
	n, err := strconv.Atoi(form)
	return n, err == nil || strings.ContainsAny(form, "-.")
}

// dateReader reads the words of one text. Its methods try one way to say when at
// the present word, and return how many words it took.
type dateReader struct {
	today date
	tense tense
	words []calendarWord
	at    int
	spans []span
}

func (r *dateReader) peek(after int) calendarWord {
	if i := r.at + after; 0 <= i && i < len(r.words) {
		return r.words[i]
	}
	return calendarWord{}
}

func (r *dateReader) found(s span, words int) int {
	r.spans = append(r.spans, s)
	return words
}

// read reads a date at the present word in the first way that fits.
func (r *dateReader) read() int {
	for _, way := range []func() int{r.day, r.ago, r.which, r.dated, r.named} {
		if words := way(); words > 0 {
			return words
		}
	}
	return 0
}

// day reads "yesterday".
func (r *dateReader) day() int {
	w := r.peek(0)
	if w.role != isDay {
		return 0
	}
	return r.found(r.today.plus(w.value).alone(), 1)
}

// ago reads "two weeks ago", and where the languages put the word first.
func (r *dateReader) ago() int {
	first := 0
	if r.peek(0).role == isBefore {
		first = 1
	}
	count, unit := r.peek(first), r.peek(first+1)
	if count.role != isNumber || unit.role != isUnit || first == 0 && r.peek(2).role != isAgo {
		return 0
	}
	switch n := min(count.value, 1000); unit.value {
	case oneDay:
		return r.found(r.today.plus(-n).alone(), 3)
	case oneWeek:
		return r.found(aroundDay(r.today.plus(-7*n)), 3)
	case weekend:
		return r.found(r.weekend(-n), 3)
	case oneMonth:
		return r.found(r.today.month(-n), 3)
	case oneYear:
		return r.found(r.today.year(-n), 3)
	}
	return 0
}

// aroundDay is what people mean who count in weeks: the day, roughly.
func aroundDay(d date) span { return span{d - 3, d + 3} }

// which reads "last week", "next Friday", "this May", and "la semaine dernière".
func (r *dateReader) which() int {
	which, of := r.peek(0), r.peek(1)
	if which.role != isWhich {
		which, of = of, which
	}
	if which.role != isWhich {
		return 0
	}
	switch of.role {
	case isUnit:
		return r.found(r.unit(of.value, which.value), 2)
	case isWeekday:
		return r.found(r.weekday(of.value, which.value), 2)
	case isMonth, isMonthMaybe:
		return r.found(r.month(of.value, which.value), 2)
	}
	return 0
}

// unit is the period that is some (-1, 0, 1) after the present one.
func (r *dateReader) unit(unit, after int) span {
	switch unit {
	case oneWeek:
		return r.today.week(after)
	case weekend:
		return r.weekend(after)
	case oneMonth:
		return r.today.month(after)
	case oneYear:
		return r.today.year(after)
	}
	return r.today.plus(after).alone()
}

func (r *dateReader) weekend(after int) span {
	week := r.today.week(after)
	return span{week.last - 1, week.last}
}

// weekday is the last such day, that of this week, or the coming one.
func (r *dateReader) weekday(day, which int) span {
	gone := (r.today.weekday() - day + 7) % 7
	switch {
	case which < 0 && gone == 0:
		return r.today.plus(-7).alone()
	case which < 0:
		return r.today.plus(-gone).alone()
	case which > 0:
		return r.today.plus(7 - gone).alone()
	}
	return r.today.week(0).first.plus(day).alone()
}

// month is the last such month, that of this year, or the coming one.
func (r *dateReader) month(month, which int) span {
	year, present, _ := r.today.civil()
	switch {
	case which < 0 && month >= int(present):
		year--
	case which > 0 && month <= int(present):
		year++
	}
	return monthOf(year, month)
}
