package terms

import (
	"strconv"
	"strings"
)

// number reads a number, a date, a time, a version or a range of them. It is
// found in one normal form however it was written, and by what people leave out
// of it.
func (r *reader) number(s span) bool {
	text, after := r.text[s.from:s.to], r.text[s.to:]
	if !digits(text) {
		return false
	}
	if n := len(text) - 2; n > 0 && strings.ContainsRune(text, ':') && meridiem("1", "", text[n:]) != "" {
		text, after = text[:n], text[n:]
	}
	if !numeric(text) {
		return false
	}
	place := r.place
	for _, form := range numberForms(text, after) {
		r.place = place
		r.exact(form, s.from)
	}
	return true
}

// version reads a version with a v before it, which does not count.
func (r *reader) version(s span) bool {
	text := r.text[s.from:s.to]
	return len(text) > 3 && text[0]|0x20 == 'v' && strings.Contains(text, ".") && r.number(span{s.from + 1, s.to})
}

// numeric reports whether a text consists of digits with joints between them.
func numeric(text string) bool {
	if !digits(text[len(text)-1:]) || len(text) > maxWord {
		return false
	}
	return strings.Trim(text, "0123456789.,:/-'") == "" && strings.IndexFunc(text, func(c rune) bool { return !strings.ContainsRune("0123456789.,:/-'", c) }) < 0
}

// numberForms returns the forms in which a number is found, the normal one
// first. After is what follows it in the text.
func numberForms(text, after string) []string {
	switch {
	case strings.Trim(text, "0123456789") == "":
		if clock := meridiem(text, "00", after); clock != "" {
			return []string{clock, text}
		}
		return []string{text}
	case strings.ContainsRune(text, ':'):
		return clockForms(text, after)
	}
	if forms := dateForms(text); forms != nil {
		return forms
	}
	if strings.ContainsAny(text, "-/") {
		return rangeForms(text)
	}
	return decimalForms(text)
}

// counted reads a number with an ending: "3rd" is "3", "6pm" is "18:00".
func (r *reader) counted(number, ending span) bool {
	n, word := r.text[number.from:number.to], strings.ToLower(r.text[ending.from:ending.to])
	switch word {
	case "st", "nd", "rd", "th":
		r.part(number)
		return true
	case "am", "pm":
		if clock := meridiem(n, "00", word); clock != "" {
			r.exact(clock, number.from)
			r.place--
			r.part(number)
			return true
		}
	}
	return false
}

// clockForms returns the forms of a time of day, as hh:mm of 24 hours.
func clockForms(text, after string) []string {
	hour, rest, _ := strings.Cut(text, ":")
	minute, _, seconds := strings.Cut(rest, ":")
	h, err := strconv.Atoi(hour)
	if err != nil || h > 24 || len(minute) != 2 || !digitsOnly(minute) {
		return append([]string{text}, parts(text, ":")...)
	}
	clock := meridiem(hour, minute, after)
	if clock == "" {
		clock = pad(h) + ":" + minute
	}
	if seconds {
		return []string{text, clock}
	}
	return []string{clock}
}

// meridiem returns the time of an hour of twelve, if am or pm follows it, else
// nothing.
func meridiem(hour, minute, after string) string {
	after = strings.TrimPrefix(after, " ")
	if len(after) < 2 || after[1]|0x20 != 'm' && !strings.HasPrefix(after[1:], ".m") || len(hour) > 2 {
		return ""
	}
	if len(after) > 2 && after[1] != '.' && wordRune(firstRune(after[2:])) {
		return ""
	}
	h, err := strconv.Atoi(hour)
	if err != nil || h < 1 || h > 12 {
		return ""
	}
	switch after[0] | 0x20 {
	case 'a':
		return pad(h%12) + ":" + minute
	case 'p':
		return pad(h%12+12) + ":" + minute
	}
	return ""
}

// dateForms returns the forms of a date: yyyy-mm-dd, the month and the year. Where
// it is not clear which number is the month, both dates.
func dateForms(text string) []string {
	for _, joint := range []string{"-", ".", "/"} {
		p := strings.Split(text, joint)
		if len(p) != 3 || !digitsOnly(p[0]+p[1]+p[2]) {
			continue
		}
		if len(p[0]) == 4 {
			return isoForms(p[0], p[1], p[2])
		}
		if len(p[2]) != 4 {
			continue
		}
		dayFirst, monthFirst := isoForms(p[2], p[1], p[0]), isoForms(p[2], p[0], p[1])
		switch {
		case joint != "/" || monthFirst == nil || p[0] == p[1]:
			return dayFirst
		case dayFirst == nil:
			return monthFirst
		}
		return []string{monthFirst[0], dayFirst[0], p[2]}
	}
	return nil
}

func isoForms(year, month, day string) []string {
	m, err := strconv.Atoi(month)
	d, err2 := strconv.Atoi(day)
	if err != nil || err2 != nil || m < 1 || m > 12 || d < 1 || d > 31 {
		return nil
	}
	return []string{year + "-" + pad(m) + "-" + pad(d), year + "-" + pad(m), year}
}

// rangeForms returns the forms of numbers with hyphens and slashes between them:
// a telephone number without them, others as they are, and by their parts.
func rangeForms(text string) []string {
	bare := bare(text)
	whole := text
	if len(bare) >= minPhone && !strings.Contains(text, "/") {
		whole = bare
	}
	return append([]string{whole}, parts(text, "-/")...)
}

// decimalForms returns the forms of a number with points and commas: without
// those between thousands, a point before the decimals, without zeros at the
// end; then as precise as it is written, then its whole part. With a single mark
// before three digits it may mean either, and is found as both. Versions stay.
func decimalForms(text string) []string {
	marks := strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return -1
		}
		return c
	}, text)
	last := strings.LastIndexAny(text, ".,'")
	whole, decimals := text[:last], text[last+1:]
	same := strings.Count(marks, marks[:1]) == len(marks)
	switch {
	case same && len(marks) > 1 && !thousands(text) && marks[0] == '.':
		return append([]string{text}, parts(text, ".")...)
	case thousands(text) && len(marks) == 1 && marks != "'" && text[0] != '0':
		return []string{bare(text), whole + "." + decimals}
	case same && thousands(text) && text[0] != '0':
		return []string{bare(text)}
	}
	whole = bare(whole)
	forms := []string{whole + "." + decimals, whole}
	if short := strings.TrimRight(decimals, "0"); short == "" {
		forms = []string{whole, whole + "." + decimals}
	} else if short != decimals {
		forms = append([]string{whole + "." + short}, forms...)
	}
	return forms
}

// thousands reports whether all groups of digits but the first have three.
func thousands(text string) bool {
	groups := parts(text, ".,'")
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return false
		}
	}
	return len(groups[0]) <= 3
}

func parts(text, joints string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(joints, c) })
}

// bare returns the digits of a text.
func bare(text string) string {
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		if digits(text[i:]) {
			out = append(out, text[i])
		}
	}
	return string(out)
}

func digitsOnly(s string) bool { return strings.Trim(s, "0123456789") == "" }

func pad(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}
