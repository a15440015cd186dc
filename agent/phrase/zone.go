package phrase

import (
	"strings"
	"time"
)

// regions are the first parts of the names that the IANA time zone database
// gives to cities.
var regions = []string{"Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian"}

// Zone returns the IANA name of a place: a zone itself ("europe/berlin",
// "UTC") or a city after which one is named. It is empty for any other place.
func Zone(place string) string {
	name := title(place)
	for _, as := range []string{place, strings.ToUpper(place), name} {
		if knownZone(as) {
			return as
		}
	}
	for _, region := range regions {
		if full := region + "/" + name; knownZone(full) {
			return full
		}
	}
	return ""
}

func knownZone(name string) bool {
	if strings.EqualFold(name, "local") {
		return false // it would name the machine's own zone
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// title writes a place as the database does: "são paulo" is Sao_Paulo.
func title(place string) string {
	var b strings.Builder
	first := true
	for _, r := range strings.ToLower(strings.Join(strings.Fields(place), "_")) {
		letter := Bare(r)
		if first {
			letter = strings.ToUpper(letter)
		}
		b.WriteString(letter)
		first = r == '_' || r == '/'
	}
	return b.String()
}
