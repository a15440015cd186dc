package terms

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem/german"
)

// umlauts writes ae, oe and ue as umlauts, whether they are or not: Michael
// becomes the same wherever he stands.
func umlauts(word string) string {
	if !strings.Contains(word, "ae") && !strings.Contains(word, "oe") && !strings.Contains(word, "ue") {
		return word
	}
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		before := byte('q')
		if i > 0 {
			before = word[i-1]
		}
		if i+1 < len(word) && word[i+1] == 'e' && !(word[i] == 'u' && strings.IndexByte("aeoq", before) >= 0) {
			if u, ok := map[byte]string{'a': "ä", 'o': "ö", 'u': "ü"}[word[i]]; ok {
				b.WriteString(u)
				i++
				continue
			}
		}
		b.WriteByte(word[i])
	}
	return b.String()
}

// separable are the prefixes that stand apart from their verb in some forms and
// before its ge- or zu- in others; the longest of those that begin alike first.
const separable = "zusammen zurück zurueck weiter wieder durch unter statt über nach fest fort heim hoch raus rein teil über auf aus bei ein her hin los mit ver vor weg wahr ab an be da er um zu"

// germanVerb returns the stem that the forms of a German verb share: of its
// participle ("eingekauft", "angerufen"), its infinitive with zu, its third
// person and its past ("kauft", "kaufte"), with the vowels of the infinitive.
func (x *lexicon) germanVerb(stem string) string {
	if base, ok := x.separated(stem); ok {
		return base
	}
	if verb, ok := participle(stem); ok {
		return verb
	}
	return present(stem)
}

// separated is germanVerb for a stem with a prefix.
func (x *lexicon) separated(stem string) (string, bool) {
	for prefix := range strings.FieldsSeq(separable) {
		rest, ok := strings.CutPrefix(stem, fold(prefix))
		if !ok || len(rest) < 3 {
			continue
		}
		if verb, ok := strings.CutPrefix(rest, "zu"); ok && len(verb) >= 4 {
			rest = verb
		}
		if base, ok := x.stems[rest]; ok {
			return fold(prefix) + base, true
		}
		if verb, ok := participle(rest); ok {
			return fold(prefix) + verb, true
		}
	}
	return "", false
}

// participle returns the stem of a regular verb of whose participle the stem is
// given, as "gekauft". Nouns that look like one are left alone.
func participle(stem string) (string, bool) {
	middle, ok := strings.CutPrefix(stem, "ge")
	if !ok || strings.Contains(nouns, " "+stem+" ") || strings.HasSuffix(stem, "schaft") {
		return "", false
	}
	if middle, ok = strings.CutSuffix(middle, "t"); !ok || len(middle) < 3 {
		return "", false
	}
	return strings.TrimSuffix(middle, "e"), true
}

const nouns = " gesicht gericht gewicht geschaft gebiet geburt gedicht gerust gerucht gespenst gewalt gestalt gehalt geschlecht gefecht "

// present returns the stem of the third person and the past without their t,
// "kauf" of "kauft".
func present(stem string) string {
	if strings.HasSuffix(stem, "tet") || strings.HasSuffix(stem, "det") {
		return stem[:len(stem)-2]
	}
	if len(stem) < 5 || stem[len(stem)-1] != 't' || strings.IndexByte("aeiouyst", stem[len(stem)-2]) >= 0 || strings.Contains(unverbs, " "+stem+" ") {
		return stem
	}
	return stem[:len(stem)-1]
}

const unverbs = " start punkt markt nacht "

var germanLexicon = sync.OnceValue(func() *lexicon {
	return newLexicon(func(w string) string { return snowball(german.Stem, umlauts(w)) }, germanForms, "wachsen wächst wächs, messen maß, mögen mag, weisen wies")
})

const germanForms = `backen bäckt gebacken, befehlen befiehlt befahl befohlen, beginnen begann begonnen, beißen biss gebissen, bergen birgt barg geborgen,
betrügen betrog betrogen, biegen bog gebogen, bieten bot geboten, binden gebunden, bitten bat gebeten, blasen bläst blies geblasen, bleiben blieb geblieben,
braten brät briet gebraten, brechen bricht brach gebrochen, brennen brannte gebrannt, bringen brachte gebracht, denken dachte gedacht, dringen drang gedrungen,
dürfen durfte gedurft, empfehlen empfiehlt empfahl empfohlen, essen iss isst aß gegessen, fahren fährt fuhr gefahren, fallen fällt fiel gefallen, fangen fängt fing gefangen,
finden fand gefunden, fliegen flog geflogen, fliehen floh geflohen, fließen floss geflossen, fressen frisst fraß gefressen, frieren fror gefroren, geben gibt gab gegeben,
gehen ging gegangen, gelingen gelang gelungen, gelten gilt galt gegolten, genießen genoss genossen, geschehen geschieht geschah, gewinnen gewann gewonnen,
gießen goss gegossen, gleichen glich geglichen, gleiten glitt geglitten, graben gräbt grub gegraben, greifen griff gegriffen, halten hält hielt gehalten, hängen hing gehangen,
heben hob gehoben, helfen hilft half geholfen, kennen kannte gekannt, klingen klang geklungen, kommen kam gekommen, kriechen kroch gekrochen, laden lädt lud geladen,
lassen lässt ließ gelassen, laufen läuft lief gelaufen, leiden litt gelitten, leihen lieh geliehen, lesen liest las gelesen, liegen lag gelegen, lügen log gelogen, meiden mied gemieden,
messen misst gemessen, mögen mochte gemocht, nehmen nimmt nahm genommen, nennen nannte genannt, pfeifen pfiff gepfiffen, raten rät riet geraten, reiben rieb gerieben,
reißen riss gerissen, reiten ritt geritten, rennen rannte gerannt, riechen roch gerochen, rufen rief gerufen, saufen säuft soff gesoffen, scheiden schied geschieden,
scheinen schien geschienen, schieben schob geschoben, schießen schoss geschossen, schlafen schläft schlief geschlafen, schlagen schlägt schlug geschlagen, schleichen schlich geschlichen,
schließen geschlossen, schmeißen schmiss geschmissen, schmelzen schmilzt schmolz geschmolzen, schneiden schnitt geschnitten, schreiben schrieb geschrieben, schreien schrie geschrien,
schweigen schwieg geschwiegen, schwimmen schwamm geschwommen, schwören schwor geschworen, sehen sieht sah gesehen, senden sandte gesandt, singen sang gesungen,
sinken sank gesunken, sitzen saß gesessen, spinnen spann gesponnen, sprechen spricht sprach gesprochen, springen sprang gesprungen, stechen sticht stach gestochen, stehen stand gestanden,
stehlen stiehlt stahl gestohlen, steigen stieg gestiegen, sterben stirbt starb gestorben, stinken gestunken, stoßen stößt stieß gestoßen, streichen strich gestrichen,
streiten stritt gestritten, tragen trägt trug getragen, treffen trifft traf getroffen, treiben trieb getrieben, treten tritt trat getreten, trinken trank getrunken, tun tat getan,
verderben verdirbt verdarb verdorben, vergessen vergisst vergaß, verlieren verlor verloren, wachsen wuchs gewachsen, waschen wäscht wusch gewaschen,
weisen gewiesen, werben wirbt warb geworben, werfen wirft warf geworfen, wiegen wog gewogen, wissen weiß wusste gewusst, ziehen zog gezogen, zwingen zwang gezwungen,
gut besser beste besten, hoch hohe höher höchste, nah näher nächste, groß größte, alt älteste, jung jüngste, kalt kälteste, lang längste, kurz kürzeste`
