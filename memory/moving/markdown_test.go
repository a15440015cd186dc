package moving

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"nacre/memory"
)

// read reads a text, a line for each note: "line area/slug text", and why it is left.
func read(t testing.TB, text string) []string {
	t.Helper()
	notes, _ := markdown(plain(text))
	var list []string
	for _, n := range notes {
		said := place(&n.Draft) + " " + n.Draft.Text
		if n.Left != "" {
			said += " (" + n.Left + ")"
		}
		list = append(list, said)
	}
	return list
}

func TestMarkdown(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"areas", "## About you\n- I live in Bern.\n## Preferences\n* Likes tea.\n## People\n+ Ann is my sister.\n## Routines\n1. Runs on Mondays.\n## Lessons\n• Book early.\n",
			[]string{"about/ I live in Bern.", "preferences/ Likes tea.", "people/ Ann is my sister.", "routines/ Runs on Mondays.", "lessons/ Book early."}},
		{"in German", "# Über dich\n- Wohnt in Bern.\n# Vorlieben:\n- Trinkt Tee.\n# **Menschen**\n- Ann ist meine Schwester.\n# Gewohnheiten 🏃\n- Läuft.\n# Gelerntes\n- Früh buchen.\n",
			[]string{"about/ Wohnt in Bern.", "preferences/ Trinkt Tee.", "people/ Ann ist meine Schwester.", "routines/ Läuft.", "lessons/ Früh buchen."}},
		{"no list", "I live in Bern.\r\n\r\nI like tea.", []string{"about/ I live in Bern.", "about/ I like tea."}},
		{"headings in bold", "**Preferences**\n- Likes tea.\n\n**1. People**\n- Ann.\n**Work:**\n- Bern.\n**Habits & Routines:**\n- Runs.\n__Lessons learned__:\n- Early.\n",
			[]string{"preferences/ Likes tea.", "people/ Ann.", "about/ Bern.", "routines/ Runs.", "lessons/ Early."}},
		{"bold below an area", "## People\n**Family**\n- Ann.\n## Food\n- Tea.\n", []string{"people/ Ann.", "about/ Tea."}},
		{"bold without a list", "**Deine Vorlieben**\nTrinkt Tee.\n\n**Sonstiges**\nWohnt in Bern.\n", []string{"preferences/ Trinkt Tee.", "about/ Wohnt in Bern."}},
		{"bold that is no heading", "- Tea\n  **Preferences**\n\n**I am allergic to nuts.**\n**Ann** rows\n**" + strings.Repeat("x", maxHeading) + "**\n",
			[]string{"about/ Tea **Preferences**", "about/ **I am allergic to nuts.** (It stands outside the list.)", "about/ann Ann: rows (It stands outside the list.)", "about/ **" + strings.Repeat("x", maxHeading) + "** (It stands outside the list.)"}},
		{"an area with a colon", "Preferences:\n- Tea.\nPeople in your life:\n- Ann.\nMy dogs:\n- Kiko.\n", []string{"preferences/ Tea.", "people/ Ann.", "people/ My dogs: (It stands outside the list.)", "people/ Kiko."}},
		{"an area without one", "Preferences\nTea.\n", []string{"about/ Preferences", "about/ Tea."}},
		{"no list below a heading", "## People\nAnn is my sister.\n", []string{"people/ Ann is my sister."}},
		{"beside a list", "This is what I know:\n- I live in Bern.\nBye!\n", []string{"about/ This is what I know: (It stands outside the list.)", "about/ I live in Bern.", "about/ Bye! (It stands outside the list.)"}},
		{"headings below an area", "## People\n### Family\n- Ann.\n## Work\n- Bern.\n### Lessons\n- Early.\n## People\n- Bob.\n",
			[]string{"people/ Ann.", "about/ Bern.", "lessons/ Early.", "people/ Bob."}},
		{"keys", "- Dog: Kiko\n- **Cat**: Mia\n- **Bird:** Pip\n- Home: Bern: the capital\n", []string{"about/dog Dog: Kiko", "about/cat Cat: Mia", "about/bird Bird: Pip", "about/home Home: Bern: the capital"}},
		{"a key twice", "- Note: one\n- Note: two\n## People\n- Note: three\n", []string{"about/ Note: one", "about/ Note: two", "people/note Note: three"}},
		{"no keys", "- https://example.com is mine\n- See: \n- This is a rather long beginning: with an end\n- At 9:30 I run.\n- I said: go. Then: stop.\n",
			[]string{"about/ https://example.com is mine", "about/ See:", "about/ This is a rather long beginning: with an end", "about/ At 9:30 I run.", "about/i-said I said: go. Then: stop."}},
		{"a place as a key", "- people/ann: Ann is my sister. <!-- since 2024 -->\n- nowhere/ann: What?\n", []string{"people/ann Ann is my sister.", "about/nowhere-ann nowhere/ann: What?"}},
		{"nested", "- Family\n  - Ann is my sister\n    - she rows\n  - Bob is my brother\n- I have a dog.\n\t* He is Kiko.\n", []string{"about/family Family: Ann is my sister; she rows; Bob is my brother", "about/ I have a dog. He is Kiko."}},
		{"going on", "- I live in Bern,\n  near the river.\n\n  With a view.\n- Tea.", []string{"about/ I live in Bern, near the river. With a view.", "about/ Tea."}},
		{"boxes and rules", "---\n- [ ] Tea.\n- [x] Coffee.\n***\n- \n- —\n", []string{"about/ Tea.", "about/ Coffee."}},
		{"comments", "- Tea. <!-- not\n- this\n--> \n- Coffee.<!-- open", []string{"about/ Tea.", "about/ Coffee."}},
		{"scripts without spaces", "## People\n- アンは姉です。\n", []string{"people/ アンは姉です。"}},
		{"a mark of order", "\uFEFF# People\n- Ann.", []string{"people/ Ann."}},
		{"bytes that are no text", "- Z\xfcrich", []string{"about/ Z\uFFFDrich"}},
		{"nothing", " \n# People\n\n", nil},
	} {
		if got := read(t, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q\n%q\nwant\n%q", c.name, c.text, got, c.want)
		}
	}
}

