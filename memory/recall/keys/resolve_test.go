package keys_test

import (
	"fmt"
	"strings"
	"testing"

	"nacre/memory/recall/keys"
)

var all = []keys.Step{keys.Exact, keys.Words, keys.Overlap, keys.Fuzzy, keys.Hologram}

// home is a few notes of different people's.
var home = []keys.Entry{
	{Place: "people/dog", Text: "My dog is called Kiko", Entities: []string{"Kiko"}},
	{Place: "people/cat", Text: "The cat sleeps on the stove"},
	{Place: "about/python-version", Text: "The server runs python 3.12"},
	{Place: "about/deploy-process", Text: "We deploy with a tag"},
	{Place: "preferences/favourite-colour", Text: "My favourite colour is turquoise"},
	{Place: "people/dog-doctor", Text: "The vet of the dog is Eva", Entities: []string{"Eva"}},
	{Place: "people/schwester", Text: "Meine Schwester heißt Greta", Entities: []string{"Greta"}},
	{Place: "about/bicicleta", Text: "Mi bicicleta es amarilla"},
	{Place: "about/自行车", Text: "我的自行车是绿色的"},
	{Place: "people/son", Text: "He is called Max", Entities: []string{"Max"}},
	{Place: "about/size", Text: "I wear 43"},
	{Place: "lessons/size", Text: "Buy gloves one size up"},
}

func TestResolve(t *testing.T) {
	s := keys.New(home, keys.Options{})
	for _, tc := range []struct{ cue, place string }{
		{"dog", "people/dog"}, {"people/dog", "people/dog"}, {"People/DOG ", "people/dog"}, {"Kiko", "people/dog"},
		{"what's my dog called", "people/dog"}, {"who is Kiko?", "people/dog"},
		{"which python version", "about/python-version"}, {"pyhton version", "about/python-version"}, {"version python", "about/python-version"},
		{"how to deploy", "about/deploy-process"}, {"the colour I like", "preferences/favourite-colour"}, {"colour", "preferences/favourite-colour"},
		{"doctor of my dog", "people/dog-doctor"}, {"wie heißt meine Schwester", "people/schwester"}, {"Shcwester", "people/schwester"},
		{"de qué color es mi bicicleta", "about/bicicleta"}, {"biciclta", "about/bicicleta"}, {"自行车", "about/自行车"}, {"我的自行车是什么颜色", "about/自行车"},
		{"my son", "people/son"}, {"lessons/size", "lessons/size"},
		{"what about my vacation plans", ""}, {"weather forecast tomorrow", ""}, {"", ""}, {" \n", ""}, {"?!", ""}, {"what about that", ""}, {"is it", ""},
		{"明天天气怎么样", ""}, {"1234567", ""}, {"concatenate", ""}, {"dogma", ""}, {"size", ""},
	} {
		m, ok := s.Resolve(tc.cue)
		place := ""
		if ok {
			place = home[m.At].Place
		}
		if place != tc.place {
			t.Errorf("%q is taken for %q (%s, %.2f), want %q", tc.cue, place, m.Step, m.Confidence, tc.place)
		}
	}
}

// No step takes a cue for a note that has nothing of it, and none answers an empty
// one; the control is that each finds what it is for.
func TestEachStep(t *testing.T) {
	found := map[keys.Step]string{keys.Exact: "dog", keys.Words: "what is my dog", keys.Overlap: "turquoise", keys.Fuzzy: "favuorite colour", keys.Hologram: "favorite colours"}
	for _, step := range all {
		s := keys.New(home, keys.Options{Steps: []keys.Step{step}})
		if m, ok := s.Resolve(found[step]); !ok || m.Step != step {
			t.Errorf("%s does not find %q: %+v", step, found[step], m)
		}
		for _, cue := range []string{"", " ", "?", "what about my vacation plans", "weather forecast tomorrow", "the"} {
			if m, ok := s.Resolve(cue); ok {
				t.Errorf("%s takes %q for %s", step, cue, home[m.At].Place)
			}
		}
		if _, ok := keys.New(nil, keys.Options{Steps: []keys.Step{step}}).Resolve("dog"); ok {
			t.Errorf("%s finds something among nothing", step)
		}
	}
}

