package terms

import (
	"slices"
	"strings"
	"testing"
)

// inflected are pairs of forms of one word, by language: what was said, and what
// may be asked for. They were written down before the stemmers were tried.
var inflected = map[string]string{
	"en": "went/go bought/buying children/child better/good running/run studies/study colours/color mice/mouse happiest/happy taught/teach parties/party swam/swimming flies/fly wives/wife",
	"de": "ging/gehen gekauft/kaufen eingekauft/einkaufen Häuser/Haus aß/essen Kinder/Kind Mütter/Mutter angerufen/anrufen spielte/spielen fährt/fahren Wohnungen/Wohnung schönes/schön Haeuser/Häuser aufgestanden/aufstehen Bücher/Buch verstanden/verstehen",
	"es": "compré/comprar niños/niño ciudades/ciudad fui/ir tengo/tener canciones/canción habitacion/habitación trabajando/trabajo hice/hacer durmió/dormir bonitas/bonito vuelvo/volver",
	"fr": "chevaux/cheval mangé/manger maisons/maison achète/acheter vais/aller yeux/œil voulu/vouloir heureuse/heureux enfants/enfant écrit/écrire finissons/finir journaux/journal",
	"it": "libri/libro comprato/comprare città/citta amiche/amica vado/andare scritto/scrivere mangiando/mangiare belle/bello uomini/uomo case/casa",
	"pt": "livros/livro comprei/comprar canções/canção cidades/cidade cancoes/canção fiz/fazer trabalhando/trabalhar meninas/menina bonitos/bonito",
	"nl": "boeken/boek gekocht/kopen huizen/huis gewerkt/werken kinderen/kind ging/gaan steden/stad mooie/mooi katten/kat",
	"ru": "книги/книга читал/читать городов/город новая/новый работаю/работать друзья/друга машину/машина ёлка/елка домами/дом",
	"sv": "böcker/bok bilarna/bil husen/hus flickor/flicka köpte/köper stora/stor katterna/katt arbetade/arbetar",
	"da": "bøgerne/bøger bilerne/bil husene/hus katten/kat arbejdede/arbejder store/stor pigerne/pige",
	"no": "bøkene/bøker bilene/bil husene/hus katten/katt arbeidet/arbeider store/stor jentene/jente",
	"fi": "talossa/talo autoja/autot kirjan/kirja kissat/kissa kaupungissa/kaupunki ostin/ostaa lapset/lapsen",
	"hu": "házban/ház könyvek/könyv autóval/autó macskák/macska városban/város almát/alma",
	"ro": "cărțile/carte casele/casă mașini/mașina copiii/copil orașul/oraș lucrat/lucrează",
	"tr": "evler/ev kitaplar/kitap arabalar/araba çocuklar/çocuk şehirde/şehir arkadaşım/arkadaş",
	"pl": "książki/książka domów/dom kotami/kot samochodem/samochód miasta/miasto nowego/nowy kupiłem/kupić",
	"cs": "knihy/kniha domu/domy městech/město nového/nový autem/auta psala/psal kočky/kočka",
	"uk": "книги/книга міста/місто новий/нового робота/роботи машину/машина",
	"ar": "كِتَاب/كتاب المدرسة/مدرسة كتابه/كتاب السيارة/سيارة مدرســة/مدرسة",
	"el": "βιβλία/βιβλίο σπίτια/σπίτι δρόμος/δρόμου γάτες/γάτα όμορφη/όμορφος",
}

// leastConflated is the share of the pairs that must meet.
const leastConflated = 0.7

func TestInflectedFormsMeet(t *testing.T) {
	met, all := 0, 0
	for code, list := range inflected {
		a := New([]string{code})
		for pair := range strings.FieldsSeq(list) {
			said, asked, _ := strings.Cut(pair, "/")
			all++
			if meet(a, said, asked) && meet(a, asked, said) {
				met++
			} else {
				t.Logf("%s: %s and %s stay apart", code, said, asked)
			}
		}
	}
	if all < 120 || len(inflected) < 14 {
		t.Errorf("%d pairs of %d languages are too few", all, len(inflected))
	}
	if share := float64(met) / float64(all); share < leastConflated {
		t.Errorf("%d of %d pairs meet: %.2f, want %.2f", met, all, share, leastConflated)
	} else {
		t.Logf("%d of %d pairs meet", met, all)
	}
}

// meet reports whether a message of what is said is found by what is asked.
func meet(a *Analyzer, said, asked string) bool {
	doc := a.Doc(said)
	for _, q := range a.Query(asked) {
		if slices.ContainsFunc(doc, func(t Token) bool { return slices.Contains(q.Alternatives, t.Term) }) {
			return true
		}
	}
	return false
}

// TestLoneWordsMeet asks for words without a text around them, of an owner who
// speaks four languages: what a word is cannot be told, or is mistaken.
func TestLoneWordsMeet(t *testing.T) {
	a := New(nil)
	met, all := 0, 0
	for _, code := range defaults {
		for pair := range strings.FieldsSeq(inflected[code]) {
			one, other, _ := strings.Cut(pair, "/")
			for _, p := range [][2]string{{one, other}, {other, one}} {
				all++
				if meet(a, p[0], p[1]) {
					met++
				} else {
					t.Logf("%s: %s is not found by %s", code, p[0], p[1])
				}
			}
		}
	}
	if share := float64(met) / float64(all); share < leastConflated {
		t.Errorf("%d of %d are found: %.2f, want %.2f", met, all, share, leastConflated)
	}
}

// TestOtherWordsStayApart is the other side of the lists above.
func TestOtherWordsStayApart(t *testing.T) {
	for code, list := range map[string]string{
		"en": "care/car left/right wing/win rose/rise bad/bed founder/find ground/grind hoping/hopping",
		"de": "Punkt/Punk Markt/Mark Planet/Plan Internet/intern Gericht/Geruch Stadt/Stab kaufen/laufen Gebiet/Biene Land/Länge",
		"es": "gato/gasto vino/venir perro/pera carro/cara",
		"fr": "pain/peine chat/château cour/court poisson/poison",
		"pl": "kot/kod dom/dym pies/piec",
		"cs": "hrad/hra pes/pec",
	} {
		a := New([]string{code})
		for pair := range strings.FieldsSeq(list) {
			if one, other, _ := strings.Cut(pair, "/"); meet(a, one, other) {
				t.Errorf("%s: %s and %s are one", code, one, other)
			}
		}
	}
	if a := New([]string{"en"}); !meet(a, "cars", "car") {
		t.Error("nothing meets")
	}
	if a := New(nil); meet(a, "I washed my car", "who takes care of Anna") {
		t.Error("care, in Spanish, is a car in English")
	}
}
