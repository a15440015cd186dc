package moving

import (
	"regexp"
	"slices"
	"strings"

	"nacre/memory"
)

// areaNames are what headings call the areas.
var areaNames = map[memory.Area][]string{
	memory.About:       {"about", "about you", "about me", "über", "über dich", "über mich"},
	memory.Preferences: {"preferences", "vorlieben", "präferenzen"},
	memory.People:      {"people", "menschen", "personen", "leute"},
	memory.Routines:    {"routines", "routinen", "gewohnheiten"},
	memory.Lessons:     {"lessons", "lehren", "lektionen", "gelerntes", "erfahrungen"},
}

// areaOf is the area that a heading names, whatever stands around its words.
func areaOf(heading string) (memory.Area, bool) {
	words := strings.ReplaceAll(memory.Slug(heading), "-", " ")
	for area, names := range areaNames {
		if slices.Contains(names, words) {
			return area, true
		}
	}
	return "", false
}

// keyed is "key: value", as it is or with the key in bold. A key is short, and no
// address such as "https:".
var keyed = regexp.MustCompile(`^(?:\*\*([^*:]{1,40}):?\*\*:?|([^\s*:.,;!?"“„(][^*:.,;!?"“„(]{0,39}):)\s+(\S.*)$`)

// maxKey is how many words a key may have; more begin a sentence.
const maxKey = 4

// name gives notes that begin with a key its name, unless another note of the area
// begins with it too: then it names neither. A key such as "people/ann", which is how
// Nacre writes where a note stands, names the area too, and is no part of the text.
func name(notes []Note) {
	count := map[string]int{}
	for i := range notes {
		d := &notes[i].Draft
		readKey(d)
		count[place(d)]++
	}
	for i := range notes {
		if d := &notes[i].Draft; count[place(d)] > 1 {
			d.Slug = ""
		}
	}
}

func place(d *memory.Draft) string { return string(d.Area) + "/" + d.Slug }

func readKey(d *memory.Draft) {
	m := keyed.FindStringSubmatch(d.Text)
	if m == nil {
		return
	}
	key, value := m[1]+m[2], m[3]
	if area, slug, ok := strings.Cut(key, "/"); ok && slices.Contains(memory.Areas, memory.Area(area)) && memory.Slug(slug) != "" {
		*d = memory.Draft{Area: memory.Area(area), Slug: memory.Slug(slug), Text: unescaped(value)}
		return
	}
	if len(strings.Fields(key)) <= maxKey {
		d.Slug, d.Text = memory.Slug(key), key+": "+value
	}
}
