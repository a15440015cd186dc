package canon

import (
	_ "embed"
	"strings"
	"testing"
)

// harmless are sentences as owners write them, 40 each in English, German,
// Spanish, French and Chinese, with numbers, links and words about passwords, and
// 15 that say almost what a secret is said with.
//
//go:embed testdata/harmless.txt
var harmless string

func TestHarmlessSentences(t *testing.T) {
	sentences := strings.Split(strings.TrimSpace(harmless), "\n")
	if len(sentences) != 215 {
		t.Errorf("%d sentences", len(sentences))
	}
	for _, s := range sentences {
		if reason, ok := Secret(s); ok {
			t.Errorf("Secret(%q) = %q", s, reason)
		}
		if topics := Topics(s); len(topics) > 0 {
			t.Errorf("Topics(%q) = %q", s, topics)
		}
		if Instruction(s) {
			t.Errorf("Instruction(%q)", s)
		}
		// The control: the same sentence with a secret is refused.
		if reason, ok := Secret(s + " My password is zqx-hunter."); reason != Password || !ok {
			t.Errorf("Secret(%q and a password) = %q, %v", s, reason, ok)
		}
	}
}
