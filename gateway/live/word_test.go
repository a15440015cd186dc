package live

import (
	"strings"
	"testing"
	"time"

	"nacre"
)

func TestSoundID(t *testing.T) {
	for id, want := range map[string]bool{
		"a-1": true, "0": true, nacre.NewID(time.UnixMilli(1_700_000_000_000)): true, strings.Repeat("x", maxID): true,
		"": false, strings.Repeat("x", maxID+1): false, "a b": false, "a/1": false, "é": false, "\x00": false,
	} {
		if got := SoundID(id); got != want {
			t.Errorf("SoundID(%q) = %v", id, got)
		}
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]bool{
		"a": true, " \u00e9": true, "日": true, "\xff": true,
		"": false, " \n\t": false, "\u200b\u2060": false, "\x00\x1b": false,
	} {
		if got := Visible(text); got != want {
			t.Errorf("Visible(%q) = %v", text, got)
		}
	}
}
