package terms

import (
	"slices"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"We went to Zürich on 2026-03-01 at 18:30 for €1,299.50", "who am I", "我用iPhone15拍照", "👍🏽 👨‍👩‍👧 🇩🇪 #a @b",
		"https://www.example.com/a-b?q=x. anna@web.de C++ +49 170 1234567", "l'été O'Brien don’t", "ﬁ½㍿ﷺ", "\xff\x00\u200d\u00ad", "ภาษาไทย 한국어",
	} {
		f.Add(text)
	}
	german, twin, four := New([]string{"de"}), New([]string{"de"}), New(nil)
	f.Fuzz(func(t *testing.T, text string) {
		if !slices.Equal(german.Doc(text), twin.Doc(text)) {
			t.Errorf("%q: two analyzers differ", text)
		}
		for _, a := range []*Analyzer{german, four} {
			tokens := a.Doc(text)
			inOrder(t, text, tokens)
			if again := a.Doc(text); !slices.Equal(tokens, again) {
				t.Errorf("%q: %v, and again %v", text, tokens, again)
			}
			if composed := a.Doc(norm.NFC.String(text)); shown(composed) != shown(a.Doc(norm.NFD.String(text))) {
				t.Errorf("%q: another text when its accents are apart", text)
			}
			reachable(t, text, tokens, a.Query(text))
		}
	})
}

// inOrder checks that tokens stand in the text, one after the other.
func inOrder(t *testing.T, text string, tokens []Token) {
	t.Helper()
	meaning := len(tokens) == 0
	from, place := 0, 0
	for _, token := range tokens {
		if token.From < from || token.From >= len(text) || !utf8.RuneStart(text[token.From]) {
			t.Errorf("%q: %+v begins at %d, the one before at %d", text, token, token.From, from)
		}
		if token.Place < place || token.Place > place+1 && place > 0 {
			t.Errorf("%q: %+v at place %d after %d", text, token, token.Place, place)
		}
		if token.Term == "" || token.Form == "" || !utf8.ValidString(token.Term) {
			t.Errorf("%q: %+v is no term", text, token)
		}
		from, place, meaning = token.From, token.Place, meaning || !token.Stop
	}
	if !meaning {
		t.Errorf("%q: nothing of it means anything", text)
	}
}

// reachable checks that a text finds itself.
func reachable(t *testing.T, text string, tokens []Token, asked []Asked) {
	t.Helper()
	for _, token := range tokens {
		if !token.Stop && !slices.ContainsFunc(asked, func(a Asked) bool { return !a.Stop && slices.Contains(a.Alternatives, token.Term) }) {
			t.Errorf("%q: %s is not asked for", text, token.Term)
		}
	}
}
