package canon

import (
	"slices"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for value, want := range map[string]string{
		"The punt is called Libelle":   "libelle",
		"Lives at Gartenweg 7 in Bern": "gartenweg",
		"Libelle is the punt":          "libelle",
		"libelle":                      "libelle",
		"plays with dice on Mondays":   "",
		"Plays dice with Tom":          "tom",
		"Likes to play chess":          "",
		"Met Bo in Paris":              "",
		"":                             "",
		"我喜欢喝绿茶":                       "",
	} {
		if got := strings.Join(Names(value), " "); got != want {
			t.Errorf("Names(%q) = %q, want %q", value, got, want)
		}
	}
}

func TestNameTags(t *testing.T) {
	key := [32]byte{1}
	is := func(name, word string, capital bool) bool {
		tags := NameTags(key, []string{name})
		return slices.ContainsFunc(WordTags(key, NameLook(word), capital), func(tag [32]byte) bool { return slices.Contains(tags, tag) })
	}
	for _, c := range []struct {
		name, word string
		capital    bool
		want       bool
	}{
		{"libelle", "LIBELLE", false, true},
		{"libelle", "Libelles", true, true},
		{"libelle", "Lib\u0435ll\u00e9", true, true},
		{"libelle", "Label", true, false},
		{"tom", "tomo", false, false},
		{"anna", "Annas", false, true},
		{"hope", "Hope", true, true},
		{"hope", "hope", false, false},
	} {
		if got := is(c.name, c.word, c.capital); got != c.want {
			t.Errorf("%q by %q, capital %v: %v", c.name, c.word, c.capital, got)
		}
	}
}

func TestBare(t *testing.T) {
	for text, want := range map[string]string{
		"&#76;ibelle":                        "Libelle",
		"Ga<b>rten</b>weg":                   "Gartenweg",
		"Lib\u00adelle":                      "Libelle",
		"\u24c1\u24d8b":                      "Lib",
		"1 < 2 > 1, <3, a<b and c>":          "1 < 2 > 1, <3, a",
		"<" + strings.Repeat("x", 300) + ">": "<" + strings.Repeat("x", 300) + ">",
	} {
		if got := Bare(text); got != want {
			t.Errorf("Bare(%q) = %q, want %q", text, got, want)
		}
	}
}
