package recall

import (
	"slices"
	"strings"

	"nacre/memory/recall/terms"
)

// askedOf finds whose words a question is after: people it names, or, in a chat
// with the assistant, which of the two. It is nobody where that is not clear. It
// also returns the forms that only name somebody.
func (r *reader) askedOf(text string, said []terms.Asked, c corpus) (who []uint16, named []string) {
	for i, author := range c.authors() {
		if author == ByOwner || author == ByAssistant {
			continue
		}
		if form, ok := nameIn(said, formsOf(r.analyzer.Query(author)), c); ok {
			who, named = append(who, uint16(i)), append(named, form)
		}
	}
	switch forms := formsOf(said); {
	case len(who) > 0:
	case asksAssistant(text, forms):
		who = []uint16{fromAssistant}
	case asksOwner(text, forms):
		who = []uint16{fromOwner}
	}
	return who, named
}

// nameIn finds one of some names in what is said, as it is or as a word that
// nobody uses and that is almost it.
func nameIn(said []terms.Asked, names []string, c corpus) (form string, found bool) {
	for _, name := range names {
		for _, w := range said {
			if w.Form == name || almost(w.Form, name) && frequency(w.Alternatives, c) == 0 {
				return w.Form, true
			}
		}
	}
	return "", false
}

// asksAssistant reports "did you recommend", "you said" and the like: not every
// "you", for most questions are put to the assistant.
func asksAssistant(text string, forms []string) bool {
	line := " " + strings.Join(forms, " ") + " "
	return containsAny(line, " did you ", " have you ", " had you ", " you said ", " you told ", " you gave ",
		" you recommended ", " you suggested ", " you mentioned ", " you wrote ", " you explained ", " you advised ",
		" your advice ", " your answer ", " your suggestion", " your recommendation",
		" hast du ", " hattest du ", " du mir ", " as tu ", " tu m'as ", " tu as ",
		" dijiste ", " recomendaste ", " sugeriste ", " has dicho ") ||
		containsAny(text, "你说", "你說", "你推荐", "你推薦", "你建议", "你建議", "你提", "你告诉", "你告訴", "你给", "你給")
}

// asksOwner reports a question of the owner's about what is their own.
func asksOwner(text string, forms []string) bool {
	return strings.Contains(text, "我") || slices.ContainsFunc(forms, self)
}

// self reports a word by which people speak of themselves.
func self(form string) bool {
	switch form {
	case "i", "i'm", "i've", "i'd", "my", "me", "mine", "we", "our",
		"ich", "mein", "meine", "meinen", "meinem", "meiner", "meines", "mir", "mich", "wir", "unser", "unsere",
		"je", "j'ai", "moi", "mon", "ma", "mes", "nous", "notre",
		"yo", "mi", "mis", "nosotros", "nuestro", "nuestra":
		return true
	}
	return false
}
