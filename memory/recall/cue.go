package recall

import (
	"slices"
	"strings"
)

// cues are what the form of a question says about its answer.
type cues struct {
	when    bool // the answer says when
	howMany bool // the answer has a number
	name    bool // the answer has a name or a title
	several bool // the answer is likely said in pieces
}

// readCues reads the folded words of a question, and its text for writing
// without spaces.
func readCues(text string, forms []string) cues {
	return cues{
		when: asksWhen(forms) || containsAny(text,
			"什么时候", "什麼時候", "几号", "幾號", "哪天", "哪一天", "何时", "何時", "几月", "哪年", "いつ"),
		howMany: asksHowMany(forms) || containsAny(text,
			"多少", "几个", "幾個", "几次", "幾次", "多久", "多大", "几岁", "いくつ"),
		name:    asksName(forms) || containsAny(text, "什么书", "什麼書", "哪本", "哪部", "哪首", "叫什么", "叫什麼"),
		several: asksSeveral(forms) || containsAny(text, "哪些", "哪几", "哪幾"),
	}
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// asksWhen reports "when" where a question begins, not where it joins sentences,
// and "on which day", "what year".
func asksWhen(forms []string) bool {
	for i, form := range forms {
		switch form {
		case "when", "wann", "quand", "cuando":
			if i < 2 {
				return true
			}
		case "what", "which", "que", "cual", "quel", "quelle", "welchem", "welchen", "welcher", "welches", "welche":
			if i+1 < len(forms) && namesTime(forms[i+1]) {
				return true
			}
		}
	}
	return containsAny(strings.Join(forms, " "), "how long ago", "how long has", "how long have",
		"wie lange schon", "depuis combien", "hace cuanto", "desde cuando")
}

// namesTime reports a word for what a calendar has.
func namesTime(form string) bool {
	m := calendar()[form]
	return m.role == isUnit && m.value != partOfDay || form == "date" || form == "datum" || form == "fecha" || form == "time"
}

// asksHowMany reports "how many", "how old" and the like.
func asksHowMany(forms []string) bool {
	for i, form := range forms {
		switch form {
		case "combien", "cuanto", "cuanta", "cuantos", "cuantas", "wieviel", "wieviele":
			return true
		case "how", "wie":
			if i+1 < len(forms) && measured(forms[i+1]) {
				return true
			}
		}
	}
	return false
}

// measured reports a word after "how" or "wie" that is answered with a number.
func measured(form string) bool {
	switch form {
	case "many", "much", "long", "often", "old", "far", "tall", "big",
		"viel", "viele", "vielen", "lange", "oft", "alt", "weit", "gross", "hoch":
		return true
	}
	return false
}

// asksName reports "what book", "which cities", "what is it called" and the like.
func asksName(forms []string) bool {
	if len(forms) == 0 {
		return false
	}
	switch forms[0] {
	case "what", "which", "in", "from", "que", "cual", "en", "quel", "quelle", "dans":
		return slices.ContainsFunc(forms[1:], named)
	}
	return false
}

// named reports a word for what has a name of its own.
func named(form string) bool {
	switch form {
	case "name", "names", "named", "called", "title", "titles", "brand", "brands", "company", "companies",
		"book", "books", "author", "authors", "movie", "movies", "film", "films", "series", "song", "songs",
		"album", "albums", "band", "bands", "artist", "artists", "singer", "actor", "game", "games", "podcast",
		"city", "cities", "town", "country", "countries", "state", "states", "street", "language", "languages",
		"restaurant", "restaurants", "hotel", "museum", "university", "team", "teams", "breed",
		"libro", "pelicula", "cancion", "ciudad", "pais", "livre", "chanson", "ville", "pays":
		return true
	}
	return false
}

// asksSeveral reports "what books did", "which of the cities", "what are" and the
// like, by what stands before the verb of an English question: such things are told
// of at several times.
func asksSeveral(forms []string) bool {
	if len(forms) == 0 || !slices.Contains([]string{"what", "which", "how", "in"}, forms[0]) {
		return false
	}
	for _, form := range forms[1:] {
		switch form {
		case "are", "were":
			return true
		case "is", "was", "do", "does", "did", "has", "have", "had", "can", "could", "will", "would", "should", "might", "this":
			return false
		}
		if plural(form) {
			return true
		}
	}
	return false
}

// plural reports an English word that looks like one.
func plural(form string) bool {
	return len(form) > 3 && strings.HasSuffix(form, "s") && !strings.HasSuffix(form, "ss") && !strings.HasSuffix(form, "'s")
}
