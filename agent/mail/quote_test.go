package mail

import "testing"

// introductions are what programs put above a quote.
var introductions = []string{
	"On Mon, May 6, 2024 at 9:58 AM Ann <ann@example.org> wrote:",
	"On Mon, 6 May 2024 at 09:58, Ann Example via Friends <ann@example.org> wrote:",
	"On Mon, 6 May 2024, 09:58 Ann, <ann@example.org> wrote:",
	"On May 6, 2024, at 9:58 AM, Ann <ann@example.org> wrote:",
	"On Monday, May 6th, 2024 at 9:58 AM, Ann <ann@example.org> wrote:",
	"On 06.05.24 09:58, Ann wrote:",
	"On 2024-05-06 09:58, Ann wrote:",
	"On Mon, May 06, 2024 at 09:58:22AM +0200, Ann wrote:",
	"On 5/6/2024 9:58:22 AM, \"Ann\" <ann@example.org> wrote:",
	"On 6 May 2024 at 09:58 +0200, Ann <ann@example.org>, wrote:",
	"At 2024-05-06 09:58:22, \"Ann\" <ann@example.org> wrote:",
	"Am Mo., 6. Mai 2024 um 09:58 Uhr schrieb Ann <ann@example.org>:",
	"Am 06.05.2024 um 09:58 schrieb Ann <ann@example.org>:",
	"Am 06.05.24 um 09:58 schrieb Ann:",
	"Am 06.05.2024 09:58, schrieb Ann:",
	"Am Montag, dem 06.05.2024 um 09:58 +0200 schrieb Ann:",
	"Am Montag, 6. Mai 2024, 09:58:22 CEST schrieb Ann Example:",
	"Ann <ann@example.org> schrieb am Mo., 6. Mai 2024, 09:58:",
	"Ann <ann@example.org> hat am 06.05.2024 09:58 CEST geschrieben:",
	"Le lun. 6 mai 2024 à 09:58, Ann <ann@example.org> a écrit :",
	"Le 6 mai 2024 à 09:58, Ann <ann@example.org> a écrit :",
	"Le 06/05/2024 à 09:58, Ann a écrit :",
	"Le lundi 6 mai 2024 à 09:58:22 UTC+2, Ann <ann@example.org> a écrit :",
	"El lun, 6 may 2024 a las 9:58, Ann (<ann@example.org>) escribió:",
	"El lun., 6 de may. de 2024 a la(s) 9:58, Ann (ann@example.org) escribió:",
	"El 6 may 2024, a las 9:58, Ann <ann@example.org> escribió:",
	"El 6/5/24 a las 9:58, Ann escribió:",
	"Ann <ann@example.org> 于2024年5月6日周一 09:58写道：",
	"Ann <ann@example.org> 於 2024年5月6日 週一 上午9:58寫道：",
	"在 2024年5月6日，09:58，Ann <ann@example.org> 写道：",
	"在 2024-05-06 09:58:22，\"Ann\" <ann@example.org> 写道：",
	"在 2024/5/6 9:58, Ann 写道:",
	"Il giorno lun 6 mag 2024 alle ore 09:58 Ann <ann@example.org> ha scritto:",
	"Il 06/05/2024 09:58, Ann ha scritto:",
	"Em seg., 6 de mai. de 2024 às 09:58, Ann <ann@example.org> escreveu:",
	"Op ma 6 mei 2024 om 09:58 schreef Ann <ann@example.org>:",
	"пн, 6 мая 2024 г. в 09:58, Ann <ann@example.org>:",
	"06.05.2024 09:58, Ann пишет:",
	"Dne po 6. 5. 2024 9:58 uživatel Ann <ann@example.org> napsal:",
	"pon., 6 maj 2024 o 09:58 Ann <ann@example.org> napisał(a):",
	"2024年5月6日(月) 9:58 Ann <ann@example.org>:",
	"Den mån 6 maj 2024 kl 09:58 skrev Ann <ann@example.org>:",
}

// TestIntroductions puts each above a quote, whole and broken at every blank, with
// own words before, between and after.
func TestIntroductions(t *testing.T) {
	const before, after = "Hello Ann,\nall is well here.", "And we come on Saturday."
	for _, intro := range introductions {
		for _, broken := range breaks(intro) {
			text := before + "\n\n" + broken + "\n> Are you well?\n> > Deeper.\n\n" + after
			if got, want := own(plainLines(text, false, false)), before+"\n\n"+after; got != want {
				t.Errorf("%q: %q", broken, got)
			}
			text = broken + "\n\n> Are you well?\n\n" + after
			if got := own(plainLines(text, false, false)); got != after {
				t.Errorf("%q at the beginning: %q", broken, got)
			}
		}
	}
}

// breaks breaks a line at each of its blanks in turn, as programs do at the margin.
func breaks(s string) []string {
	list := []string{s}
	for i, c := range s {
		if c == ' ' && i > 0 {
			list = append(list, s[:i]+"\n"+s[i+1:])
		}
	}
	return list
}

// TestOwnKeeps reads what only looks like the words of programs.
func TestOwnKeeps(t *testing.T) {
	for _, text := range []string{
		"On Monday she wrote: come soon.\nSo we came.",
		"This is what he wrote:\n\nCome soon, all of you.",
		"On second thought, here is what Ben wrote:\n\nCome soon, all of you.",
		"Le lundi elle a écrit :\n\nvenez vite.",
		"From: the heart\nTo: you all\n\nWe are glad.",
		"Date: Friday\nSubject: the party\nis all that I know.",
		"Sent from my old office, it never arrived.\n\nSo I wait.",
		"Original message or not, I liked it.\n\nDid you?",
		"The forwarded message is lost.\n-----\nSo I wait.",
		"Tel aviv is where she lives.\nThe web is full of it.",
		"Best, I think, is to wait.\nThen we shall see what comes of it all.",
		"Love is all you need\nand a good chair.",
		"a -- b\n\nc",
		"Well then.\n\nThanks\n\nI nearly forgot that the dog comes too, see www.dog.example.org for more.\n\nKim",
		"Well then.\n\nThanks\n\nI nearly forgot that the dog comes too, and so does the engineer,\nwhom you know. He is hungry\n\nKim",
	} {
		if got := own(plainLines(text, false, false)); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestFlowed unwraps paragraphs.
func TestFlowed(t *testing.T) {
	for _, c := range []struct {
		name, text string
		delsp      bool
		want       string
	}{
		{"a paragraph", "one \ntwo \nthree\nfour", false, "one two three\nfour"},
		{"a blank that is none of the text", "一 \n二\n三", true, "一二\n三"},
		{"stuffed lines", " From here\n  two blanks", false, "From here\n two blanks"},
		{"another depth ends it", "one \n> two \n> three\nfour", false, "one\n\nfour"},
		{"a signature ends it", "one \n-- \nKim", false, "one"},
		{"a hard line stays", "one\ntwo", false, "one\ntwo"},
		{"it ends with a soft one", "one \ntwo ", false, "one two"},
	} {
		if got := own(plainLines(c.text, true, c.delsp)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
