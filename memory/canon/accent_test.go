package canon

import "testing"

func TestUnaccented(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"accents", "Señor Müller, à Orléans", "senor muller a orleans", true},
		{"composed and not", "Zoe\u0308", "Zoë", true},
		{"Greek tonos", "Αθήνα", "αθηνα", true},
		{"several marks", "Việt Nam", "viet nam", true},
		{"a stroke is no accent", "Łódź", "lodz", false},
		{"Cyrillic letters", "йод", "иод", false},
		{"kana", "はな", "ばな", false},
		{"Devanagari vowels", "किताब", "कताब", false},
		{"other words", "bike", "bikes", false},
	} {
		if got := Unaccented(c.a) == Unaccented(c.b); got != c.same {
			t.Errorf("%s: %q and %q are the same: %v", c.name, Unaccented(c.a), Unaccented(c.b), got)
		}
		if got := Unaccented(Unaccented(c.a)); got != Unaccented(c.a) {
			t.Errorf("%s: once more it is %q", c.name, got)
		}
	}
}
