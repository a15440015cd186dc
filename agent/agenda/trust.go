package agenda

import (
	"regexp"
	"slices"
	"unicode/utf8"

	"nacre"
	"nacre/agent/phrase"
)

// wished reports whether the owner's own words in this turn ask for a reminder: not
// what they quote, forward or press.
func (a *Agenda) wished(c nacre.Caller) bool {
	now := a.asked(c)
	return slices.ContainsFunc(c.Said, func(m nacre.Message) bool {
		return slices.ContainsFunc(pleas(m.Text()), func(sentence string) bool {
			_, ok, _ := phrase.Remind(sentence, now)
			return ok || reminding.MatchString(sentence)
		})
	})
}

// reminding is a word that asks for a reminder, in the languages that phrase reads.
var reminding = regexp.MustCompile(`(?i)\bremind|\balarm\b|\bwake me\b|\berinner|\bwecke?\b|\brecu[eé]rda|\brecordatorio|\bav[ií]sa|\brappel|\br[eé]veil|提醒|闹钟|鬧鐘|叫醒`)

// maxPlea is the length, in characters, of a message that may ask for something
// behind its first sentence. A longer one may be a text that was pasted.
const maxPlea = 300

// pleas are the sentences of a message that may ask for something.
func pleas(text string) []string {
	var list []string
	for _, s := range phrase.Sentences(text) {
		list = append(list, text[s.Start:s.End])
	}
	if utf8.RuneCountInString(text) > maxPlea {
		list = list[:min(1, len(list))]
	}
	return list
}