// What headings are called in what people paste.
func TestAreasOfHeadings(t *testing.T) {
	for area, names := range map[memory.Area][]string{
		memory.About:       {"About You 🧑", "1. About me", "Über dich", "Personal information", "Profil"},
		memory.Preferences: {"Your preferences", "**Preferences**", "User Preferences", "2) Likes & dislikes", "Deine Vorlieben", "Vorlieben und Abneigungen"},
		memory.People:      {"People in your life", "3. People", "Family and friends", "Menschen in deinem Leben", "Familie & Freunde"},
		memory.Routines:    {"Habits and routines", "Habits & Routines:", "Daily routine", "Meine Gewohnheiten", "Routinen und Gewohnheiten"},
		memory.Lessons:     {"Lessons learned", "Lessons Learnt", "What you learned", "Erkenntnisse"},
		"":                 {"Work", "My", "2026", "", "My dogs", "People of Bern", "No preferences"},
	} {
		for _, name := range names {
			if got, ok := areaOf(name); got != area || ok != (area != "") {
				t.Errorf("%q is %q, not %q", name, got, area)
			}
		}
	}
}

func TestLinesAreNumbered(t *testing.T) {
	notes, whole := markdown("# People\n\n- Ann\n  - rows\n<!-- a\nb -->\n- Bob\nBye\n")
	if !whole || len(notes) != 3 || notes[0].Line != 3 || notes[1].Line != 7 || notes[2].Line != 8 {
		t.Errorf("%+v, %t", notes, whole)
	}
}

