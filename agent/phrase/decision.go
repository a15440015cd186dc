package phrase

import (
	"strings"
	"unicode"
)

// Decision reads a plain answer to a question that can be answered with yes or
// no; ok is false for any other text. "OK" is none, since people also say it
// to what they have only read.
func Decision(text string) (yes, ok bool) {
	if len(text) > maxDecision {
		return false, false
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) })
	if len(words) > 1 && affirms(words[0]) && Wished(strings.Join(words[1:], " ")) == Clear {
		return true, true // "yes, forget everything"
	}
	switch strings.Join(words, " ") {
	case "yes", "y", "yes please", "yep", "yeah", "yup", "yes do it", "yes do", "please do", "do it", "sure", "of course", "go ahead", "yes go ahead", "yes thanks", "yes thank you",
		"ja", "ja bitte", "ja gern", "ja gerne", "ja klar", "ja danke", "jawohl", "klar", "gerne", "na klar", "mach das", "ja mach das", "tu das",
		"sí", "si", "sí por favor", "si por favor", "sí claro", "si claro", "claro", "claro que sí", "claro que si", "por supuesto", "hazlo", "sí hazlo", "si hazlo", "sí gracias",
		"oui", "oui s il te plaît", "oui s il vous plaît", "oui s il te plait", "oui stp", "oui svp", "oui merci", "oui bien sûr", "bien sûr", "ouais", "vas y", "oui vas y", "fais le",
		"是", "是的", "要", "好", "好的", "对", "對", "可以", "行", "确认", "確認", "没错", "沒錯":
		return true, true
	case "no", "n", "nope", "nah", "no thanks", "no thank you", "no please don t", "please don t", "don t", "no don t", "do not", "better not", "not now", "cancel", "stop",
		"nein", "nein danke", "nee", "nö", "lieber nicht", "nein lieber nicht", "bitte nicht", "nein bitte nicht", "abbrechen",
		"no gracias", "mejor no", "no mejor no", "no por favor", "cancelar", "cancela",
		"non", "non merci", "surtout pas", "non surtout pas", "plutôt pas", "annuler", "annule",
		"不", "不要", "不用", "不是", "不行", "不了", "不对", "不對", "别", "別", "否", "取消", "不用了", "算了":
		return false, true
	}
	return false, false
}

// affirms reports whether a word says yes, whatever follows it.
func affirms(word string) bool {
	switch word {
	case "yes", "yep", "yeah", "ja", "jawohl", "sí", "si", "oui", "是", "是的", "对", "對", "好的", "确认", "確認":
		return true
	}
	return false
}

// maxDecision is longer than any of them, in bytes.
const maxDecision = 60
