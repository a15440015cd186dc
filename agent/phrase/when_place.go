package phrase

import (
	"regexp"
	"strings"
	"sync"
	"time"
)

// zoned finds what may name a zone: UTC, a name of the IANA database, or one to
// three words behind a preposition.
var zoned = sync.OnceValues(func() (name, offset *regexp.Regexp) {
	return regexp.MustCompile(`^\(?(utc|gmt|[a-z]+/[a-z_/-]+)\)?(?:$|[^\pL\pN+-])`),
		regexp.MustCompile(`^\(?(?:(?:utc|gmt)[+-]\d|(?:edt|cst|cdt|mst|mdt|pst|pdt|cet|cest|mez|mesz|bst|ist|jst|msk|aest|eet|wet)(?:$|[^\pL\pN]))`)
})

// place reads the zone whose clock counts.
func (g *tongue) place(text string) (r reading, size int) {
	name, offset := zoned()
	if offset.MatchString(text) {
		return reading{said: saidZone, problem: errZone}, len(strings.Fields(text)[0])
	}
	if m := name.FindStringSubmatchIndex(text); m != nil {
		if zone := Zone(text[m[2]:m[3]]); zone != "" {
			return inZone(zone), len(strings.TrimRight(text[:m[1]], " ,.:;!"))
		}
		return reading{said: saidZone, problem: errZone}, m[3]
	}
	return g.city(text)
}

// city reads the longest name of a city behind a preposition.
func (g *tongue) city(text string) (r reading, size int) {
	m := g.inCity.FindStringSubmatchIndex(text)
	if m == nil {
		return r, 0
	}
	for end := m[3]; end > m[2]; end = m[2] + max(0, strings.LastIndexAny(text[m[2]:end], " -")) {
		if zone := Zone(text[m[2]:end]); strings.Contains(zone, "/") {
			return inZone(zone), end
		}
	}
	return r, 0
}

func inZone(name string) reading {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return reading{said: saidZone, problem: errZone}
	}
	return reading{said: saidZone, zone: zone}
}
