package phrase

import (
	"regexp"
	"strings"
	"sync"
	"time"
)

// zoned finds what may name a zone: UTC, a name of the IANA database, or one that
// several zones have.
var zoned = sync.OnceValues(func() (name, offset *regexp.Regexp) {
	return regexp.MustCompile(`^\(?(utc|gmt|[a-z]+/[a-z_/-]+)\)?(?:$|[^\pL\pN+-])`),
		regexp.MustCompile(`^\(?(?:(?:utc|gmt)[+-]\d|(?:edt|pt|ct|mt|cst|cdt|mst|mdt|pst|pdt|adt|akst|akdt|hst|brt|cet|cest|mez|mesz|bst|sast|wat|ist|pkt|wib|sgt|hkt|jst|kst|msk|trt|awst|acst|acdt|aest|aedt|nzst|nzdt|eet|eest|wet)(?:$|[^\pL\pN]))`)
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
	if r, size = g.city(text); size > 0 {
		return r, size
	}
	return g.clockOfPlace(text)
}

// city reads the longest name of a city behind a preposition, or in brackets.
func (g *tongue) city(text string) (r reading, size int) {
	m := g.inCity.FindStringSubmatchIndex(text)
	if m == nil {
		return r, 0
	}
	for end := m[3]; end > m[2]; end = m[2] + max(0, strings.LastIndexAny(text[m[2]:end], " -")) {
		if zone := Zone(text[m[2]:end]); strings.Contains(zone, "/") {
			return inZone(zone), end + len(g.closing.FindString(text[end:]))
		}
	}
	return r, 0
}

// clockOfPlace reads "Tokyo time", and refuses that of a place that is no city of
// the database, which would else be taken for the time at home.
func (g *tongue) clockOfPlace(text string) (r reading, size int) {
	m := g.ofPlace.FindStringSubmatchIndex(text)
	if m == nil {
		return r, 0
	}
	if at := 2 * g.ofPlace.SubexpIndex("place"); at > 0 && m[at] >= 0 {
		place := text[m[at]:m[at+1]]
		if zone := Zone(place); strings.Contains(zone, "/") {
			return inZone(zone), m[1]
		}
		if g.noPlace.MatchString(place) {
			return r, 0
		}
	}
	return reading{said: saidZone, problem: errZone}, m[1]
}

func inZone(name string) reading {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return reading{said: saidZone, problem: errZone}
	}
	return reading{said: saidZone, zone: zone}
}
