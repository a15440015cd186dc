package configs

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// suggest ends a sentence about an unknown name: with the known name nearest
// to it, if one is near enough to be meant, else with the advice to remove it.
func suggest(name string, known iter.Seq[string]) string {
	return cmp.Or(meant(name, known), "; remove it")
}

// meant ends a sentence with the known name that was probably meant, if any.
func meant(name string, known iter.Seq[string]) string {
	best, least := "", max(2, len(name)/3)+1
	for _, k := range slices.Sorted(known) {
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance counts slips of the pen. A right name under a wrong table, which
// happens to keys that follow a table's line, counts as one.
func distance(a, b string) int {
	lastA, lastB := a[strings.LastIndex(a, ".")+1:], b[strings.LastIndex(b, ".")+1:]
	return min(levenshtein.ComputeDistance(a, b), 1+levenshtein.ComputeDistance(lastA, lastB))
}
