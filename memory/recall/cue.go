package recall

import (
	"slices"
	"strings"
)

// cues are what the form of a question says about its answer.
type cues struct {
	when    bool // the answer says when
	howMany bool // the answer has a number
}

// readCues reads the folded words of a question, and its text for writing
// without spaces.
func readCues(text string, forms []string) cues {
	return cues{
		when: asksWhen(forms) || containsAny(text,
			"什么时候", "什麼時候", "几号", "幾號", "哪天", "哪一天", "何时", "何時", "几月", "哪年", "いつ"),
		howMany: asksHowMany(forms) || containsAny(text,
			"多少", "几个", "幾個", "几次", "幾次", "多久", "多大", "几岁", "いくつ"),
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
