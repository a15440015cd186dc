package canon

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ name, text, langs, want string }{
		{"English", "I am living at 14 zqx-Elm Street.", "en", "live 14 zqx elm street"},
		{"no language means English", "I was running", "", "run"},
		{"each once", "Tea, tea and TEA", "en", "tea"},
		{"names kept", "My friend Will will come", "en", "friend will come"},
		{"German", "Ich wohne in den großen Häusern", "de", "wohn gross haus"},
		{"Spanish", "Me gustan los gatos negros", "es", "gust gat negr"},
		{"French", "J’aime les chevaux blancs", "fr", "aim cheval blanc"},
		{"Italian", "Mi piacciono i gatti neri", "it", "piacc gatt ner"},
		{"Portuguese", "Eu gosto de gatos", "pt", "gost gat"},
		{"Dutch", "Ik heb twee katten", "nl", "twee kat"},
		{"Russian", "Я люблю чёрных кошек", "ru", "любл черн кошек"},
		{"Russian beside English", "я люблю cats", "en ru", "любл cat"},
		{"Chinese", "我喜欢绿茶", "zh", "喜欢 欢绿 绿茶"},
		{"Chinese with Latin and numbers", "我住在Elm路14号", "en", "住在 elm 路 14 号"},
		{"Japanese", "犬の名前", "ja", "犬の の名 名前"},
		{"number with a point", "3.5 km", "en", "3 5 km"},
		{"invisible characters", "run\u00adning", "en", "run"},
		{"nothing left", "the and of", "en", ""},
		{"unknown language", "running", "xx", "running"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(Words(c.text, strings.Fields(c.langs)), " "); got != c.want {
				t.Errorf("Words(%q, %s) = %q, want %q", c.text, c.langs, got, c.want)
			}
		})
	}
}

func TestOverlap(t *testing.T) {
	f := strings.Fields
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"a b c", "c b x", 2. / 3}, {"a a b", "a", 0.5}, {"", "a", 0}, {"a", "", 0}, {"a", "x a y", 1},
	} {
		if got := Overlap(f(c.a), f(c.b)); got != c.want {
			t.Errorf("Overlap(%q, %q) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestDistinctive(t *testing.T) {
	for value, want := range map[string]bool{
		"zqx-Kiko": true, "Kiko": true, "14 Elm": true, "black coffee": true, "1984": true, "４１": true, "王小明": true, "喜欢绿茶": true,
		"green": false, "Green": false, "Paris": false, "the dog": false, "das auto": false, "": false, "!": false, "北京": false, "Teacher": false,
	} {
		if got := Distinctive(value); got != want {
			t.Errorf("Distinctive(%q) = %v", value, got)
		}
	}
}

func TestStopWords(t *testing.T) {
	if words := slices.Collect(StopWords("en")); !slices.Contains(words, "the") || slices.Contains(words, "house") {
		t.Errorf("stop words of English: %q", words)
	}
	if words := slices.Collect(StopWords("xx")); len(words) > 0 {
		t.Errorf("stop words of no language: %q", words)
	}
}
