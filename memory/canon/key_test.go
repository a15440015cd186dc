package canon

import (
	"math/rand"
	"strings"
	"testing"
)

// slowKey finds what vendorKey does, by reading on from each beginning anew.
func slowKey(p string) bool {
	for i := range len(p) {
		if i > 0 && alphanumeric(p[i-1]) {
			continue
		}
		for _, k := range keyPrefixes {
			if rest, ok := strings.CutPrefix(p[i:], k.prefix); ok && keyLength(rest) >= k.rest && mixed(rest[:keyLength(rest)]) {
				return true
			}
		}
		if rest, ok := strings.CutPrefix(p[i:], "eyJ"); ok && keyLength(rest) >= 30 && strings.Count(rest[:keyLength(rest)], ".") >= 2 {
			return true
		}
	}
	return false
}

func TestVendorKeyIsFoundAsByReadingOn(t *testing.T) {
	parts := []string{"eyJ", "eyJ.", ".", "-", "_", " ", "a", "b-c", "é", ":", "x7", "Q", "abcdefghijkl", "abcdefgh-ijklmnopqrstuvw"}
	for _, k := range keyPrefixes {
		parts = append(parts, k.prefix)
	}
	r := rand.New(rand.NewSource(1))
	found := 0
	const many = 20_000
	for range many {
		var b strings.Builder
		for range 1 + r.Intn(12) {
			b.WriteString(parts[r.Intn(len(parts))])
		}
		p := b.String()
		want := slowKey(p)
		if vendorKey(p) != want {
			t.Fatalf("vendorKey(%q) = %v", p, !want)
		}
		if want {
			found++
		}
	}
	if found < many/10 || found > many*9/10 {
		t.Errorf("%d of %d hold a key", found, many)
	}
}

// BenchmarkSecretOfNothingElse is over 256 kB of what secrets begin with.
func BenchmarkSecretOfNothingElse(b *testing.B) {
	for _, part := range []string{"sk-", "ghp_", "xoxb-", "glpat-", "sk_live_", "eyJ-", "hooks.slack.com/services/", "/login/", "login-", "pin-", "密码是", "1-", "a "} {
		text := strings.Repeat(part, 256<<10/len(part))
		b.Run(part, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Secret(text)
			}
		})
	}
}
