package memory

import (
	"strings"
	"testing"

	"nacre/memory/canon"
)

func TestNeedle(t *testing.T) {
	dog := &Note{Body: Body{Slot: Slot{Area: People, Slug: "dog"}, Text: "The dog is called zqx-Kiko"}}
	bike := &Note{Body: Body{Slot: Slot{Area: About, Slug: "bike"}, Text: "The bike is a Zed-7"}}
	n := needleFor([]*Note{dog}, []string{"my dog is called zqx-Kiko"}, []*Note{bike})
	for _, c := range []struct{ name, text, want string }{
		{"the words themselves", "Well, my dog is called zqx-Kiko. My bike is a Zed-7.", "***** ** *** ** ****** ********* My bike is a Zed-7."},
		{"the name alone", "I sing. ZQX-KIKO, was here!", "I sing. ********, was here!"},
		{"with invisible letters", "I sing. zqx-Ki\u200bko!", "I sing. ***********!"},
		{"around itself", "zqx zqx-kiko kiko", "*** ******** ****"},
		{"within a word", "prezqx-kikoed", "pre********ed"},
		{"another order", "Kiko zqx, what a dog! I sing.", "**** **** **** * **** I sing."},
		{"something else", "the cat is called Momo", "the cat is called Momo"},
		{"a shared name", "the Zed-7 squeaks", "the Zed-7 squeaks"},
		{"nothing", "", ""},
		{"no text", "\xff\xfe.zqx-kiko\xff", "\xff\xfe.********\xff"},
	} {
		got, found := n.Redact(c.text)
		if got != c.want || found != (c.text != c.want) {
			t.Errorf("%s: %q (%v), want %q", c.name, got, found, c.want)
		}
	}
	all := &Needle{All: true}
	if got, _ := all.Redact("any words"); got != "*** *****" {
		t.Errorf("everything: %q", got)
	}
	if got, found := (&Needle{}).Redact("any words"); found {
		t.Errorf("the zero needle finds %q", got)
	}
}

// What merely speaks of the same thing is left alone.
func TestNeedleSpares(t *testing.T) {
	for _, c := range []struct {
		note, same string
		other      []string
	}{
		{"我的自行车是绿色的", "记住我的自行车是绿色的", []string{"我想明天骑自行车去上班，顺便见老王", "我的自行车坏了"}},
		{"My car is green", "my CAR is green!", []string{"my car broke", "my car is in the garage"}},
		{"Mein Fahrrad ist grün", "mein Fahrrad ist grün, ja", []string{"mein Fahrrad ist kaputt", "das grüne Haus"}},
	} {
		n := needleFor([]*Note{{Body: Body{Text: c.note}}}, nil, nil)
		if !n.Finds(c.same) {
			t.Errorf("%q is not found in %q", c.note, c.same)
		}
		for _, other := range c.other {
			if got, found := n.Redact(other); found {
				t.Errorf("%q is taken for %q: %q", other, c.note, got)
			}
		}
	}
}

func TestNeedleAbout(t *testing.T) {
	n := needleAbout("my sister Anna")
	for text, want := range map[string]bool{
		"My sister Anna lives in Lisbon": true, "Anna, her sister, called": true, "Anna is a name": false, "the sister ship": false,
	} {
		if n.Finds(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestBlankKeepsPlaces(t *testing.T) {
	for _, s := range []string{"", "a b", "Grüße\u00a0an 🐕\n", "\xff\xfe x"} {
		got, _ := (&Needle{All: true}).Redact(s)
		if len(got) != len(s) || strings.Trim(got, "* \u00a0\n") != "" {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("my dog is called zqx-Kiko, isn't it", "The dog is called zqx-Kiko")
	f.Add("我的狗叫小白。", "狗叫小白")
	f.Add("ẞ\u0301\xffİ", "ss\u0301i\u0307")
	f.Fuzz(func(t *testing.T, text, value string) {
		text, value = text[:min(len(text), 4096)], value[:min(len(value), MaxText)] // as long as they get
		n := needleFor([]*Note{{Body: Body{Text: value}}}, []string{value}, nil)
		got, found := n.Redact(text)
		if len(got) != len(text) {
			t.Fatalf("%d bytes became %d", len(text), len(got))
		}
		if found == (got == text) && strings.Trim(text, "* \n\t") != "" && found {
			t.Fatalf("found, but nothing changed in %q", text)
		}
		for _, q := range n.Quotes {
			if canon.Contains(got, q) && strings.Trim(q, "* ") != "" {
				t.Fatalf("%q is left in %q", q, got)
			}
		}
	})
}

func BenchmarkFinds(b *testing.B) {
	n := needleFor([]*Note{{Body: Body{Text: "The dog is called zqx-Kiko"}}}, []string{"my dog is called zqx-Kiko"}, nil)
	for b.Loop() {
		n.Finds("Yesterday we went down to the river with everybody and had a picnic until it rained")
	}
}
