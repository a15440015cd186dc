package memory

import (
	"slices"
	"testing"
)

func TestIdentifiers(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"My dog is called zqx-Kiko.", []string{"zqx kiko"}},
		{"The code is A7-19, at 14 Elm Street", []string{"a7 19", "14"}},
		{"犬の名前はzqx-Kikoです", []string{"zqx kiko"}},
		{"zqx-Elm通り14番に住んでいます", []string{"zqx elm", "14"}},
		{"A well-known Lehrer", nil},
	} {
		got := identifiers(c.text)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q names %q, want %q", c.text, got, c.want)
		}
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		form, name string
		want       bool
	}{
		{"my dog is kiko", "kiko", true},
		{"my dog is kikoa", "kiko", false},
		{"kikoa and kiko", "kiko", true},
		{"犬の名前はkikoです", "kiko", true},
		{"犬の名前はkikoaです", "kiko", false},
		{"東京都", "京", false},
		{"", "kiko", false},
	} {
		if got := within(c.form, c.name); got != c.want {
			t.Errorf("%q within %q: %v", c.name, c.form, got)
		}
	}
}
