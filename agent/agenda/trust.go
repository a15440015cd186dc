package agenda

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"nacre"
	"nacre/agent/phrase"
)

// wished reports whether the owner's own words in this turn ask for a reminder: not
// what they quote, forward or press, and not what they only say about reminders.
func (a *Agenda) wished(c nacre.Caller) bool {
	now := a.asked(c)
	return slices.ContainsFunc(c.Said, func(m nacre.Message) bool {
		return slices.ContainsFunc(pleas(m.Text()), func(sentence string) bool { return pleads(sentence, now) })
	})
}

// pleads reports whether a sentence asks for a reminder: it says all of it, time
// included, or begins with the wish and neither denies nor only wonders.
func pleads(sentence string, now time.Time) bool {
	_, ok, err := phrase.Remind(sentence, now)
	switch {
	case ok && err == nil:
		return true
	case denying.MatchString(sentence):
		return false
	}
	return ok || polite.MatchString(sentence) || plain.MatchString(sentence) && !strings.ContainsAny(sentence, "?？")
}

// How a sentence begins that asks for a reminder, in the languages that phrase reads.
// Only what is asked politely may be a question.
var (
	plain = regexp.MustCompile(`(?i)^\W*(?:(?:please|and|then|so|ok(?:ay)?|yes|bitte|und|dann|ja|por favor|y|s'il te pla[iî]t|et|oui)\W+)*(?:` +
		`remind (?:me|us)\b|wake (?:me|us)\b|(?:set|make|create|add)(?: me| us)? (?:a|an|the|another) (?:\w+ )?(?:reminder|alarm)\b|i (?:want|need|would like|'d like) (?:a|another) reminder\b` +
		`|erinner[en]? (?:mich|uns|sie)\b|weck(?:e)? (?:mich|uns)\b|(?:stell|setz)e?(?: mir)? (?:eine erinnerung|einen wecker)` +
		`|recu[eé]rda(?:me|nos)\b|av[ií]sa(?:me|nos)\b|pon(?:me)? (?:un recordatorio|una alarma)\b` +
		`|rappel(?:le|ez)[- ](?:moi|nous)\b|r[eé]veille(?:z)?[- ](?:moi|nous)\b|mets(?:[- ]moi)? un (?:rappel|r[eé]veil)\b)` +
		`|^[\s\p{P}]*(?:请|請|那|帮我|幫我|麻烦|麻煩)*(?:提醒(?:我|我们|我們|一下)|叫醒我|设(?:一?个)?(?:闹钟|提醒)|設(?:一?個)?(?:鬧鐘|提醒))`)
	polite = regexp.MustCompile(`(?i)^\W*(?:(?:please|and|then|so|ok(?:ay)?|yes)\W+)*(?:can|could|would|will) you (?:please )?(?:remind (?:me|us)\b|wake (?:me|us)\b|(?:set|make|create|add)(?: me| us)? (?:a|an|the|another) (?:\w+ )?(?:reminder|alarm)\b)` +
		`|^\W*(?:kannst|könntest|würdest) du (?:mich|uns)\b.*\b(?:erinnern|wecken)\b|^\W*¿?(?:puedes|podr[ií]as) (?:recordarme|avisarme)\b|^\W*(?:peux|pourrais)[- ]tu (?:me|nous) (?:le |la )?rappeler\b`)
	denying = regexp.MustCompile(`(?i)\b(?:not|never|no|nicht|nie|kein\w*|nunca|jamais|pas)\b|n['’]t\b|\bdont\b|不|别|別|勿|没|沒`)
)

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
