package canon

import (
	"testing"
	"unicode/utf8"
)

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, text, quote, want string }{
		{"the same", "My dog is called Kiko.", "called Kiko", "called Kiko"},
		{"other case", "My dog is called Kiko.", "MY DOG", "My dog"},
		{"other spacing", "I live\n  at 14 Elm  Street, now", "live at 14 elm street", "live\n  at 14 Elm  Street"},
		{"other punctuation", "it’s (really) fine", "it's really fine", "it’s (really) fine"},
		{"invisible characters", "the zq\u00adx\u200b-Kiko dog", "zqx-kiko", "zq\u00adx\u200b-Kiko"},
		{"full-width digits", "Nr. ４１１１!", "4111", "４１１１"},
		{"sharp s", "in der Straße 5", "STRASSE 5", "Straße 5"},
		{"decomposed", "Cafe\u0301 au lait", "café", "Cafe\u0301"},
		{"second place fits", "cafe\u0301 cafe", "cafe", "cafe"},
		{"inside a word", "Kikos Ball", "kiko", "Kiko"},
		{"Chinese", "我最喜欢的是绿茶。", "喜欢的是绿茶", "喜欢的是绿茶"},
		{"ligature whole", "the ﬁne art", "fine art", "ﬁne art"},
		{"space before a mark", "a\u037a", "\u037a", "\u037a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			from, to, ok := Find(c.text, c.quote)
			if !ok || c.text[from:to] != c.want {
				t.Errorf("Find(%q, %q) = %q, %v, want %q", c.text, c.quote, c.text[from:to], ok, c.want)
			}
			if c.name == "second place fits" && from == 0 {
				t.Error("found the accented word")
			}
		})
	}
}

func TestFindNothing(t *testing.T) {
	for _, c := range []struct{ name, text, quote string }{
		{"not there", "I like tea", "I like coffee"},
		{"other accents", "Café", "cafe"},
		{"letter of a decomposed one", "x\u0302", "x"},
		{"half a ligature", "ﬁ", "f"},
		{"empty quote", "I like tea", ""},
		{"only punctuation", "I like tea!", "!"},
		{"empty text", "", "tea"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if Contains(c.text, c.quote) {
				t.Errorf("%q contains %q", c.text, c.quote)
			}
			if c.text != "" && !Contains(c.text, c.text) {
				t.Errorf("%q does not contain itself", c.text)
			}
		})
	}
}

func FuzzFind(f *testing.F) {
	f.Add("I live at 14 Elm Street", 2, 9, "ELM street")
	f.Add("Straße e\u200d\u0301 ½ ͺ ﷺ", 3, 20, "e")
	f.Add("4️⃣1️⃣ \u0345\u0301a\xff", 0, 7, "1")
	f.Fuzz(func(t *testing.T, text string, i, j int, quote string) {
		if from, to, ok := Find(text, quote); ok && Form(text[from:to]) != Form(quote) {
			t.Errorf("Find(%+q, %+q) = %+q", text, quote, text[from:to])
		}
		if Form(text) != "" && !Contains(text, text) {
			t.Errorf("%+q does not contain itself", text)
		}
		if !(0 <= i && i < j && j <= len(text)) || !utf8.ValidString(text) {
			return
		}
		// Whatever was found can be found again.
		if from, to, ok := Find(text, text[i:j]); ok && !Contains(text, text[from:to]) {
			t.Errorf("%+q does not contain %+q", text, text[from:to])
		}
	})
}
