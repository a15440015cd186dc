package gateway

import (
	"bytes"
	"strings"
	"testing"
)

// A code counts however its sender spaces it and whichever case they write it in, and
// nothing else counts as it.
func FuzzCode(f *testing.F) {
	for _, text := range []string{"ABCD-EFGH", "abcd efgh", "ABCDEFG", "ſ-K", "", "- -", "\xff\x00", "ＡＢＣＤ-EFGH", "2345-6789 and more"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tag, upper := codeTag(text), strings.ToUpper(text)
		for _, same := range []string{upper, " " + text, text + "-", strings.ReplaceAll(text, "-", " - ")} {
			if !bytes.Equal(codeTag(same), tag) {
				t.Errorf("%q does not count as %q", same, text)
			}
		}
		for _, other := range []string{text + "A", "A" + text, newCode()} {
			if bytes.Equal(codeTag(other), tag) {
				t.Errorf("%q counts as %q", other, text)
			}
		}
	})
}
