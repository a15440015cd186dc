package gmail

import (
	"regexp"
	"slices"
	"strings"

	"nacre"
	"nacre/agent/phrase"
)

// wished reports whether the owner's own words in this turn ask for a mail or a draft.
func wished(c nacre.Caller) bool {
	return slices.ContainsFunc(c.Said, func(m nacre.Message) bool {
		return m.Due == nil && slices.ContainsFunc(phrase.Pleas(m.Text()), pleads)
	})
}

// pleads reports whether a sentence asks for a mail: it begins with the wish and
// neither denies it nor only wonders. What the mail is to say may well deny something.
func pleads(sentence string) bool {
	wish := wishing.FindStringSubmatch(sentence)
	if wish == nil {
		return false
	}
	next, _, _ := strings.Cut(strings.TrimSpace(sentence[len(wish[0]):]), " ")
	if denying.MatchString(wish[0] + " " + next) {
		return false
	}
	return !strings.ContainsAny(sentence, "?？") || strings.Join(wish[1:], "") != ""
}

// What a wish is about, and the few words that may stand between it and its verb.
const (
	few     = `(?:[^\s.!?]\S*\s+){0,8}?`
	english = `(?:e-?mails?|mails?|drafts?|reply|letter)\b`
	german  = `(?:e-?mails?|mails?|\S*entwurf|antwort|brief)\b`
	spanish = `(?:correos?|e-?mails?|mails?|borrador|respuesta|carta)\b`
	french  = `(?:e-?mails?|mails?|courriels?|courriers?|brouillon|r[eé]ponse|lettre)\b`
	chinese = `[^。！？!?]{0,30}?(?:邮件|郵件|电邮|電郵|草稿|回信|信|e-?mail|mail)`
)

// wishing begins a sentence that asks for a mail, in the languages that phrase reads.
// Its groups are what makes a question a request.
var wishing = regexp.MustCompile(`(?i)^[\s\p{P}]*(?:(?:please|and|then|now|so|ok|okay|yes|hi|hello|bitte|und|dann|jetzt|ja|hallo|por favor|y|ahora|hola|et|oui|bonjour|s['’]il (?:te|vous) pla[iî]t)[\s\p{P}]+)*(?:` +
	`((?:can|could|would|will) you (?:please )?|i(?:['’]d| would) like you to |i (?:want|need) you to )?(?:(?:write|draft|compose|send) |(?:make|create|prepare) (?:me |us )?(?:an?|the|another|this|that) )` + few + english +
	`|((?:can|could|would|will) you (?:please )?)?(?:write|e-?mail|mail|reply|respond|answer) ` + few + `\S+@\S+` +
	`|((?:can|could|would|will) you (?:please )?)?(?:e-?mail|mail|draft)(?: (?:him|her|them|back|this|that|it)\b|:)` +
	`|i (?:want|need|would like|['’]d like) (?:an?|another) ` + few + `(?:e-?mail|mail|draft)\b` +
	`|((?:kannst|könntest|würdest|magst) du ` + few + `(?:` + german + `|\S+@\S+))` +
	`|(?:(?:schreib|verfass|entwirf|entwerf|formulier|send|schick|antwort)(?:e|st)? |(?:mach|erstell|bereite?)(?:e|st)? (?:mir |uns )?(?:bitte )?(?:eine?n?|den|die) )` + few + `(?:` + german + `|\S+@\S+)` +
	`|ich (?:brauche|möchte|will|hätte gern) eine?n? ` + few + german +
	`|((?:puedes|podr[ií]as) ` + few + spanish + `)` +
	`|(?:escr[ií]be|redacta|prepara|crea|haz|env[ií]a|manda|responde)(?:me|le|les|nos)? ` + few + `(?:` + spanish + `|\S+@\S+)` +
	`|((?:peux|pourrais)-tu ` + few + french + `|(?:pouvez|pourriez)-vous ` + few + french + `)` +
	`|(?:[eé]cri[st]|[eé]crivez|r[eé]dige[rz]?|pr[eé]pare[rz]?|cr[eé]e[rz]?|fais|envoie|r[eé]ponds)(?:-(?:moi|lui|leur|nous))? ` + few + `(?:` + french + `|\S+@\S+)` +
	`|(?:请|請|麻烦|麻煩|我想|我要)*(你?(?:能不能|可不可以|可以|能))?(?:请|請|帮我|幫我|替我|给我|給我)*(?:(?:给|給|向)[^。！？!?]{1,60}?)?(?:写|寫|起草|草拟|草擬|拟|擬|发|發|回复|回覆|回|准备|準備|创建|建立)` + chinese + `)`)

// denying is a word for no, in those languages.
var denying = regexp.MustCompile(`(?i)\b(?:not|never|no|nicht|nie|kein\w*|nunca|jamais|pas|dont)\b|n['’]t\b|[别別勿没沒]|不[要用必想会會]`)
