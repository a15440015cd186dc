package distill_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
)

// rule is what becomes of a message by rules alone: each note as "area/slug: text",
// with "!" before it if the owner asks for it, and " < slot" after it if it
// replaces one.
func rule(all []memory.Proposal) []string {
	var list []string
	for _, p := range all {
		s := string(p.Draft.Area) + "/" + p.Draft.Slug + ": " + p.Draft.Text
		if p.Asked {
			s = "!" + s
		}
		for _, old := range p.Draft.Replaces {
			s += " < " + old
		}
		list = append(list, s)
	}
	return list
}

func TestRules(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		// English.
		{"Remember that my dog is called Rex.", []string{"!about/dog-name: my dog is called Rex"}},
		{"remember my dog's name is Rex", []string{"!about/dog-name: my dog's name is Rex"}},
		{"Please remember: my favourite colour is blue", []string{"!about/favourite-colour: my favourite colour is blue"}},
		{"remember I live in Graz", []string{"!about/live-graz: I live in Graz"}},
		{"remember that Ann is vegan", []string{"!people/ann-vegan: Ann is vegan"}},
		{"don't forget Ann's birthday is 3 May", []string{"!people/ann-birthday-3-may: Ann's birthday is 3 May"}},
		{"remember my sister's birthday is 3 May", []string{"!people/sister-birthday: my sister's birthday is 3 May"}},
		{"remember my birthday is 4 May", []string{"!about/birthday: my birthday is 4 May"}},
		{"remember my sister is a nurse", []string{"!people/sister-nurse: my sister is a nurse"}},
		{"remember I swim every Monday", []string{"!routines/swim-every-monday: I swim every Monday"}},
		{"I prefer tea", []string{"preferences/prefer-tea: I prefer tea"}},
		{"remember that I prefer tea", []string{"!preferences/prefer-tea: I prefer tea"}},
		{"Remember that I like long walks", []string{"!preferences/like-long-walks: I like long walks"}},
		{"Always answer in German.", []string{"preferences/always-answer-german: Always answer in German"}},
		{"I never eat meat", []string{"preferences/never-eat-meat: I never eat meat"}},
		{"Actually, the office is in Linz", []string{"!about/office-linz: the office is in Linz"}},
		{"I live in Graz", nil},
		{"forget that I live in Graz", nil},
		{"what do you remember?", nil},
		{"remember that", nil},

		// German, Spanish, French, Chinese.
		{"Merk dir, dass mein Hund Rex heißt", []string{"!about/hund-name: mein Hund heißt Rex"}},
		{"Merk dir, dass mein Fahrrad grün ist", []string{"!about/fahrrad: mein Fahrrad ist grün"}},
		{"tatsächlich ist mein Fahrrad blau", []string{"!about/fahrrad-blau: mein Fahrrad ist blau"}},
		{"Merk dir: mein Hund heißt Rex", []string{"!about/hund-name: mein Hund heißt Rex"}},
		{"Vergiss nicht, dass ich in Graz wohne", []string{"!about/graz-wohne: ich wohne in Graz"}},
		{"Merk dir, meine Schwester mag Tee", []string{"!people/schwester-mag-tee: meine Schwester mag Tee"}},
		{"Ich trinke lieber Tee", []string{"preferences/trinke-lieber-tee: Ich trinke lieber Tee"}},
		{"Merk dir, dass ich jeden Montag schwimme", []string{"!routines/montag-schwimme: ich jeden Montag schwimme"}},
		{"Recuerda que mi perro se llama Rex", []string{"!about/perro-nombre: mi perro se llama Rex"}},
		{"Recuerda que vivo en Graz", []string{"!about/vivo-graz: vivo en Graz"}},
		{"recuerda que mi hermana es médica", []string{"!people/hermana-médica: mi hermana es médica"}},
		{"Prefiero el té", []string{"preferences/prefiero-té: Prefiero el té"}},
		{"recuerda que nado todos los lunes", []string{"!routines/nado-lunes: nado todos los lunes"}},
		{"Retiens que mon chien s'appelle Rex", []string{"!about/chien-nom: mon chien s'appelle Rex"}},
		{"Retiens que j’habite à Graz", []string{"!about/habite-graz: j’habite à Graz"}},
		{"retiens que ma sœur est médecin", []string{"!people/sœur-médecin: ma sœur est médecin"}},
		{"Je préfère le thé", []string{"preferences/préfère-thé: Je préfère le thé"}},
		{"retiens que je nage chaque lundi", []string{"!routines/nage-chaque-lundi: je nage chaque lundi"}},
		{"请记住我的狗叫旺财。", []string{"!about/狗-名字: 我的狗叫旺财"}},
		{"记住我住在上海", []string{"!about/住在上海: 我住在上海"}},
		{"记住我妹妹是医生", []string{"!people/妹妹是医生: 我妹妹是医生"}},
		{"我更喜欢喝茶", []string{"preferences/更喜欢喝茶: 我更喜欢喝茶"}},
		{"记住我每周一游泳", []string{"!routines/每周一游泳: 我每周一游泳"}},

		// More than one thing at once.
		{"Hello! The sun shines. Remember that my dog is called Rex. I prefer tea. Thanks!", []string{"!about/dog-name: my dog is called Rex", "preferences/prefer-tea: I prefer tea"}},
		{"remember that my dog is called Rex. My cat is called Tom.", []string{"!about/dog-name: my dog is called Rex", "!about/cat-name: My cat is called Tom"}},
		{"Remember that Ann is vegan. She also hates rice.\n\nIt rains here.", []string{"!people/ann-vegan-hates-rice: Ann is vegan. She also hates rice"}},
		{"Remember my list:\n- eggs\n- tea\nWhat time is it?", []string{"!about/list: my list:\n- eggs\n- tea"}},
		{"记住我住在上海。我更喜欢喝茶。", []string{"!about/住在上海: 我住在上海", "preferences/更喜欢喝茶: 我更喜欢喝茶"}},
	} {
		t.Run(tt.text, func(t *testing.T) {
			got, _ := learn(t, nil, input(said(1, tt.text)))
			if r := rule(got); !slices.Equal(r, tt.want) {
				t.Errorf("got %q; want %q", r, tt.want)
			}
			for _, p := range got {
				if len(p.Cites) != 1 || p.Cites[0].Message != "id-1" || !ordered(p.Draft.Text, p.Cites[0].Quote) || p.Sensitive == nil || p.Writer != memory.ByChat {
					t.Errorf("got %+v", p)
				}
			}
		})
	}
}