func TestFind(t *testing.T) {
	s := keys.New(home, keys.Options{})
	for _, tc := range []struct {
		words  string
		most   int
		places string
	}{
		{"dog", 9, "people/dog people/dog-doctor"},
		{"dog doctor", 9, "people/dog-doctor people/dog"},
		{"dog", 1, "people/dog"},
		{"dog", 0, ""},
		{"EVA", 9, "people/dog-doctor"},
		{"stove", 9, "people/cat"},
		{"turqoise", 9, "preferences/favourite-colour"},
		{"绿色", 9, "about/自行车"},
		{"what about my vacation plans", 9, ""},
		{"", 9, ""},
	} {
		var got []string
		for _, m := range s.Find(tc.words, tc.most) {
			got = append(got, home[m.At].Place)
		}
		if places := strings.Join(got, " "); places != tc.places {
			t.Errorf("%q finds %q, want %q", tc.words, places, tc.places)
		}
	}
}

// A Set that was renewed answers as one that was made of the same notes, and lets
// go of what is not there any more.
func TestRenew(t *testing.T) {
	old := keys.New(home, keys.Options{Steps: all})
	changed := append([]keys.Entry{{Place: "people/dog", Text: "The dog is called Bello", Entities: []string{"Bello"}}}, home[2:]...)
	renewed, made := old.Renew(changed), keys.New(changed, keys.Options{Steps: all})
	for _, cue := range []string{"Kiko", "Bello", "cat", "dog", "pyhton", "自行车", "belo"} {
		a, okA := renewed.Resolve(cue)
		b, okB := made.Resolve(cue)
		if a != b || okA != okB {
			t.Errorf("%q: renewed %+v %v, made %+v %v", cue, a, okA, b, okB)
		}
	}
	if m, ok := old.Resolve("Kiko"); !ok || home[m.At].Place != "people/dog" {
		t.Error("the old Set changed")
	}
	if m, ok := renewed.Resolve("Kiko"); ok {
		t.Errorf("Kiko is still there: %+v", m)
	}
}

// Whatever is asked, answers are entries with a probability, best first, and the
// same again.
func FuzzCue(f *testing.F) {
	for _, cue := range []string{"dog", "", "\x00", "狗", "people/", "\u202edog", strings.Repeat("dog ", 2000), "é́́", "\xff\xfe", "OR * \"", "مرحبا"} {
		f.Add(cue)
	}
	s := keys.New(home, keys.Options{Steps: all})
	again := keys.New(home, keys.Options{Steps: all})
	f.Fuzz(func(t *testing.T, cue string) {
		m, ok := s.Resolve(cue)
		if ok && (m.At < 0 || m.At >= len(home) || m.Confidence < 0.5 || m.Confidence > 1) {
			t.Errorf("%q: %+v", cue, m)
		}
		if n, okN := again.Resolve(cue); n != m || ok != okN {
			t.Errorf("%q: %+v %v, then %+v %v", cue, m, ok, n, okN)
		}
		seen := map[int]bool{}
		for _, m := range s.Find(cue, 5) {
			if seen[m.At] || m.Confidence < 0 || m.Confidence > 1 {
				t.Errorf("%q finds %+v", cue, m)
			}
			seen[m.At] = true
		}
	})
}

// thousand notes of the usual length.
func thousand() []keys.Entry {
	list := make([]keys.Entry, 1000)
	for i := range list {
		list[i] = keys.Entry{Place: fmt.Sprintf("people/friend-%d", i), Text: fmt.Sprintf("the friend number %d lives in the street of the lime trees %d and plays chess", i, i/7)}
	}
	return list
}

func BenchmarkNew(b *testing.B) {
	list := thousand()
	for b.Loop() {
		keys.New(list, keys.Options{}).Find("chess", 1)
	}
}

// BenchmarkRenew changes one of a thousand notes and looks for something.
func BenchmarkRenew(b *testing.B) {
	list := thousand()
	s := keys.New(list, keys.Options{})
	for b.Loop() {
		list[17].Text += "."
		s = s.Renew(list)
		s.Find("chess with number 17", 12)
	}
}

func BenchmarkResolve(b *testing.B) {
	for _, step := range all {
		b.Run(string(step), func(b *testing.B) {
			s := keys.New(thousand(), keys.Options{Steps: []keys.Step{step}})
			s.Resolve("chess")
			for b.Loop() {
				s.Resolve("does frend number 17 play chess")
			}
		})
	}
}
