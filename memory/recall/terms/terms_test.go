package terms

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// shown writes tokens as their terms, those without meaning in brackets.
func shown(tokens []Token) string {
	var list []string
	for _, t := range tokens {
		if t.Stop {
			list = append(list, "("+t.Term+")")
		} else {
			list = append(list, t.Term)
		}
	}
	return strings.Join(list, " ")
}

func TestDoc(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"words", "We painted the fences yesterday.", "(we) paint (the) fenc yesterday"},
		{"nothing", "", ""},
		{"punctuation", " \t—…!? ", ""},
		{"accents", "Café Zürich naïve", "cafe zurich naiv"},
		{"letters of their own", "Łódź Ærø smørrebrød", "lodz aero smorrebrod"},
		{"irregular forms", "Anna went and bought better teeth", "anna go (and) buy good tooth"},
		{"possessives", "Anna's and Chris' dog isn’t here", "anna (and) chris dog (isn) (here)"},
		{"elision", "l'ami d'Anna", "ami anna"},
		{"names with an apostrophe", "O'Brien", "obrien o brien"},
		{"a hyphen may be left out", "e-mail wi-fi", "email e mail wifi wi fi"},
		{"capitals within", "WhatsApp iPhone PDFs HTTPServer", "whatsapp (what) app iphon pdfs httpserver http server"},
		{"underscores", "snake_case_name", "snakecasenam snake case name"},
		{"letters and digits", "iPhone15 covid-19 5km B2B", "iphone15 iphon 15 covid19 covid 19 5km 5 km b2b 2"},
		{"hash", "a3f9c2d1e8b7", "a3f9c2d1e8b7"},
		{"initials", "U.S. and e.g. J.R.R", "us (and) (eg) jrr"},
		{"programming languages", "C++, C# or node.js", "c++ c# (or) node.js node js"},
		{"paths", "see foo/bar-baz", "see foo/bar-baz foo barbaz bar baz"},
		{"either or", "and/or", "and/or and or"},
		{"either or, among words", "tea and/or coffee", "tea (and/or) (and) (or) coffe"},
		{"mail address", "Anna.Meier@Example.com", "anna.meier@example.com anna.meier anna meier example.com exampl com"},
		{"web address", "https://www.example.com/a-b?q=x.", "example.com/a-b?q=x example.com exampl com ab (a) b q x"},
		{"web address in brackets", "(http://nacre.dev/)", "nacre.dev nacr dev"},
		{"hashtag and mention", "#Berlin @anna_m #旅行", "#berlin berlin @anna_m annam anna (m) #旅行 旅 旅行 行"},
		{"a mark alone", "# Title @ home a#b", "titl home (a) b"},
		{"telephone", "+49 170 1234567", "491701234567 49 170 1234567"},
		{"telephone with zeros", "0049-170-1234567", "491701234567 00491701234567 0049 170 1234567"},
		{"telephone in brackets", "(555) 123-4567", "5551234567 555 1234567 123 4567"},
		{"emoji", "👍🏽 👨‍👩‍👧 🇩🇪 ❤️ 1️⃣", "👍🏽 👍 👨‍👩‍👧 👨 👩 👧 🇩🇪 ❤ 1"},
		{"Chinese", "我用iPhone拍照", "(我) 我用 用 iphon 拍 拍照 照"},
		{"Thai", "ไทย", "ไ ไท ท ทย ย"},
		{"Korean", "한국", "한 한국 국"},
		{"full width", "ＨＥＬＬＯ　１２３", "(hello) 123"},
		{"digits of other scripts", "٢٠٢٦", "2026"},
		{"ligatures and fractions", "ﬁsh ½", "fish 1/2 1 2"},
		{"invisible characters", "soft\u00adware zero\u200bwidth", "softwar zero width"},
		{"Arabic", "الْكِتَابُ كتـــاب", "كتابA كتابA"},
		{"Hebrew points", "שָׁלוֹם", "שלום"},
		{"Russian", "ёлка", "елкB"},
		{"NUL and what is not UTF-8", "a\x00tea \xff\xfecoffee\xc3", "(a) tea coffe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shown(New([]string{"en"}).Doc(c.text)); got != c.want {
				t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"42", "42"},
		{"007", "007"},
		{"1299.5", "1299.5 1299"},
		{"1,299.50", "1299.5 1299.50 1299"},
		{"1.299,50", "1299.5 1299.50 1299"},
		{"1'299.50", "1299.5 1299.50 1299"},
		{"1.234.567", "1234567"},
		{"1,299", "1299 1.299"},
		{"1.299", "1299 1.299"},
		{"3,5", "3.5 3"},
		{"3.10", "3.1 3.10 3"},
		{"3.00", "3 3.00"},
		{"0.125", "0.125 0"},
		{"1.2.3", "1.2.3 1 2 3"},
		{"v1.2.3", "1.2.3 1 2 3"},
		{"192.168.1.10", "192.168.1.10 192 168 1 10"},
		{"€1,299.50", "euro 1299.5 1299.50 1299"},
		{"5 $", "5 dollar"},
		{"2026-03-01", "2026-03-01 2026-03 2026"},
		{"1.3.2026", "2026-03-01 2026-03 2026"},
		{"12/25/2026", "2026-12-25 2026-12 2026"},
		{"25/12/2026", "2026-12-25 2026-12 2026"},
		{"3/4/2026", "2026-03-04 2026-04-03 2026"},
		{"2026-13-41", "20261341 2026 13 41"},
		{"18:30", "18:30"},
		{"6:30 pm", "18:30 pm"},
		{"6:30pm", "18:30"},
		{"12am", "00:00 12"},
		{"9 a.m.", "09:00 9 (am)"},
		{"8:05", "08:05"},
		{"18:30:05", "18:30:05 18:30"},
		{"99:99", "99:99 99 99"},
		{"24/7", "24/7 24 7"},
		{"10-12", "10-12 10 12"},
		{"555-123-4567", "5551234567 555 123 4567"},
		{"3rd", "3"},
	} {
		if got := shown(New([]string{"en"}).Doc(c.text)); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestStop(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"all there is", "who am I", "who am i"},
		{"negations", "I do not like it", "(i) (do) (not) like (it)"},
		{"a band", "I saw The Who in Leeds", "(i) see (the) who (in) leed"},
		{"capitals", "Anna works in IT now", "anna work (in) it (now)"},
		{"in capitals throughout", "WHAT IS IT ABOUT TEA", "(what) (is) (it) (about) tea"},
		{"won and won't", "Anna won but I won't and don’t", "anna win (but) (i) (wo) (and) (don)"},
		{"of another language", "my son and a car", "(my) son (and) (a) car"},
		{"of its own language", "mi perro y su gato son negros", "(miS) perrS (yS) (suS) gatS (sonS) negrS"},
		{"politeness", "Haben Ihre Kinder Sie besucht", "(habG) (ihrG) kindG (sieG) besuchG"},
		{"shouted words of German", "die Katze und der Hund", "(dieG) katzG (undG) (derG) hundG"},
		{"without accents", "ich will fur dich kochen", "(ichG) (willG) (furG) (dichG) kochG"},
		{"particles", "我的猫", "(我) (我的) (的) 的猫 猫"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shown(New(nil).Doc(c.text)); got != c.want {
				t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	got := ""
	for _, token := range New([]string{"en"}).Doc("Tomorrow Anna and I fly to NASA. They know the McDonald family") {
		if token.Name {
			got += token.Form + " "
		}
	}
	if want := "anna nasa mcdonald mc donald "; got != want {
		t.Errorf("names %q, want %q", got, want)
	}
}

func TestLanguageOfMessage(t *testing.T) {
	a := New([]string{"en", "de", "es", "fr", "it", "nl", "pl"})
	for _, c := range []struct{ text, mark string }{
		{"the dog and the cat", ""},
		{"der Hund und die Katze", "G"},
		{"el perro y el gato están aquí", "S"},
		{"le chien et le chat sont ici", "F"},
		{"il cane e il gatto sono qui", "I"},
		{"de hond en de kat zijn hier", "N"},
		{"pies i kot są tutaj w domu", "L"},
		{"Wohnungsbesichtigung", "G"},
		{"xyzzy", ""},
		{"Programm", ""},
	} {
		tokens := a.Doc(c.text)
		last := tokens[len(tokens)-1].Term
		mark := strings.TrimLeft(last, "abcdefghijklmnopqrstuvwxyz")
		if mark != c.mark {
			t.Errorf("%q ends in %q, want the mark %q", c.text, last, c.mark)
		}
	}
}

func TestQuery(t *testing.T) {
	asked := New([]string{"en", "de"}).Query("Bücher 5 猫")
	if len(asked) != 3 {
		t.Fatalf("%d tokens asked for, want 3", len(asked))
	}
	for i, want := range []string{"buchG bucher buch", "5", "猫"} {
		if got := strings.Join(asked[i].Alternatives, " "); got != want {
			t.Errorf("alternatives %q, want %q", got, want)
		}
		if asked[i].Term != asked[i].Alternatives[0] {
			t.Errorf("%q is not the first of its alternatives", asked[i].Term)
		}
	}
}

func TestFound(t *testing.T) {
	a := New(nil)
	for _, c := range []struct {
		text, query string
		want        bool
	}{
		{"I moved to foo/bar-baz", "bar-baz", true},
		{"it cost €1,299.50", "1299", true},
		{"it cost €1,299.50", "1299.5", true},
		{"it cost €1,299.50", "1299,50 Euro", true},
		{"it cost €1,299.50", "1298", false},
		{"my e-mail", "email", true},
		{"meet on 1.3.2026", "2026-03-01", true},
		{"meet on 1.3.2026", "2027-03-02", false},
		{"Ich habe in der Straße gewohnt", "Strasse", true},
		{"Ich habe Äpfel gegessen", "Apfel", true},
		{"Schöne Grüße aus der Haeuserzeile", "Häuserzeile", true},
		{"nos vemos mañana en el café", "manana", true},
		{"great 👍🏽", "👍", true},
		{"great 👍🏽", "👎", false},
		{"we love #Berlin", "berlin", true},
		{"we love #Berlin", "#berlin", true},
		{"we love Berlin", "#hamburg", false},
		{"我用iPhone15拍照", "iphone 15", true},
		{"我用iPhone15拍照", "拍照", true},
		{"ask anna.meier@web.de", "web.de", true},
		{"Die neue Nike ist da und ich habe sie gekauft", "Nike", true},
		{"ЁЛКА", "елка", true},
	} {
		if got := meet(a, c.text, c.query); got != c.want {
			t.Errorf("%q finds %q: %v, want %v", c.query, c.text, got, c.want)
		}
	}
}

// TestFrom points at the words in texts whose plain form has other lengths.
func TestFrom(t *testing.T) {
	for _, c := range []struct{ text, word, form string }{
		{"soft\u00adware is x", "x", "x"},
		{"Zu\u0308rich, don’t, Berlin", "Berlin", "berlin"},
		{norm.NFD.String("Ärger über Köln"), norm.NFD.String("Köln"), "koln"},
		{"ｆｕｌｌ ｗｉｄｔｈ", "ｗｉｄｔｈ", "width"},
		{"㍿ Tokyo", "Tokyo", "tokyo"},
		{"½ cup", "½", "2"},
		{"\xff\xfe tea", "tea", "tea"},
		{"a/b-Ćevapi", "Ćevapi", "cevapi"},
		{"👨‍👩‍👧x", "👧", "👧"},
	} {
		tokens := New([]string{"en"}).Doc(c.text)
		found := false
		for _, token := range tokens {
			if token.Form == c.form {
				found = true
				if at := strings.Index(c.text, c.word); token.From != at {
					t.Errorf("%q: %s is at %d, want %d", c.text, c.form, token.From, at)
				}
			}
		}
		if !found {
			t.Errorf("%q has no %s", c.text, c.form)
		}
	}
}

func TestPlace(t *testing.T) {
	for i, token := range New([]string{"en"}).Doc("one e-mail to 我们 x") {
		if want := []int{0, 1, 1, 2, 3, 4, 4, 5, 6}[i]; token.Place != want {
			t.Errorf("%s is at place %d, want %d", token.Term, token.Place, want)
		}
	}
}

// An Analyzer that was told to forget remembers no word, and reads as before.
func TestForget(t *testing.T) {
	a := New([]string{"en"})
	words := func() (n int) {
		for i := range a.cache() {
			if a.cache()[i].Load() != nil {
				n++
			}
		}
		return n
	}
	before := a.Doc("The ferries left.")
	if words() == 0 {
		t.Fatal("no word is remembered")
	}
	a.Forget()
	if n := words(); n != 0 {
		t.Errorf("%d words are remembered", n)
	}
	if after := a.Doc("The ferries left."); !slices.Equal(before, after) {
		t.Errorf("%v, and then %v", before, after)
	}
}

func TestUnknownLanguages(t *testing.T) {
	want := shown(New(nil).Doc("the cats"))
	if got := shown(New([]string{"xx", "", "EN?"}).Doc("the cats")); got != want {
		t.Errorf("unknown languages give %s, want what none gives, %s", got, want)
	}
	if got := shown(New([]string{"xx", "de", "de"}).Doc("Katzen")); got != "katzG" {
		t.Errorf("German beside an unknown language gives %s", got)
	}
}

// TestAtOnce has one Analyzer read the same texts in many goroutines.
func TestAtOnce(t *testing.T) {
	a := New(nil)
	texts := conversation(200)
	want := make([]string, len(texts))
	for i, text := range texts {
		want[i] = shown(New(nil).Doc(text))
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i, text := range texts {
				if got := shown(a.Doc(text)); got != want[i] {
					t.Errorf("%q: %s, want %s", text, got, want[i])
				}
			}
		})
	}
	all.Wait()
}

// TestEndless reads texts that no person writes, and must not take long.
func TestEndless(t *testing.T) {
	a := New(nil)
	for _, piece := range []string{"y", "a.", "a/", "a-", "1.", "1:", "'a", "aA", "a1", "#", "@a", "+1 ", "0 ", "http://", "e\u0301", "\u0301", "ß", "👨\u200d", "🇩", "的", "ก\u0e49", "\xff", "a@", "www.", "§", "Ω", "\u200d", "ﷺ", "١"} {
		text := strings.Repeat(piece, 100_000/len(piece))
		tokens := a.Doc(text)
		if len(tokens) > 4*utf8.RuneCountInString(text)+400_000 {
			t.Errorf("%q gives %d tokens", piece, len(tokens))
		}
		for _, token := range tokens {
			if len(token.Term) > 4*maxWhole {
				t.Fatalf("%q gives a term of %d bytes", piece, len(token.Term))
			}
		}
	}
}