// What is said anew takes the place of what it corrects, and of nothing else.
func TestRulesReplace(t *testing.T) {
	notes := []*memory.Note{
		noted(memory.About, "dog-name", "my dog is called Rex"), noted(memory.About, "live-graz", "I live in Graz"),
		noted(memory.About, "hund-name", "mein Hund heißt Rex"), noted(memory.About, "graz-wohne", "ich in Graz wohne"),
		noted(memory.About, "vivo-graz", "vivo en Graz"), noted(memory.About, "habite-graz", "j'habite à Graz"), noted(memory.About, "住在上海", "我住在上海"),
		noted(memory.Preferences, "prefer-tea", "I prefer tea over coffee"),
		noted(memory.People, "boss", "Ms Zqx works in Linz"),
	}
	notes[8].Entities = []string{"Zqx"}
	for _, tt := range []struct{ name, text, want string }{
		{"a value anew", "Remember that my dog is called Max", "!about/dog-name: my dog is called Max < about/dog-name"},
		{"the same again", "remember my dog is called rex!", "!about/dog-name: my dog is called rex"},
		{"corrected by place", "Actually, my dog is called Max", "!about/dog-name: my dog is called Max < about/dog-name"},
		{"corrected by words", "Actually, I live in Linz", "!about/live-linz: I live in Linz < about/live-graz"},
		{"of another area but with the name", "actually, these days Zqx works from Graz", "!about/days-zqx-works-graz: these days Zqx works from Graz < people/boss"},
		{"remembered beside it", "Remember that I live in Linz", "!about/live-linz: I live in Linz"},
		{"nothing like it", "Actually, the office closes at six", "!about/office-closes-six: the office closes at six"},
		{"one word", "Actually, Graz", "!about/graz: Graz"},
		{"a preference replaces nothing", "I prefer tea!", "preferences/prefer-tea-2: I prefer tea"},
		{"German", "Eigentlich wohne ich in Linz", "!about/wohne-linz: ich wohne in Linz < about/graz-wohne"},
		{"German, by place", "Merk dir, dass mein Hund Max heißt", "!about/hund-name: mein Hund heißt Max < about/hund-name"},
		{"Spanish", "En realidad, vivo en Linz", "!about/vivo-linz: vivo en Linz < about/vivo-graz"},
		{"French", "En fait, j'habite à Linz", "!about/habite-linz: j'habite à Linz < about/habite-graz"},
		{"Chinese", "其实我住在北京", "!about/住在北京: 我住在北京 < about/住在上海"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := input(said(1, tt.text))
			in.Notes = notes
			got, _ := learn(t, nil, in)
			if r := rule(got); !slices.Equal(r, []string{tt.want}) {
				t.Errorf("got %q; want %q", r, tt.want)
			}
		})
	}
}

