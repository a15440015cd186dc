package canon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	minCard, maxCard = 13, 19 // digits of a card number, ISO/IEC 7812
	maxPhone         = 15     // digits of a phone number after its +, E.164
	maxGap           = 3      // characters between two groups of one number, or a group and a word that joins
	maxGapBytes      = 24     // no gap is longer
)

// hasCard reports whether a plain text holds a card number: 13 to 19 digits
// with a known issuer and the right check digit, in groups apart or together.
func hasCard(p string) bool {
	found := false
	numbers(p, func(groups []string, phone bool) {
		found = found || cardAmong(groups, phone)
	})
	return found
}

// numbers calls yield for every run of digit groups with small gaps, and says
// whether a + stands before it.
func numbers(p string, yield func(groups []string, phone bool)) {
	var groups []string
	phone, end := false, 0
	for i := 0; i < len(p); {
		if !asciiDigit(p[i]) {
			i++
			continue
		}
		from := i
		for i < len(p) && asciiDigit(p[i]) {
			i++
		}
		if len(groups) > 0 && !gap(p[end:from]) {
			yield(groups, phone)
			groups = groups[:0]
		}
		if len(groups) == 0 {
			phone = from > 0 && p[from-1] == '+'
		}
		groups, end = append(groups, p[from:i]), i
	}
	if len(groups) > 0 {
		yield(groups, phone)
	}
}

func asciiDigit(c byte) bool { return '0' <= c && c <= '9' }

// gap reports whether s may stand between the groups of one number: a few
// separators, with or without a word that joins ("1111 and 1111").
func gap(s string) bool {
	if len(s) > maxGapBytes {
		return false
	}
	if from, to := strings.IndexFunc(s, unicode.IsLetter), strings.LastIndexFunc(s, unicode.IsLetter); from >= 0 {
		_, size := utf8.DecodeRuneInString(s[to:])
		return joins(s[from:to+size]) && separators(s[:from]) && separators(s[to+size:])
	}
	return separators(s)
}

// separators reports whether s is nothing but a few marks and blanks.
func separators(s string) bool {
	n := 0
	for _, r := range s {
		if n++; n > maxGap {
			return false
		}
		if !unicode.IsSpace(r) && !unicode.Is(unicode.Pd, r) && !strings.ContainsRune("./\\(),:_'’·•*|−×&、", r) {
			return false
		}
	}
	return true
}

// joins reports whether a word joins the groups of a number.
func joins(w string) bool {
	switch strings.ToLower(w) {
	case "and", "und", "y", "et", "e", "x", "和":
		return true
	}
	return false
}

// cardAmong looks at all groups together, and at those neighbours that are
// grouped as cards are: a list of phone numbers or dates has too many other
// neighbours for a check digit alone to tell.
func cardAmong(groups []string, phone bool) bool {
	var number [maxCard]byte
	for i := range groups {
		digits := number[:0]
		for j := i; j < len(groups) && len(digits)+len(groups[j]) <= maxCard; j++ {
			digits = append(digits, groups[j]...)
			all := i == 0 && j == len(groups)-1
			if len(digits) < minCard || phone && all && len(digits) <= maxPhone {
				continue
			}
			if issued(digits) && (all || grouped(groups[i:j+1])) && luhn(digits) {
				return true
			}
		}
	}
	return false
}

// grouped reports whether groups have the lengths of a printed card number:
// equal ones with a remainder, or 4-6-5 and 4-6-4.
func grouped(groups []string) bool {
	if len(groups) == 3 && len(groups[0]) == 4 && len(groups[1]) == 6 && len(groups[2]) >= 4 {
		return true
	}
	for i, g := range groups {
		if len(g) > len(groups[0]) || i < len(groups)-1 && len(g) != len(groups[0]) {
			return false
		}
	}
	return true
}

// issued reports whether a number has the beginning and length that a card
// network gives out (the ranges that the networks publish).
func issued(digits []byte) bool {
	n := len(digits)
	four := 0
	for _, c := range digits[:4] {
		four = four*10 + int(c-'0')
	}
	two, three := four/100, four/10
	switch {
	case four/1000 == 4: // Visa
		return n == 13 || n == 16 || n == 19
	case 51 <= two && two <= 55, 2221 <= four && four <= 2720: // Mastercard
		return n == 16
	case two == 34, two == 37: // American Express
		return n == 15
	case 300 <= three && three <= 305, two == 36, two == 38, two == 39: // Diners Club
		return n == 14
	case four == 6011, 644 <= three && three <= 649, two == 65, // Discover
		3528 <= four && four <= 3589, // JCB
		two == 62, two == 81,         // UnionPay
		2200 <= four && four <= 2204, // Mir
		two == 60, three == 508,      // RuPay
		two == 82, four == 9792: // RuPay, Troy
		return n >= 16
	}
	switch four { // Maestro
	case 5018, 5020, 5038, 5893, 6304, 6759, 6761, 6762, 6763:
		return true
	}
	return false
}

// luhn reports whether the last digit is the right check digit (ISO/IEC 7812-1,
// annex B).
func luhn(digits []byte) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// digitWords returns the digits of a text that spells some of them, and a # for
// every word that does not join them: "four one one one" is a way to say a card. It
// is empty where they are too few for one.
func digitWords(p string) string {
	var b strings.Builder
	spelled := false
	if hasChineseDigits(p) {
		p, spelled = chineseDigits.Replace(p), true
	}
	words := slices.Collect(strings.FieldsFuncSeq(p, func(r rune) bool { return r != '+' && mark(r) }))
	said := digitsIn(p)
	for _, w := range words {
		if digitNamed(w) != "" {
			said, spelled = said+1, true
		}
	}
	if !spelled || said < minCard {
		return ""
	}
	for _, w := range words {
		switch d := digitNamed(w); {
		case d != "":
			b.WriteString(d)
		case digitsIn(w) == len(w):
			b.WriteString(w)
		case joins(w):
			b.WriteString(w)
		default:
			b.WriteString(" # ")
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// digitNamed returns the digit of an English, German, Spanish or French name,
// whatever its case.
func digitNamed(w string) string {
	if len(w) < 2 || len(w) > maxDigitName {
		return ""
	}
	switch strings.ToLower(w) {
	case "zero", "oh", "null", "cero", "zéro":
		return "0"
	case "one", "eins", "uno", "un":
		return "1"
	case "two", "zwei", "zwo", "dos", "deux":
		return "2"
	case "three", "drei", "tres", "trois":
		return "3"
	case "four", "vier", "cuatro", "quatre":
		return "4"
	case "five", "fünf", "cinco", "cinq":
		return "5"
	case "six", "sechs", "seis":
		return "6"
	case "seven", "sieben", "siete", "sept":
		return "7"
	case "eight", "acht", "ocho", "huit":
		return "8"
	case "nine", "neun", "nueve", "neuf":
		return "9"
	}
	return ""
}

// maxDigitName is how many bytes the longest of the names has.
const maxDigitName = 6

// hasChineseDigits reports whether a text holds any of the numerals of chineseDigits.
func hasChineseDigits(p string) bool { return strings.ContainsFunc(p, chineseDigit) }

func chineseDigit(r rune) bool {
	return r >= '〇' && strings.ContainsRune("零〇一二三四五六七八九", r)
}

var chineseDigits = strings.NewReplacer("零", "0", "〇", "0", "一", "1", "二", "2", "三", "3", "四", "4", "五", "5", "六", "6", "七", "7", "八", "8", "九", "9")
