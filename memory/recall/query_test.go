package recall

import (
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"nacre/memory/recall/terms"
)

func (l lexicon) size() int         { return 10 * len(l.words) }
func (l lexicon) authors() []string { return []string{ByOwner, ByAssistant, "Ana", "Ben Adler"} }

func TestQueryUnderstandsCues(t *testing.T) {
	r := reader{terms.New(nil), time.UTC}
	tests := []struct {
		text string
		want cues
	}{
		{"When did we meet", cues{when: true}},
		{"Since when do you know", cues{when: true}},
		{"What was it when we met", cues{}},
		{"What year was it", cues{when: true}},
		{"On which day", cues{when: true}},
		{"What is it", cues{}},
		{"How many cats", cues{howMany: true, several: true}},
		{"How is the cat", cues{}},
		{"Wann war das", cues{when: true}},
		{"Wie viele Katzen", cues{howMany: true}},
		{"¿Cuándo fue?", cues{when: true}},
		{"¿Cuántos gatos?", cues{howMany: true}},
		{"Quand est-ce que c'était", cues{when: true}},
		{"Combien de chats", cues{howMany: true}},
		{"What book does she like", cues{name: true}},
		{"What does she like in a book", cues{name: true}},
		{"Why does she like the book", cues{}},
		{"她喜欢哪本书", cues{name: true}},
		{"What kinds of cheese does she like", cues{several: true}},
		{"What are her hobbies", cues{several: true}},
		{"What glass is this", cues{}},
		{"What does she bring to parties", cues{}},
		{"她喜欢哪些奶酪", cues{several: true}},
		{"In which cities did she live", cues{name: true, several: true}},
		{"我们什么时候见面", cues{when: true}},
		{"有多少猫", cues{howMany: true}},
	}
	for _, test := range tests {
		if got := r.query(Query{Text: test.text, Now: now}, newLexicon()).cues; got != test.want {
			t.Errorf("%q: %+v, want %+v", test.text, got, test.want)
		}
	}
}

func TestQueryUnderstandsWhoIsAsked(t *testing.T) {
	r := reader{terms.New(nil), time.UTC}
	const ana, ben = 2, 3
	tests := []struct {
		text string
		want []uint16
	}{
		{"What did Ana say", []uint16{ana}},
		{"What did Adler say", []uint16{ben}},
		{"What did Ana and Ben say", []uint16{ana, ben}},
		{"What did I say", []uint16{fromOwner}},
		{"Where is my key", []uint16{fromOwner}},
		{"What did you recommend to me", []uint16{fromAssistant}},
		{"Can you tell me my size", []uint16{fromOwner}},
		{"Was hast du mir empfohlen", []uint16{fromAssistant}},
		{"Wo ist mein Schlüssel", []uint16{fromOwner}},
		{"¿Qué me recomendaste?", []uint16{fromAssistant}},
		{"Où est mon vélo", []uint16{fromOwner}},
		{"你推荐了什么", []uint16{fromAssistant}},
		{"我的钥匙在哪里", []uint16{fromOwner}},
		{"Where is the key", nil},
	}
	for _, test := range tests {
		if got := r.query(Query{Text: test.text, Now: now}, newLexicon()).who; !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: %v, want %v", test.text, got, test.want)
		}
	}
}

func TestQueryWeighsWords(t *testing.T) {
	r := reader{terms.New(nil), time.UTC}
	l := newLexicon("kind", "guitar", "zither", "money")
	q := r.query(Query{Text: "What kind of guitar has Ana, and which zihter, and what salary?", Now: now}, l)
	weights := map[string]float64{}
	for _, w := range q.terms() {
		for _, word := range w.alternatives {
			weights[word] += w.weight
		}
	}
	maps.DeleteFunc(weights, func(word string, _ float64) bool { return l.frequency(word) == 0 })
	if want := map[string]float64{"kind": ofVague, "guitar": 1, "zither": ofGuessed, "money": ofMissing}; !maps.Equal(weights, want) {
		t.Errorf("weights %v, want %v", weights, want)
	}
}

func TestQueryOfManyWordsKeepsTheRarest(t *testing.T) {
	var words []string
	for i := range 100 {
		words = append(words, "w"+strings.Repeat("x", i+3))
	}
	l := newLexicon(words...)
	q := reader{terms.New(nil), time.UTC}.query(Query{Text: strings.Join(words, " ")[:3000], Now: now}, l)
	if len(q.direct()) != maxWords {
		t.Fatalf("%d words", len(q.direct()))
	}
	for _, w := range q.direct() {
		if l.frequency(w.alternatives[0]) > 80 {
			t.Errorf("a frequent word was kept")
		}
	}
}

func FuzzQuery(f *testing.F) {
	for _, text := range []string{"", "When did Ana move house on 31 May 2023?", "il y a", "vor", "last", "上个", "9999999999年99月99日", "\x00\xff", strings.Repeat("zebra ", 1000), "a b c d", "2023-99-99", "8th", "\u202eabc"} {
		f.Add(text)
	}
	r := reader{terms.New(nil), time.UTC}
	l := newLexicon("zebra", "house", "move", "kind")
	f.Fuzz(func(t *testing.T, text string) {
		q := r.query(Query{Text: text, Now: now}, l)
		if len(q.words) > maxWords || len(q.terms()) > 2*maxWords {
			t.Errorf("%d words", len(q.terms()))
		}
		for _, w := range q.terms() {
			if len(w.alternatives) == 0 || w.weight <= 0 || w.weight > 1 {
				t.Errorf("word %v", w)
			}
		}
		for _, s := range q.days {
			if s.first > s.last || s.days() > longest {
				t.Errorf("span %v", s)
			}
		}
		if !reflect.DeepEqual(q, r.query(Query{Text: text, Now: now}, l)) {
			t.Error("the same text is understood in two ways")
		}
	})
}
