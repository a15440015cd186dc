package phrase

import (
	"strings"
	"testing"
)

func TestDecision(t *testing.T) {
	for _, text := range []string{"yes", "Yes!", "YES, please.", "ja", "Ja, bitte!", "sí", "¡Sí, claro!", "oui", "Oui, s’il te plaît.", "是", "是的。", "好的", " yes\n",
		"Yes, forget everything", "ja, bitte vergiss alles", "yes, do it", "sí, olvídalo todo", "oui, oublie tout", "是的，全部忘掉"} {
		if yes, ok := Decision(text); !ok || !yes {
			t.Errorf("Decision(%q) = %v, %v, want yes", text, yes, ok)
		}
	}
	for _, text := range []string{"no", "No!", "nope", "nein", "Nein, danke.", "non merci", "no, gracias", "不", "不要", "不用了。"} {
		if yes, ok := Decision(text); !ok || yes {
			t.Errorf("Decision(%q) = %v, %v, want no", text, yes, ok)
		}
	}
	for _, text := range []string{"", "ok", "OK.", "okay", "ok, forget everything", "forget everything", "yes, forget my dog", "yes, forget everything about my boss", "yes but only the dog", "no idea", "yesterday", "I said yes", "ja aber", "是不是", "maybe", strings.Repeat("yes ", 100)} {
		if _, ok := Decision(text); ok {
			t.Errorf("Decision(%q) is an answer, want none", text)
		}
	}
}
