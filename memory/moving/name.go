package moving

import (
	"regexp"
	"slices"
	"strings"

	"nacre/memory"
)

// areaNames are what headings call the areas, as areaOf reads them.
var areaNames = map[memory.Area][]string{
	memory.About: {"about", "about you", "about me", "about user", "about the user", "about yourself", "who you are", "profile", "basic information", "basic info",
		"personal information", "personal info", "personal details", "über", "über dich", "über mich", "persönliches", "persönliche informationen", "profil", "zur person"},
	memory.Preferences: {"preferences", "personal preferences", "likes", "likes dislikes", "what you like", "what i like",
		"vorlieben", "präferenzen", "persönliche vorlieben", "vorlieben abneigungen", "was du magst", "was ich mag"},
	memory.People: {"people", "important people", "people in your life", "people in my life", "people you know", "people i know", "family friends", "friends family", "relationships",
		"menschen", "personen", "leute", "wichtige menschen", "wichtige personen", "menschen in deinem leben", "menschen in meinem leben", "personen in deinem leben", "personen in meinem leben",
		"familie freunde", "freunde familie", "beziehungen"},
	memory.Routines: {"routines", "routine", "daily routine", "daily routines", "habits", "habits routines", "routines habits",
		"routinen", "gewohnheiten", "gewohnheiten routinen", "routinen gewohnheiten", "tagesablauf"},
	memory.Lessons: {"lessons", "lessons learned", "lessons learnt", "learnings", "what you learned", "what i learned", "what you have learned", "what i have learned",
		"lehren", "lektionen", "gelerntes", "erfahrungen", "erkenntnisse", "was du gelernt hast", "was ich gelernt habe"},
}

// Words of a heading that say nothing of its area: whose it is before the others, and
// what joins them.
var (
	owning  = []string{"your", "my", "user", "the", "deine", "dein", "meine", "mein"}
	joining = []string{"and", "und"}
)

// areaOf is the area that a heading names, whatever stands around its words, such as a
// number before them.
func areaOf(heading string) (memory.Area, bool) {
	words := strings.Split(memory.Slug(heading), "-")
	for len(words) > 1 && (number.MatchString(words[0]) || slices.Contains(owning, words[0])) {
		words = words[1:]
	}
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(joining, w) })
	for area, names := range areaNames {
		if slices.Contains(names, strings.Join(words, " ")) {
			return area, true
		}
	}
	return "", false
}

var number = regexp.MustCompile(`^[0-9]+$`)

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
