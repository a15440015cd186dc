package reflect

import (
	"strings"
	"unicode"

	"nacre"
	"nacre/agent/phrase"
)

// maxIdle is how many bytes a sentence may have that is passed over by its kind.
// A longer question may tell something, too.
const maxIdle = 80

// idle reports whether a message holds nothing to remember: a command, a wish
// about memory itself, or nothing but small talk, questions and what is to be
// forgotten. It costs no model; in doubt it says no.
func idle(text string) bool {
	if _, _, ok := nacre.ParseCommand(text); ok || phrase.Wished(text) != phrase.NoWish {
		return true
	}
	for _, s := range phrase.Sentences(text) {
		if !chatter(text[s.Start:s.End]) {
			return false
		}
	}
	return true
}

// chatter reports whether a sentence by itself is nothing to remember.
func chatter(sentence string) bool {
	words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) })
	if len(words) == 0 {
		return true // an emoji
	}
	if len(sentence) > maxIdle {
		return false
	}
	switch phrase.Parse(sentence).Kind {
	case phrase.Greeting, phrase.Thanks, phrase.Question, phrase.TimeQuestion, phrase.Forget:
		return true
	}
	_, decides := phrase.Decision(sentence)
	return decides || filler(strings.Join(words, " "))
}

// filler are words by which people say that they have read an answer.
func filler(words string) bool {
	switch words {
	case "ok", "okay", "k", "kk", "fine", "good", "great", "nice", "cool", "perfect", "awesome", "super", "wow", "got it", "i see", "right", "never mind", "nevermind",
		"lol", "haha", "hahaha", "hm", "hmm", "oh", "ah", "bye", "good night", "see you", "see you later", "continue", "go on", "and", "more", "test",
		"alles klar", "passt", "gut", "sehr gut", "prima", "toll", "perfekt", "genau", "verstehe", "verstanden", "egal", "tschüss", "gute nacht", "bis später", "weiter",
		"vale", "bien", "muy bien", "perfecto", "genial", "entiendo", "entendido", "adiós", "buenas noches", "hasta luego", "jaja", "jajaja", "sigue",
		"d accord", "très bien", "parfait", "génial", "compris", "je vois", "bonne nuit", "à plus", "continue s il te plaît",
		"嗯", "嗯嗯", "哦", "哈哈", "哈哈哈", "知道了", "明白", "明白了", "晚安", "再见", "再見", "继续", "繼續":
		return true
	}
	return false
}