// Rules read what was said now or named, each segment for itself; what came
// before was read then.
func TestRulesReadWhatIsNew(t *testing.T) {
	in := input(with(3, nacre.Segment{Provenance: nacre.Forwarded, Text: "remember zqx-forwarded"},
		nacre.Segment{Provenance: nacre.ByOwner, Text: "remember zqx-typed"}, nacre.Segment{Provenance: nacre.ByVoice, Text: "remember zqx-spoken"}))
	in.Recent, in.Named = []memory.Source{said(2, "remember zqx-recent")}, []memory.Source{said(1, "remember zqx-named")}
	got, _ := learn(t, nil, in)
	var texts []string
	for _, p := range got {
		texts = append(texts, p.Draft.Text)
	}
	if !slices.Equal(texts, []string{"zqx-named", "zqx-typed", "zqx-spoken"}) {
		t.Errorf("got %q", texts)
	}
}

// ordered reports whether a note has the words of its quote and no other, in
// whatever order.
func ordered(note, quote string) bool {
	words := func(s string) []string { return slices.Sorted(strings.FieldsSeq(canon.Form(s))) }
	return note == quote || slices.Equal(words(note), words(quote))
}

// Whatever is written, a note by rules is words of the message, in a place that
// memory takes.
func FuzzRules(f *testing.F) {
	for _, s := range []string{
		"remember that my dog is called Rex. My cat is called Tom.", "Actually, I live in Linz", "I prefer tea\n\nnever call me",
		"Merk dir, dass mein Hund Rex heißt", "recuerda: mi perro se llama Rex", "retiens que ma sœur est là", "记住我的狗叫旺财。我更喜欢喝茶", "remember \xff ıİẞ 🎩 " + strings.Repeat("é", 90),
	} {
		f.Add(s)
	}
	notes := []*memory.Note{noted(memory.About, "dog-name", "my dog is called Max"), noted(memory.Preferences, "prefer-tea", "I prefer tea and more")}
	f.Fuzz(func(t *testing.T, text string) {
		in := input(said(1, text))
		in.Notes = notes
		got, _ := learn(t, nil, in)
		for _, p := range kept(got) {
			if !strings.Contains(text, p.Cites[0].Quote) || p.Cites[0].Message != "id-1" || !ordered(p.Draft.Text, p.Cites[0].Quote) {
				t.Errorf("%+v is not in %q", p, text)
			}
			if s := p.Draft.Slug; utf8.RuneCountInString(s) > 64 || strings.HasPrefix(s, "-") || strings.HasSuffix(s, "-") || strings.Contains(s, "--") || s != strings.ToLower(s) || !utf8.ValidString(s) {
				t.Errorf("the slug of %q is %q", text, s)
			}
			if !slices.Contains(memory.Areas, p.Draft.Area) {
				t.Errorf("the area of %q is %q", text, p.Draft.Area)
			}
			if p.Draft.Slug == "" && canon.Distinctive(p.Draft.Text) {
				t.Errorf("%q has no slug", p.Draft.Text)
			}
		}
	})
}

func BenchmarkRules(b *testing.B) {
	in := input(said(1, "Hello! Remember that my dog is called Rex. Actually, I live in Linz."))
	for range 1000 {
		in.Notes = append(in.Notes, noted(memory.About, "note", "I live in Graz with three other people"))
	}
	for b.Loop() {
		if got, _ := learn(b, nil, in); len(got) != 2 {
			b.Fatal(got)
		}
	}
}
