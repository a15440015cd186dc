package style_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"nacre/agent/mail"
	"nacre/agent/style"
)

// several makes letters of texts.
func several(texts ...string) (list []mail.Letter) {
	for _, text := range texts {
		list = append(list, letter(text))
	}
	return list
}

// repeated is a text so often, each time with other words.
func repeated(n int, text string) (list []mail.Letter) {
	for i := range n {
		list = append(list, letter(strings.ReplaceAll(text, "X", string(rune('a'+i)))))
	}
	return list
}

func TestMeasure(t *testing.T) {
	for name, c := range map[string]struct {
		list        []mail.Letter
		want, never []string
	}{
		"English, informal": {
			repeated(6, "Hi Ann,\n\nI've seen the plan X and it's fine! Don't worry about it. Can you send me the rest?\n\nCheers\nBo"),
			[]string{"Writes in English.", "very short sentences", "in one paragraph", "opens with “Hi”", "closes with “Cheers”", "Informal", "exclamation marks", "questions", "Hardly any emoji"},
			[]string{"German", "Addresses", "lists"},
		},
		"English, formal": {
			repeated(6, "Dear Ann,\n\nI have read the plan X that you have sent to me and I am of the opinion that it is not what we had agreed on before the holidays, which is why I would like to speak with you about it.\n\nThere is one more thing that I would like to add to this, and that is the question of who is to do what until then.\n\nKind regards\nBo"),
			[]string{"Rather formal, without contractions", "very long sentences", "two or three paragraphs", "opens with “Dear”", "closes with “Kind regards”", "Plain punctuation"},
			[]string{"Informal", "questions"},
		},
		"German, Sie": {
			repeated(6, "Sehr geehrte Frau Berg,\n\nich habe den Plan X gelesen und bin damit einverstanden. Wenn Sie noch etwas von mir brauchen, sagen Sie es mir bitte.\n\nMit freundlichen Grüßen\nBo Lang"),
			[]string{"Writes in German.", "opens with “Sehr geehrte”", "closes with “Mit freundlichen Grüßen”", "as “Sie”"},
			[]string{"“du”", "Informal", "formal"},
		},
		"German, du": {
			repeated(6, "hallo Ann,\n\nich habe deinen Plan X gelesen und er ist sehr gut. kannst du mir noch den Rest schicken? 😀\n\nLG\nBo"),
			[]string{"as “du”", "opens with “Hallo”", "closes with “LG”", "Usually uses emoji", "lower case"},
			[]string{"“Sie”", "Hardly any emoji"},
		},
		"French": {
			repeated(6, "Bonjour Ann,\n\nje vous remercie pour le plan X, que j'ai bien reçu et que je vais lire dans la semaine – avec plaisir.\n\nBien cordialement\nBo"),
			[]string{"Writes in French.", "as “vous”", "opens with “Bonjour”", "closes with “Bien cordialement”", "dashes"},
			[]string{"“tu”"},
		},
		"Spanish": {
			repeated(6, "Hola Ana,\n\nya he visto el plan X y me parece muy bien. ¿Puedes mandarme el resto cuando tengas tiempo? Te lo agradezco mucho…\n\nUn abrazo\nBo"),
			[]string{"Writes in Spanish.", "as “tú”", "opens with “Hola”", "closes with “Un abrazo”", "ellipses"},
			[]string{"“usted”"},
		},
		"Chinese": {
			repeated(6, "王老师您好，\n\n您发来的计划X我已经看过了，觉得很好。请您有时间的时候把剩下的部分也发给我，谢谢！\n\n祝好\n小文"),
			[]string{"Writes in Chinese.", "as “您”", "opens with “您好”", "closes with “祝好”"},
			[]string{"“你”"},
		},
		"a mix": {
			append(repeated(7, "Hallo Ann,\n\nich habe den Plan X gelesen und er ist gut so. Wir können das dann am besten gleich so machen.\n\nGruß\nBo"),
				repeated(2, "Hi Ann,\n\nI have read the plan X and it is good. We can do it like that then, if it is all right with you.\n\nBest\nBo")...),
			[]string{"Writes mostly in German, sometimes in English.", "Usually opens with “Hallo” or “Hi”", "“Gruß” or “Best”"}, nil,
		},
		"lists, without a greeting": {
			repeated(6, "For the plan X we need this:\n\n- the costs of it\n- the date of it\n- who is to do it\n\nIs that all that you have?"),
			[]string{"Mostly without a greeting", "Mostly without a closing", "Usually uses lists"}, nil,
		},
	} {
		got := style.Measure(c.list)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q does not say %q", name, got, want)
			}
		}
		for _, never := range c.never {
			if strings.Contains(got, never) {
				t.Errorf("%s: %q says %q", name, got, never)
			}
		}
		if flaw := style.Check(got, c.list); flaw != "" {
			t.Errorf("%s: %q is %q", name, got, flaw)
		}
	}
	if got := style.Measure(nil); got != "" {
		t.Errorf("nothing is measured as %q", got)
	}
	if got := style.Measure(several(" \n")); got != "" {
		t.Errorf("an empty letter is measured as %q", got)
	}
}

// What is measured passes the check, whatever the letters say: also if they say it
// word for word.
func TestMeasurePassesItsOwnCheck(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	var lines []string
	for _, l := range letters {
		lines = append(lines, strings.Split(l.Text, "\n")...)
	}
	for _, text := range accepted {
		lines = append(lines, strings.SplitAfter(text, ". ")...)
	}
	lines = append(lines, "Writes in English.", "Hi Best,", "Dear Short,", "Hello Very Short Sentences,", "Emoji", "😀", "- one\n- two", "Writes very short sentences, in one paragraph.",
		"Often uses exclamation marks, questions and ellipses!", "Addresses the reader as you")
	said := 0
	for range 60 {
		var list []mail.Letter
		for range 1 + chance.IntN(6) {
			var text []string
			for range 1 + chance.IntN(8) {
				text = append(text, lines[chance.IntN(len(lines))])
			}
			list = append(list, letter(strings.Join(text, "\n")))
		}
		got := style.Measure(list)
		if got == "" {
			continue
		}
		said++
		if flaw := style.Check(got, list); flaw != "" || utf8.RuneCountInString(got) > style.MaxText {
			t.Fatalf("%q is %q, of %s", got, flaw, fmt.Sprint(list))
		}
	}
	if said < 50 {
		t.Errorf("something was said of %d only", said)
	}
}
