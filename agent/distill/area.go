package distill

import (
	"regexp"
	"strings"
	"sync"

	"nacre/agent/phrase"
	"nacre/memory"
	"nacre/memory/canon"
)

// areaOf guesses the drawer of what the owner wants kept, from words in it.
func areaOf(w phrase.Intent) memory.Area {
	if prefers(w) {
		return memory.Preferences
	}
	s := signs()
	form := " " + canon.Form(w.Payload) + " "
	switch {
	case s.again.MatchString(form):
		return memory.Routines
	case s.kin.MatchString(form), s.named.MatchString(w.Payload) && !s.pronoun.MatchString(w.Payload):
		return memory.People
	case s.liking.MatchString(form):
		return memory.Preferences
	}
	return memory.About
}

// prefers reports whether a wish is a preference, asked to be remembered or not.
func prefers(w phrase.Intent) bool {
	return w.Kind == phrase.Preference || phrase.Parse(w.Payload).Kind == phrase.Preference
}

// sign are the words by which areas are told apart. All but named and pronoun
// stand for canonical forms with a space at both ends.
type sign struct{ again, kin, liking, named, pronoun *regexp.Regexp }

var signs = sync.OnceValue(func() sign {
	return sign{
		again: either(
			` every (?:other |second |single )?(?:day|morning|evening|night|week|weekend|weekday|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day) `,
			` (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days | (?:daily|weekly|monthly) `,
			` jede[ns]? (?:zweite[ns]? )?(?:tag|morgen|abend|nacht|woche|wochenende|monat|jahr|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch) `,
			` (?:(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|täglich|wöchentlich|monatlich) `,
			` (?:cada|todos los|todas las) (?:d[ií]as?|mañanas?|tardes?|noches?|semanas?|mes|meses|años?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?) `,
			` (?:chaque|tous les|toutes les) (?:jours?|matins?|soirs?|nuits?|semaines?|mois|ans?|années?|(?:lun|mar|mercre|jeu|vendre|same)dis?|dimanches?) `,
			`每(?:天|日|周|週|个|個|月|年|星期|礼拜|禮拜|晚|早)`,
		),
		kin: either(
			` (?:mother|mum|mom|father|dad|parents?|sister|brother|siblings?|wife|husband|partner|girlfriend|boyfriend|fiancée?|son|daughter|kids?|child|children|baby|grand(?:ma|pa|mother|father|parents|son|daughter)|aunt|uncle|cousins?|niece|nephew|friends?|boss|colleagues?|neighbou?rs?|roommate|flatmate) `,
			` (?:mutter|mama|vater|papa|eltern|schwester|bruder|geschwister|frau|mann|partner(?:in)?|freund(?:in|e|innen)?|verlobte[rn]?|sohn|tochter|kind(?:er)?|baby|oma|opa|großmutter|grossmutter|grossvater|tante|onkel|cousine?|nichte|neffe|chef(?:in)?|kolleg(?:e|in|en)|nachbar(?:n|in)?) `,
			` (?:madre|mamá|padre|papá|padres|hermanas?|hermanos?|esposa|esposo|mujer|marido|pareja|novia|novio|hij[oa]s?|bebé|abuel[oa]s?|tía|tío|prim[oa]s?|sobrin[oa]s?|amig[oa]s?|jef[ea]|colegas?|vecin[oa]s?) `,
			` (?:mère|maman|père|papa|parents|sœur|frère|femme|mari|compagne|compagnon|copine|copain|fils|fille|enfants?|bébé|grand (?:mère|père)|mamie|papi|tante|oncle|cousine?s?|nièce|neveu|amie?s?|chef|collègues?|voisine?s?) `,
			`妈|媽|爸|母亲|母親|父亲|父親|姐|妹|哥|弟|妻子|老婆|太太|丈夫|老公|女朋友|男朋友|女友|男友|儿子|兒子|女儿|女兒|孩子|爷爷|爺爺|奶奶|外婆|外公|阿姨|叔叔|朋友|老板|老闆|同事|邻居|鄰居`,
			` [^ ]+ s birthday `,
		),
		liking: either(
			` i (?:really |also )?(?:do not |don t )?(?:like|love|hate|enjoy|dislike|prefer) | (?:always|never) `,
			` ich (?:mag|liebe|hasse) | (?:gern|gerne|ungern|lieber|immer|nie|niemals) `,
			` me (?:gustan?|encantan?) | (?:odio|adoro|prefiero|siempre|nunca|jamás) `,
			` j (?:aime|adore) | je (?:déteste|préfère) | (?:toujours|jamais) `,
			`喜欢|喜歡|讨厌|討厭|总是|總是|从不|從不|从来不|從來不|永远|永遠`,
		),
		named:   regexp.MustCompile(`^\p{Lu}\p{Ll}[\p{L}'’-]*(?: \p{Lu}\p{Ll}[\p{L}'’-]*)? (?:is|has|likes|loves|hates|lives|works|prefers|owes|ist|hat|mag|liebt|wohnt|lebt|arbeitet|heißt|schuldet|es|tiene|vive|trabaja|prefiere|est|a|aime|habite|travaille|préfère) `),
		pronoun: regexp.MustCompile(`^(?:My|Our|The|A|It|This|That|There|Here|What|Mein|Meine|Unser|Unsere|Der|Die|Das|Es|Dies|Mi|Nuestro|Nuestra|El|La|Esto|Eso|Mon|Ma|Notre|Le|Ça|Cela|Ceci|Il) `),
	}
})

func either(patterns ...string) *regexp.Regexp {
	return regexp.MustCompile(strings.Join(patterns, "|"))
}
