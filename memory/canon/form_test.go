package canon

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestForm(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"only punctuation", " …!? ", ""},
		{"case and punctuation", "  My dog’s name is—Kiko!  ", "my dog s name is kiko"},
		{"line breaks", "a\r\n\tb\u2028c", "a b c"},
		{"no-break and thin spaces", "a\u00a0b\u2009c\u3000d", "a b c d"},
		{"sharp s", "Straße STRASSE", "strasse strasse"},
		{"Turkish i", "İstanbul ISTANBUL ıstanbul", "istanbul istanbul istanbul"},
		{"final sigma", "ΟΔΟΣ οδος", "οδοσ οδοσ"},
		{"ligature", "ﬁne", "fine"},
		{"composed and decomposed", "Café Cafe\u0301", "café café"},
		{"soft hyphen and zero width", "zq\u00adx\u200b-Ki\u2060ko\ufeff", "zqx kiko"},
		{"joiner between letter and accent", "e\u200d\u0301", "é"},
		{"direction override", "a\u202eb\u202c", "ab"},
		{"control characters", "a\x00b\x1bc", "abc"},
		{"full width", "ＫＩＫＯ４１", "kiko41"},
		{"mathematical", "𝟒𝟏𝟏𝟏 𝐊𝐢𝐤𝐨", "4111 kiko"},
		{"keycaps", "4️⃣1️⃣", "41"},
		{"Arabic", "٤١١١ ۴۱", "4111 41"},
		{"Devanagari", "४१", "41"},
		{"circled", "④①⓪❹➀➍⓵⓫⓿🄋", "41041411100"},
		{"superscript", "m²", "m2"},
		{"Cyrillic stays", "Москва", "москва"},
		{"Chinese stays", "我喜欢，咖啡。", "我喜欢 咖啡"},
		{"symbols stay", "C++ costs €5", "c++ costs €5"},
		{"family emoji", "👨‍👩‍👧 👍🏽", "👨👩👧 👍"},
		{"fraction", "½", "1⁄2"},
		{"marks beyond the eighth", "q" + strings.Repeat("\u0301", 40), "q" + strings.Repeat("\u0301", 8)},
		{"not text", "a\xffb", "a\ufffdb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Form(c.text); got != c.want {
				t.Errorf("Form(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// TestFormOfEveryCharacter looks at each alone, and under an accent.
func TestFormOfEveryCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || !unicode.IsPrint(r) && !ignorable(r) && !separator(r) {
			continue
		}
		for _, text := range []string{string(r), string(r) + "\u0301", "i" + string(r) + "\u0307"} {
			if form := Form(text); Form(form) != form {
				t.Errorf("Form(%+q) = %+q, and that again %+q", text, form, Form(form))
			}
		}
		if folded := folds(r); folded >= 0 && (refine(string(r)) != string(folded) || ignorable(r) || separator(r) || !startsSegment(string(r)) || !norm.NFKC.IsNormalString(string(r))) {
			t.Errorf("%U takes the short way and should not", r)
		}
		if unicode.Is(unicode.Nd, r) && (len(Form(string(r))) != 1 || !strings.Contains("0123456789", Form(string(r)))) {
			t.Errorf("%U is a digit, Form %q", r, Form(string(r)))
		}
	}
}

func TestFormIgnoresCase(t *testing.T) {
	for _, text := range []string{"Ärger in Großräschen", "Ígor ΰ ŉ ǰ", "Ելք և", "Ꭰꭰ", "IĞDIR ığdır", "Ǆ ǅ ǆ"} {
		if Form(strings.ToUpper(text)) != Form(text) {
			t.Errorf("%q and its capitals differ: %q, %q", text, Form(text), Form(strings.ToUpper(text)))
		}
	}
}

func FuzzForm(f *testing.F) {
	for _, s := range []string{"Straße", "e\u200d\u0301", "ͺ\u0345\u0301", "4️⃣1️⃣", "ﷺ", "각ᆨ", "\xff\u0300", "a" + strings.Repeat("\u0327\u0301", 20)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		form := Form(text)
		if again := Form(form); again != form {
			t.Errorf("Form(%+q) = %+q, and that again %+q", text, form, again)
		}
		if !utf8.ValidString(form) || strings.TrimSpace(form) != form || strings.Contains(form, "  ") {
			t.Errorf("Form(%+q) = %+q", text, form)
		}
		if s := Skeleton(text); s != Skeleton(form) {
			t.Errorf("Skeleton(%+q) = %+q, of its form %+q", text, s, Skeleton(form))
		}
	})
}

func BenchmarkForm(b *testing.B) {
	for name, text := range longTexts {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Form(text)
			}
		})
	}
}

// longTexts are of 4,000 characters each.
var longTexts = map[string]string{
	"en": long("On Tuesday we walked to the old market, bought 3 pounds of apples, and argued about films. "),
	"de": long("Am Dienstag gingen wir über den großen Markt, kauften 3 Pfund Äpfel und stritten über Filme. "),
	"ru": long("Во вторник мы пошли на старый рынок, купили 3 килограмма яблок и спорили о кино. "),
	"ar": long("ذهبنا يوم الثلاثاء إلى السوق القديم واشترينا ثلاثة كيلوغرامات من التفاح. "),
	"zh": long("星期二我们去了老市场，买了三斤苹果，还争论了电影。"),
}

func long(sentence string) string {
	return string([]rune(strings.Repeat(sentence, 4000/utf8.RuneCountInString(sentence)+1))[:4000])
}
