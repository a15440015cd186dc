package configs

import (
	"fmt"
	"strconv"
	"strings"
)

// Budget limits what models may cost, by the calendar of Zone. A Limit of zero
// sets none.
type Budget struct {
	Day, Month           Limit // of everybody together
	OwnerDay, OwnerMonth Limit // of each person
}

// Limit is the most that may be used in a time. Zero of either sets no limit.
type Limit struct {
	Cost   int64 // nanodollars: billionths of a dollar
	Tokens int64
}

// The decimal places of a limit's numbers.
const (
	dollarPlaces   = 9 // nanodollars in a dollar
	millionPlaces  = 6
	thousandPlaces = 3
)

// parseLimit reads dollars, tokens or both, with a comma between.
func parseLimit(text string) (Limit, error) {
	var l Limit
	for part := range strings.SplitSeq(text, ",") {
		var ok bool
		part = strings.TrimSpace(part)
		if number, dollars := strings.CutPrefix(part, "$"); dollars {
			ok = l.Cost == 0 && decimal(number, dollarPlaces, &l.Cost)
		} else if number, tokens := strings.CutSuffix(part, "tokens"); tokens {
			ok = l.Tokens == 0 && parseTokens(strings.TrimSpace(number), &l.Tokens)
		}
		if !ok {
			return Limit{}, fmt.Errorf("%.60q is not a budget; write dollars, tokens or both, above zero, such as $5, 3M tokens", text)
		}
	}
	return l, nil
}

// parseTokens reads a number of tokens, of thousands (k) or of millions (M).
func parseTokens(text string, to *int64) bool {
	if number, ok := strings.CutSuffix(text, "M"); ok {
		return decimal(number, millionPlaces, to)
	}
	if number, ok := strings.CutSuffix(text, "k"); ok {
		return decimal(number, thousandPlaces, to)
	}
	return decimal(text, 0, to)
}

// decimal reads a number above zero, in units of its last decimal place. It
// takes no more places, so that nothing is rounded.
func decimal(text string, places int, to *int64) bool {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > places {
		return false
	}
	n, err := strconv.ParseUint(whole+fraction+strings.Repeat("0", places-len(fraction)), 10, 63)
	*to = int64(n)
	return err == nil && n > 0
}

// String is the text from which parseLimit reads the same; empty for none.
func (l Limit) String() string {
	var parts []string
	if l.Cost != 0 {
		parts = append(parts, "$"+cents(written(l.Cost, dollarPlaces)))
	}
	switch {
	case l.Tokens == 0:
	case l.Tokens%1_000 != 0:
		parts = append(parts, fmt.Sprintf("%d tokens", l.Tokens))
	case l.Tokens < 1_000_000:
		parts = append(parts, written(l.Tokens, thousandPlaces)+"k tokens")
	default:
		parts = append(parts, written(l.Tokens, millionPlaces)+"M tokens")
	}
	return strings.Join(parts, ", ")
}

// written writes a number that decimal read, with the places that it needs.
func written(n int64, places int) string {
	digits := fmt.Sprintf("%0*d", places+1, n)
	point := len(digits) - places
	return strings.TrimRight(strings.TrimRight(digits[:point]+"."+digits[point:], "0"), ".")
}

// cents gives a number with one decimal place two, as prices have.
func cents(number string) string {
	if _, fraction, _ := strings.Cut(number, "."); len(fraction) == 1 {
		return number + "0"
	}
	return number
}
