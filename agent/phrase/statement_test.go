package phrase

import (
	"slices"
	"strings"
	"testing"
)

func TestStatement(t *testing.T) {
	for _, c := range []struct{ payload, lang, want string }{
		{"mein Fahrrad grün ist", "de", "mein Fahrrad ist grün"},
		{"mein Hund Rex heißt", "de", "mein Hund heißt Rex"},
		{"ich in Graz wohne", "de", "ich wohne in Graz"},
		{"ich keine Milch mag", "de", "ich mag keine Milch"},
		{"ich zwei Katzen habe", "de", "ich habe zwei Katzen"},
		{"unsere Nachbarn nett sind", "de", "unsere Nachbarn sind nett"},
		{"ist mein Fahrrad blau", "de", "mein Fahrrad ist blau"},
		{"wohne ich in Linz", "de", "ich wohne in Linz"},

		{"mein Fahrrad ist grün", "de", "mein Fahrrad ist grün"},
		{"mein Fahrrad grün ist und mein Auto rot ist", "de", "mein Fahrrad grün ist und mein Auto rot ist"},
		{"mein Hund, der Rex heißt, alt ist", "de", "mein Hund, der Rex heißt, alt ist"},
		{"mein Hund und Rex Freunde sind", "de", "mein Hund und Rex Freunde sind"},
		{"der Hund von Ann alt ist", "de", "der Hund von Ann alt ist"},
		{"Anna Lena Veganerin ist", "de", "Anna Lena Veganerin ist"},
		{"ich jeden Montag schwimme", "de", "ich jeden Montag schwimme"},
		{"ist grün", "de", "ist grün"},
		{"mein Fahrrad grün ist", "en", "mein Fahrrad grün ist"},
		{"", "de", ""},
	} {
		if got := Statement(c.payload, c.lang); got != c.want {
			t.Errorf("Statement(%q, %s) = %q, want %q", c.payload, c.lang, got, c.want)
		}
	}
}

// FuzzStatement holds that no word is lost or added.
func FuzzStatement(f *testing.F) {
	for _, s := range []string{"mein Fahrrad grün ist", "Ist mein Fahrrad blau", "ich in Graz  wohne", "ich ist ist", "\xff ich"} {
		f.Add(s)
	}
	words := func(s string) []string {
		all := strings.Fields(strings.ToLower(s))
		slices.Sort(all)
		return all
	}
	f.Fuzz(func(t *testing.T, payload string) {
		if got := Statement(payload, "de"); !slices.Equal(words(got), words(payload)) {
			t.Errorf("Statement(%q) = %q", payload, got)
		}
	})
}
