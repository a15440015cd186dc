package terms

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// language is what is known of a language.
type language struct {
	code      string // ISO 639-1
	mark      string // keeps its terms apart from those of other languages: folded words have no capitals
	script    script
	letters   string                               // that tell it from others
	endings   string                               // of words, that tell it from others
	snow      func(*snowballstem.Env) bool         // its Snowball stemmer (snowballstem.org), nil if there is none
	cut       string                               // without a stemmer: the endings of inflection, without accents
	respell   func(word string) string             // what is done to a word before; nil if nothing
	irregular func() *lexicon                      // nil if there is nothing
	verbs     func(x *lexicon, stem string) string // what is done to a stem after; nil if nothing
}

// script is a writing system whose words are reduced to stems.
type script uint8

const (
	noScript script = iota
	latin
	cyrillic
	arabicScript
	tamilScript
	greek
	scripts
)

// scriptOf returns the script of a word by its first letter.
func scriptOf(word string) script {
	switch r, _ := utf8.DecodeRuneInString(word); {
	case r < 0x0300 && unicode.IsLetter(r), 0x1e00 <= r && r < 0x1f00:
		return latin
	case unicode.Is(unicode.Cyrillic, r):
		return cyrillic
	case unicode.Is(unicode.Arabic, r):
		return arabicScript
	case unicode.Is(unicode.Greek, r):
		return greek
	case unicode.Is(unicode.Tamil, r):
		return tamilScript
	}
	return noScript
}

