package recall

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"nacre/memory/recall/terms"
)

// hanDates finds the days of a text that has Chinese in it.
func hanDates(text string, tokens []terms.Token, today date, t tense) []span {
	if !slices.ContainsFunc(tokens, func(t terms.Token) bool { return t.Kind == terms.Gram }) {
		return nil
	}
	h := han()
	r := hanReader{dateReader{today: today, tense: t}}
	text = h.spelling.Replace(text)
	for _, m := range h.written.FindAllStringSubmatch(text, -1) {
		r.written(m[1], m[2], m[3])
	}
	text = h.written.ReplaceAllString(text, " ")
	for _, m := range h.ago.FindAllStringSubmatch(text, -1) {
		r.ago(m[1], m[2])
	}
	for _, m := range h.which.FindAllStringSubmatch(text, -1) {
		r.which(m[1], m[2], m[3])
	}
	for _, m := range h.day.FindAllString(text, -1) {
		r.found(today.plus(h.days[m]).alone(), 0)
	}
	for _, m := range h.year.FindAllStringSubmatch(text, -1) {
		r.year(m[1])
	}
	return r.spans
}

// hanWords are how Chinese says when. Japanese shares some of it.
type hanWords struct {
	spelling                       *strings.Replacer // one for each word
	written, ago, which, day, year *regexp.Regexp
	days                           map[string]int
}

var han = sync.OnceValue(func() hanWords {
	const number = `(\d{1,3}|[一二两三四五六七八九十]{1,3})`
	return hanWords{
		spelling: strings.NewReplacer("個", "个", "號", "号", "週", "周", "星期", "周", "礼拜", "周", "禮拜", "周", "兩", "两", "這", "这"),
		written:  regexp.MustCompile(`(?:(\d{4})年)?` + number + `月(?:` + number + `[日号])?`),
		ago:      regexp.MustCompile(number + `个?(天|周|月|年)(?:以)?前`),
		which:    regexp.MustCompile(`([上这下])个?(周末|周|月)([一二三四五六日天])?`),
		day:      regexp.MustCompile(`前天|昨|今[天日晚早]|明[天日晚早]|后天`),
		year:     regexp.MustCompile(`(去|今|明|\d{4})年`),
		days:     map[string]int{"前天": -2, "昨": -1, "后天": 2, "明天": 1, "明日": 1, "明晚": 1, "明早": 1},
	}
})

// hanReader turns what hanWords match into days.
type hanReader struct{ dateReader }

func (r *hanReader) written(year, month, day string) {
	s := r.near(hanNumber(month))
	if n, err := strconv.Atoi(year); err == nil {
		s = monthOf(n, hanNumber(month))
	}
	if day != "" {
		s = s.first.plus(hanNumber(day) - 1).alone()
	}
	r.found(s, 0)
}

func (r *hanReader) ago(count, unit string) {
	n := -hanNumber(count)
	switch unit {
	case "天":
		r.found(r.today.plus(n).alone(), 0)
	case "周":
		r.found(aroundDay(r.today.plus(7*n)), 0)
	case "月":
		r.found(r.today.month(n), 0)
	case "年":
		r.found(r.today.year(n), 0)
	}
}

func (r *hanReader) which(which, unit, day string) {
	after := map[string]int{"上": -1, "下": 1}[which]
	switch week := r.today.week(after); {
	case unit == "月":
		r.found(r.today.month(after), 0)
	case unit == "周末":
		r.found(r.unit(weekend, after), 0)
	case day == "":
		r.found(week, 0)
	case day == "天" || day == "日":
		r.found(week.last.alone(), 0)
	default:
		r.found(week.first.plus(hanNumber(day)-1).alone(), 0)
	}
}

func (r *hanReader) year(which string) {
	if n, err := strconv.Atoi(which); err == nil {
		r.found(yearOf(n), 0)
		return
	}
	r.found(r.today.year(map[string]int{"去": -1, "明": 1}[which]), 0)
}

// hanNumber reads a number below a hundred in characters, or any in figures.
func hanNumber(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	const digits = "零一二三四五六七八九"
	total, last := 0, 0
	for _, c := range strings.ReplaceAll(s, "两", "二") {
		if c == '十' {
			total, last = max(last, 1)*10, 0
			continue
		}
		last = strings.IndexRune(digits, c) / len("零")
	}
	return total + last
}
