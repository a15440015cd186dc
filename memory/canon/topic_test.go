package canon

import (
	"slices"
	"strings"
	"testing"
)

func TestTopics(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Topic
	}{
		{"I have type 2 diabetes", []Topic{Health}},
		{"I'm allergic to peanuts", []Topic{Health}},
		{"My sister is pregnant", []Topic{Health}},
		{"she is on the spectrum", []Topic{Health}},
		{"my plant is sick", []Topic{Health}}, // on purpose: see Topics
		{"Ich bin seit Jahren krank", []Topic{Health}},
		{"Ich habe eine Nussallergie und bin Allergiker", []Topic{Health}},
		{"Meine Frau ist schwanger", []Topic{Health}},
		{"Tengo alergia a los frutos secos", []Topic{Health}},
		{"Estoy embarazada", []Topic{Health}},
		{"Je suis malade depuis lundi", []Topic{Health}},
		{"Je prends des antidépresseurs, je fais une dépression", []Topic{Health}},
		{"我对花生过敏", []Topic{Health}},
		{"他得了糖尿病", []Topic{Health}},
		{"У меня диабет", []Topic{Health}},
		{"I have dia\u00adbetes", []Topic{Health}},
		{"ＤＩＡＢＥＴＥＳ runs in the family", []Topic{Health}},
		{"I am a practising Catholic", []Topic{Religion}},
		{"We keep kosher", []Topic{Religion}},
		{"I was raised a Protestant", []Topic{Religion}},
		{"Ich bin evangelisch", []Topic{Religion}},
		{"Voy a misa los domingos", []Topic{Religion}},
		{"Je suis musulmane", []Topic{Religion}},
		{"我是基督徒", []Topic{Religion}},
		{"I voted for the Greens", []Topic{Politics}},
		{"My uncle is a Republican", []Topic{Politics}},
		{"Ich bin Mitglied der SPD", []Topic{Politics}},
		{"Soy de izquierdas", []Topic{Politics}},
		{"Je suis de gauche", []Topic{Politics}},
		{"他是共产党员", []Topic{Politics}},
		{"I am gay", []Topic{Sexuality}},
		{"my son came out last year", []Topic{Sexuality}},
		{"Ich bin lesbisch", []Topic{Sexuality}},
		{"Mi hermano es homosexual", []Topic{Sexuality}},
		{"Elle est bisexuelle", []Topic{Sexuality}},
		{"他是同性恋", []Topic{Sexuality}},
		{"I'm trans", []Topic{Gender}},
		{"Anna is non-binary", []Topic{Gender}},
		{"Meine Tochter ist trans", []Topic{Gender}},
		{"Soy una persona no binaria", []Topic{Gender}},
		{"C'est une femme trans", []Topic{Gender}},
		{"她是跨性别者", []Topic{Gender}},
		{"I'm of Kurdish descent", []Topic{Ethnicity}},
		{"She is African-American", []Topic{Ethnicity}},
		{"Ich habe einen Migrationshintergrund", []Topic{Ethnicity}},
		{"Mi familia es gitana", []Topic{Ethnicity}},
		{"Je suis d'origine kabyle", []Topic{Ethnicity}},
		{"我是回族", []Topic{Ethnicity}},
		{"I'm undocumented", []Topic{Immigration}},
		{"my visa expires in May", []Topic{Immigration}},
		{"Mein Aufenthaltstitel läuft ab", []Topic{Immigration}},
		{"No tengo permiso de residencia", []Topic{Immigration}},
		{"Je suis sans-papiers", []Topic{Immigration}},
		{"我的签证过期了", []Topic{Immigration}},
		{"I was in prison for two years", []Topic{Criminal}},
		{"my brother did time", []Topic{Criminal}},
		{"Ich bin vorbestraft", []Topic{Criminal}},
		{"Tengo antecedentes penales", []Topic{Criminal}},
		{"J'ai un casier judiciaire", []Topic{Criminal}},
		{"他坐过牢，有前科", []Topic{Criminal}},
		{"Jsem alergická na ořechy", []Topic{Health}},
		{"花粉アレルギーです", []Topic{Health}},
		{"أنا مريض", []Topic{Health}},
		{"Jsem katolička", []Topic{Religion}},
		{"彼はゲイです", []Topic{Sexuality}},
		{"在留資格が切れる", []Topic{Immigration}},
		{"Byl odsouzený", []Topic{Criminal}},
		{"I am a gay Muslim with asthma", []Topic{Health, Religion, Sexuality}},
		{"Turkish coffee, and my depression", []Topic{Health}},
	} {
		if got := Topics(c.text); !slices.Equal(got, c.want) {
			t.Errorf("Topics(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestNoTopics(t *testing.T) {
	for _, text := range []string{
		"", "I like the Republican calendar", "Turkish coffee is my favourite", "I am sick of rain",
		"The birthday party is on Friday", "transfer the files", "translate this", "a conservative estimate",
		"black coffee, white wine", "I watched Arrested Development", "Tropic of Cancer", "my cell phone",
		"the great depression of 1929", "a race car", "Ich habe Heimweh nach Köln", "Der Virenscanner meldet nichts",
		"Me gusta el café turco", "Le calendrier républicain", "我喜欢喝咖啡", "杀毒软件过期了",
		"I prefer short answers", "Meine Katze heißt Mia", "My visa card is blue", "a third party library",
		"I move house in May", "My mother was born in 1950",
		"Christmas with my friend Christian", "the book came out in May", "I play the trumpet", "Podemos ir mañana",
		"Nun gehen wir nach Rom", "die grünen Bohnen", "Gott sei Dank ist Freitag", "Was für ein leuk idee",
		"Můj operační systém je Linux",
	} {
		if got := Topics(text); len(got) != 0 {
			t.Errorf("Topics(%q) = %q", text, got)
		}
		// The control: the same text beside a topic.
		if got := Topics(text + ". I am pregnant."); !slices.Equal(got, []Topic{Health}) {
			t.Errorf("Topics(%q and a pregnancy) = %q", text, got)
		}
	}
}

// TestLexicon: every entry is found by its own words.
func TestLexicon(t *testing.T) {
	for _, list := range topicLists {
		for entry := range strings.SplitSeq(list.entries, ",") {
			text := strings.ReplaceAll(entry, "*", "")
			got := Topics(text)
			if list.topic == "" && len(got) > 0 || list.topic != "" && !slices.Contains(got, list.topic) {
				t.Errorf("Topics(%q) = %q, it is listed under %q", text, got, list.topic)
			}
		}
	}
}

func BenchmarkTopics(b *testing.B) {
	for name, text := range longTexts {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if len(Topics(text)) != 0 {
					b.Fatal("a topic")
				}
			}
		})
	}
}