// languages are those that words can be reduced in. A script whose language
// nobody named is taken to be that of the first with this script, except Latin.
var languages = [...]language{
	{code: "en", mark: "", script: latin, snow: english.Stem, irregular: englishLexicon,
		endings: "ing ings ight tion tions ness ly ful ment ments ough er ers ies sh ck ow ew ee ook ood oy ay th"},
	{code: "de", mark: "G", script: latin, letters: "äöüß", snow: german.Stem, irregular: germanLexicon, respell: umlauts, verbs: (*lexicon).germanVerb,
		endings: "ung ungen heit heiten keit keiten lich liche lichen isch ische ischen schaft ig ige igen chen tz cht ft rt kt lt st en ein eine ern eln"},
	{code: "es", mark: "S", script: latin, letters: "ñáíóú", snow: spanish.Stem, irregular: spanishLexicon, respell: spanishEnding,
		endings: "ando iendo ado ada ados adas ido ida idos idas ción ciones cion dad dades mente oso osa ar er ir aron ieron amos emos imos os as"},
	{code: "fr", mark: "F", script: latin, letters: "éèêçàùœâîôûëï", snow: french.Stem, irregular: frenchLexicon,
		endings: "tion tions eux euse euses aux ment ments aient ait ais ette ettes eau eaux ique iques er ir ez ons ent ée ées és eur eurs oir oire ille illes"},
	{code: "it", mark: "I", script: latin, letters: "àèéìòù", snow: italian.Stem, irregular: italianLexicon,
		endings: "zione zioni mente are ere ire ato ata ati ate ando endo tà ità ello ella elli elle etto etta oso osa"},
	{code: "pt", mark: "P", script: latin, letters: "ãõçáéêóôíú", snow: portuguese.Stem, irregular: portugueseLexicon, respell: portugueseEnding,
		endings: "ção ções cao coes ando endo indo ado ada ados adas ar er ir aram eram iram amos emos mente dade dades oso osa inho inha os as"},
	{code: "nl", mark: "N", script: latin, letters: "ëï", snow: dutch.Stem, irregular: dutchLexicon, verbs: (*lexicon).dutchEnd,
		endings: "en ing ingen heid heden lijk lijke tje tjes aar aars eer ij oek oeken oor oord uis aan"},
	{code: "sv", mark: "V", script: latin, letters: "åäö", snow: swedish.Stem, endings: "ning ningar ar er or arna erna orna het heten lig ligt liga ade at na"},
	{code: "da", mark: "D", script: latin, letters: "æøå", snow: danish.Stem, endings: "ning ninger er erne hed heder lig ligt lige ede et en"},
	{code: "no", mark: "O", script: latin, letters: "æøå", snow: norwegian.Stem, endings: "ning ninger er ene het heter lig ligt lige et en"},
	{code: "fi", mark: "U", script: latin, letters: "äö", snow: finnish.Stem, endings: "ssa ssä sta stä lla llä lta ltä lle inen iset isen nen seen an än ja jä"},
	{code: "hu", mark: "H", script: latin, letters: "áéíóöőúüű", snow: hungarian.Stem, endings: "ban ben nak nek ok ek ak val vel ság ség unk ünk"},
	{code: "ro", mark: "R", script: latin, letters: "ăâîșțşţ", snow: romanian.Stem, respell: romanianCommas, endings: "ul ului ilor lor uri ească ție ții tate"},
	{code: "tr", mark: "T", script: latin, letters: "ğışçöü", snow: turkish.Stem, endings: "lar ler lık lik dan den ım im yor mak mek da de"},
	{code: "pl", mark: "L", script: latin, letters: "ąćęłńóśźż", endings: "ać eć ić ość ych ami ów ego emu anie enie ka ki",
		cut: "iejszego owaniami osciami owania ajacych eniami aniami ilismy alismy osciach iejszy ajaca ajacy owych owego owemu ilem alem alam ilam eniem aniem osci osc ania enie anie ania ych ich ego emu ymi imi ami ach owi owie ila ily ala aly al il ie ow om em iem am uje uja ac ic ec a e i o u y"},
	{code: "cs", mark: "C", script: latin, letters: "ěščřžýáíéúůťďň", endings: "ost osti ých ého ému ami ích ování ání ení at it et ou",
		cut: "ostech ostem ovani ostmi ostem osti ost ymi imi ech ich ych eho emu ami ach ovi ove ata aty ich ani eni al ala ali aly il ila ili ily em im ym am um uv ou at it et a e i o u y"},
	{code: "ru", mark: "B", script: cyrillic, letters: "ыэъё", snow: russian.Stem, irregular: russianLexicon, respell: russianYo, endings: "ться ого ему ыми ами ость ение ать ить"},
	{code: "uk", mark: "K", script: cyrillic, letters: "іїєґ", endings: "ти ться ого ому ими ість ення",
		cut: "остями остями еннями ування ення ання істю ість ості ого ому ими ами ями ові еві ала али ала ило ила или ати ити ах ях ів їв ом ем ам ям ий ою ею ла ло ли а е и і о у ю я ь й"},
	{code: "ar", mark: "A", script: arabicScript, snow: arabic.Stem},
	{code: "ta", mark: "M", script: tamilScript, snow: tamil.Stem},
	{code: "el", mark: "X", script: greek,
		cut: "ουσαμε ουσατε ματων ησαμε ματοσ ουσαν ησουν ματα ησει ησαν οντασ ουμε ετε εισ ουσ ων ησ οσ ου εσ ασ ια ιο αι οι ει ον ην α η ο ι ε υ"},
}

// defaults are the languages of an owner who named none.
var defaults = []string{"en", "de", "es", "fr"}

// alias returns the code under which a language is known here.
func alias(code string) string {
	switch code {
	case "nb", "nn":
		return "no"
	case "sk":
		return "cs"
	}
	return code
}

// chosen returns the languages of codes, each once, in their order.
func chosen(codes []string) []*language {
	var list []*language
	for _, code := range codes {
		i := slices.IndexFunc(languages[:], func(l language) bool { return l.code == alias(code) })
		if i >= 0 && !slices.Contains(list, &languages[i]) {
			list = append(list, &languages[i])
		}
	}
	return list
}

// lexicon returns what the stemmer cannot know.
func (l *language) lexicon() *lexicon {
	if l.irregular == nil {
		return &lexicon{}
	}
	return l.irregular()
}
