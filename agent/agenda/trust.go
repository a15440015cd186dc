package agenda

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent/phrase"
)

// wished reports whether the owner's own words in this turn ask for a reminder: not
// what they quote, forward or press, and not what they only say about reminders.
func (a *Agenda) wished(c nacre.Caller) bool {
	now := a.asked(c)
	return slices.ContainsFunc(c.Said, func(m nacre.Message) bool {
		return slices.ContainsFunc(phrase.Pleas(m.Text()), func(sentence string) bool { return pleads(sentence, now) })
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
	wish := wishing.FindStringSubmatch(sentence)
	if strings.ContainsAny(sentence, "?？") {
		return wish != nil && strings.Join(wish[1:], "") != ""
	}
	return ok || wish != nil
}

// wishing begins a sentence that asks for a reminder, in the languages that phrase
// reads. Its groups are what makes a question a request.
var wishing = regexp.MustCompile(`(?i)^[\s\p{P}]*(?:(?:please|and|then|so|ok|okay|yes|bitte|und|dann|ja|por favor|y|et|oui)[\s\p{P}]+)*(?:` +
	`((?:can|could|would|will) you (?:please )?)?(?:(?:remind|wake) (?:me|us)\b|(?:set|make|create|add) (?:(?:me|us) )?(?:an?|the|another) (?:reminder|alarm)\b)` +
	`|((?:kannst|könntest|würdest) du (?:bitte )?(?:mich|uns) .*(?:erinnern|wecken)\b)|(?:erinnere?|wecke?) (?:mich|uns)\b|(?:stelle?|setze?) (?:mir )?(?:eine erinnerung|einen wecker)\b` +
	`|(?:recu[eé]rda|av[ií]sa)(?:me|nos)\b|pon(?:me)? (?:un recordatorio|una alarma)\b|((?:puedes|podr[ií]as) (?:recordar|avisar)(?:me|nos)\b)` +
	`|r(?:appelle|[eé]veille)-(?:moi|nous)\b|mets(?:-moi)? un (?:rappel|r[eé]veil)\b|((?:peux|pourrais)-tu (?:me|nous) (?:rappeler|r[eé]veiller)\b)` +
	`|(?:请|請|麻烦你?|麻煩你?)*(你?(?:能不能|可不可以|可以|能))?(?:帮我|幫我)?(?:(?:提醒|叫醒)(?:一下)?我|[设設]一?[个個]?(?:闹钟|鬧鐘|提醒)))`)

// denying is a word for no, in those languages.
var denying = regexp.MustCompile(`(?i)\b(?:not|never|no|nicht|nie|kein\w*|nunca|jamais|pas|dont)\b|n['’]t\b|[别別勿没沒]|不[要用必想会會]`)