func TestExport(t *testing.T) {
	notes, whole := markdown(plain(`# Everything I remember

Made on 2026-05-01 09:30. It holds 6 notes.

## In your private chats

### About

- **bike**: The \*green\* one: a &lt;b> & b.
  - Confirmed; written by you; pinned; since 2026-05-01 09:30
  - Dates: 2012–2024-05; on 2026-05-01 09:30; expires 2027
  - In short: Green \_bike\_
  - Kind: possession
  - Names: Peugeot, Ann
  - Sensitive: health; you allowed this one
  - You said, on 2026-05-01 09:30 over telegram: “- **spy**: no note”
- **bike**: It was red.
  - Let go: corrected; believed from 2026-04-01 09:30 until 2026-05-01 09:30

### People

- **ann**: Ann is my sister.
  - Mentioned once; taken from what you said; since 2026-05-01 09:30
  - Dates: since 2024-03; in 2026-05
- **bob**: Bob lies.
  - Waiting for you: it contradicts another note; since 2026-05-01 09:30
  - Dates: until 2024

## In the group telegram:-100 alone

### Routines

- **run**: We run.
  - Learned; taken from what you said; since 2026-05-01 09:30
`))
	want := []Note{
		{Line: 9, Sensitive: true, Draft: memory.Draft{Area: memory.About, Slug: "bike", Text: "The *green* one: a <b> & b.", Abstract: "Green _bike_", Kind: memory.KindPossession,
			Entities: []string{"Peugeot", "Ann"}, From: "2012", To: "2024-05", Event: "2026-05-01T09:30", Expires: "2027"}},
		{Line: 17, Left: letGo, Draft: memory.Draft{Area: memory.About, Slug: "bike", Text: "It was red."}},
		{Line: 22, Draft: memory.Draft{Area: memory.People, Slug: "ann", Text: "Ann is my sister.", From: "2024-03", Event: "2026-05"}},
		{Line: 25, Left: letGo, Draft: memory.Draft{Area: memory.People, Slug: "bob", Text: "Bob lies.", To: "2024"}},
		{Line: 33, Left: ofGroup, Draft: memory.Draft{Area: memory.Routines, Slug: "run", Text: "We run."}},
	}
	same := func(a, b Note) bool {
		e := slices.Equal(a.Draft.Entities, b.Draft.Entities)
		a.Draft.Entities, b.Draft.Entities = nil, nil
		return e && a.Line == b.Line && a.Left == b.Left && a.Sensitive == b.Sensitive && place(&a.Draft) == place(&b.Draft) && a.Draft.Text == b.Draft.Text &&
			a.Draft.Abstract == b.Draft.Abstract && a.Draft.Kind == b.Draft.Kind && a.Draft.From == b.Draft.From && a.Draft.To == b.Draft.To && a.Draft.Event == b.Draft.Event && a.Draft.Expires == b.Draft.Expires
	}
	if !whole || !slices.EqualFunc(notes, want, same) {
		t.Errorf("%t\n%+v\nwant\n%+v", whole, notes, want)
	}
}

// Whatever a text is, it is notes with words of its own, in their order.
func FuzzMarkdown(f *testing.F) {
	for _, text := range []string{"## About you\n- a: b\n  - c\n", "a\nb", "<!--", "- **k**: v\n\t- x", exportTitle + "\n## In your private chats\n### People\n- **a**: b\n  - Dates: 1–2\n", "- \xff", "1. x\n#", "- a/b: &#x41;<br>"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = plain(text)
		notes, _ := markdown(text)
		last, size := 0, 0
		for _, n := range notes {
			d := n.Draft
			if n.Line <= last || n.Line > strings.Count(text, "\n")+1 || !utf8.ValidString(d.Text) || memory.Slug(d.Slug) != d.Slug {
				t.Fatalf("%+v behind line %d", n, last)
			}
			if !slices.Contains(memory.Areas, d.Area) && !exported(text) {
				t.Fatalf("%+v is of no area", n)
			}
			last, size = n.Line, size+len(d.Text)
		}
		if most := 3*len(text) + 3; size > most { // a byte that is no text takes three, a nested item two more
			t.Fatalf("%d bytes are made of %d", size, len(text))
		}
	})
}
