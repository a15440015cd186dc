package canon

import "testing"

func TestSkeleton(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"Cyrillic word", "paypal", "раураl", true},
		{"Cyrillic letter in a Latin word", "Kiko", "Kikо", true},
		{"Greek letters", "ΚΙΚΟ", "kiko", true},
		{"Cyrillic capitals", "МОСКВА", "MOCKBA", true},
		{"digits for letters", "zqx-K1k0", "zqx kiko", true},
		{"accents compared apart", "ёлка", "ëлка", true},
		{"accents stay", "Café", "cafe", false},
		{"other words", "Kiko", "Kuki", false},
		{"no two digits", "flat 6", "flat 8", false},
		{"rn and m", "modern", "modem", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Skeleton(c.a) == Skeleton(c.b); got != c.same {
				t.Errorf("%q and %q: %q, %q", c.a, c.b, Skeleton(c.a), Skeleton(c.b))
			}
			if Form(c.a) == Form(c.b) && c.name != "other words" {
				t.Error("the form alone joins them")
			}
		})
	}
}

func TestSkeletonOfDigits(t *testing.T) {
	seen := map[string]rune{}
	for d := '0'; d <= '9'; d++ {
		if other, ok := seen[Skeleton(string(d))]; ok {
			t.Errorf("%c looks like %c", d, other)
		}
		seen[Skeleton(string(d))] = d
	}
}
