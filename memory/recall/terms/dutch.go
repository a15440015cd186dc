package terms

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem/dutch"
)

func dutchStem(word string) string { return snowball(dutch.Stem, word) }

// dutchEnd returns the stem that singular and plural share ("huis", "huizen") and
// that of a regular verb of whose participle the stem is given: "werk" of
// "gewerkt".
func (x *lexicon) dutchEnd(stem string) string {
	if rest, ok := strings.CutSuffix(stem, "z"); ok {
		return rest + "s"
	}
	if rest, ok := strings.CutSuffix(stem, "v"); ok {
		return rest + "f"
	}
	verb, ok := strings.CutPrefix(stem, "ge")
	if !ok || len(verb) < 5 || !strings.HasSuffix(verb, "t") && !strings.HasSuffix(verb, "d") {
		return stem
	}
	return dutchStem(verb[:len(verb)-1])
}

var dutchLexicon = sync.OnceValue(func() *lexicon { return newLexicon(dutchStem, dutchForms, "gaan gaat") })

const dutchForms = `gaan ga ging gingen gegaan, komen kwam kwamen gekomen, kopen kocht kochten gekocht, eten at aten gegeten, drinken dronk dronken gedronken, zien zag zagen gezien, lezen las lazen gelezen, schrijven schreef schreven geschreven,
spreken sprak spraken gesproken, geven gaf gaven gegeven, nemen nam namen genomen, vinden vond vonden gevonden, denken dacht dachten gedacht, brengen bracht brachten gebracht, weten wist wisten geweten, zoeken zocht zochten gezocht, slapen sliep sliepen geslapen,
lopen liep liepen gelopen, rijden reed gereden, vliegen vloog vlogen gevlogen, blijven bleef bleven gebleven, krijgen kreeg kregen gekregen, kijken keek keken gekeken, beginnen begon begonnen, zwemmen zwom zwommen gezwommen, zingen zong zongen gezongen,
verliezen verloor verloren, winnen gewonnen, helpen hielp hielpen geholpen, houden hield hielden gehouden, vallen viel vielen gevallen, staan stond stonden gestaan, zitten zat zaten gezeten, liggen lag lagen gelegen, vergeten vergat vergaten, breken brak braken gebroken,
dragen droeg droegen gedragen, sterven stierf stierven gestorven, stelen stal stalen gestolen, goed beter best, kind kinderen, stad steden`
