package canon

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// keyPrefixes are the beginnings that vendors give their keys and tokens, as
// each documents them, with the least number of characters that follow.
var keyPrefixes = [...]struct {
	prefix string
	rest   int
}{
	{"AKIA", 16}, {"ASIA", 16}, // Amazon
	{"AIza", 30}, {"ya29.", 20}, {"GOCSPX-", 20}, // Google
	{"sk-", 20}, {"xai-", 20}, {"gsk_", 20}, {"hf_", 20}, {"r8_", 20}, // OpenAI, Anthropic and other model providers
	{"ghp_", 30}, {"gho_", 30}, {"ghu_", 30}, {"ghs_", 30}, {"ghr_", 30}, {"github_pat_", 30},
	{"glpat-", 16}, {"gldt-", 16},
	{"xoxb-", 16}, {"xoxp-", 16}, {"xoxa-", 16}, {"xoxr-", 16}, {"xoxs-", 16}, {"xapp-", 16}, // Slack
	{"sk_live_", 12}, {"sk_test_", 12}, {"rk_live_", 12}, {"whsec_", 16}, // Stripe
	{"npm_", 30}, {"pypi-", 40}, {"dckr_pat_", 16},
	{"SG.", 40},                     // SendGrid
	{"dop_v1_", 32}, {"tskey-", 16}, // DigitalOcean, Tailscale
	{"shpat_", 24}, {"shpss_", 24}, // Shopify
	{"sq0atp-", 16}, {"sq0csp-", 16}, // Square
	{"ntn_", 30}, {"lin_api_", 30}, // Notion, Linear
	{"figd_", 24}, {"PMAK-", 24}, // Figma, Postman
	{"EAAC", 40}, // Meta
	{"AGE-SECRET-KEY-1", 40},
	{"hooks.slack.com/services/", 20}, {"discord.com/api/webhooks/", 20},
	{"otpauth://", 8},
}

// hasKey reports whether a plain text holds the key or token of a known vendor,
// a bot token, a JSON Web Token, an authorization header or a private key.
func hasKey(p string) bool {
	return vendorKey(p) || botToken(p) || bearer(p) ||
		strings.Contains(p, "-----BEGIN ") && strings.Contains(p, "PRIVATE KEY")
}

// prefixNumbers are the numbers of the keyPrefixes that begin with a byte.
var prefixNumbers = sync.OnceValue(func() *[utf8.RuneSelf][]int {
	var of [utf8.RuneSelf][]int
	for n, k := range keyPrefixes {
		of[k.prefix[0]] = append(of[k.prefix[0]], n)
	}
	return &of
})

// vendorKey finds the keys of vendors and JSON Web Tokens. It looks at each place
// where a word begins, and reads each run of characters once, however many
// beginnings of keys there are in it.
func vendorKey(p string) bool {
	of := prefixNumbers()
	var r keyRun
	for i := 0; i < len(p); i++ {
		if p[i] >= utf8.RuneSelf || of[p[i]] == nil && p[i] != webTokens[0] || i > 0 && alphanumeric(p[i-1]) {
			continue
		}
		for _, n := range of[p[i]] {
			k := &keyPrefixes[n]
			if !strings.HasPrefix(p[i:], k.prefix) {
				continue
			}
			from := i + len(k.prefix)
			if r.reach(p, from); r.to-from >= k.rest && r.mixed >= from {
				return true
			}
		}
		if strings.HasPrefix(p[i:], webTokens) {
			from := i + len(webTokens)
			if r.reach(p, from); r.to-from >= minWebToken && r.points[0] >= from {
				return true
			}
		}
	}
	return false
}

// JSON Web Tokens (RFC 7519) are three parts with points between them, the first of
// which is the beginning of a JSON object in base64.
const (
	webTokens   = "eyJ"
	minWebToken = 30 // characters after that
)

// keyRun is a run of characters of keys in a text, and where the last ones of some
// kinds stand in it, -1 for nowhere.
type keyRun struct {
	from, to int
	mixed    int    // the last digit or capital
	points   [2]int // the last but one point, and the last
}

// reach makes r the run in which place i of a text lies.
func (r *keyRun) reach(p string, i int) {
	if r.from <= i && i < r.to {
		return
	}
	*r = keyRun{from: i, to: i + keyLength(p[i:]), mixed: -1, points: [2]int{-1, -1}}
	for at := r.from; at < r.to; at++ {
		switch c := p[at]; {
		case asciiDigit(c) || upper(c):
			r.mixed = at
		case c == '.':
			r.points = [2]int{r.points[1], at}
		}
	}
}

// keyLength returns how many characters of a key s begins with.
func keyLength(s string) int {
	n := 0
	for n < len(s) && keyCharacter(s[n]) {
		n++
	}
	return n
}

func keyCharacter(c byte) bool {
	switch c {
	case '-', '_', '.', '~', '+', '/', '=', '%':
		return true
	}
	return alphanumeric(c)
}

// mixed reports whether s holds a digit or a capital, as no word of prose does
// after its beginning.
func mixed(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && (asciiDigit(byte(r)) || upper(byte(r))) })
}

// botToken finds Telegram bot tokens: the bot's number, a colon and 35
// characters.
func botToken(p string) bool {
	for at := 0; ; at++ {
		i := strings.IndexByte(p[at:], ':')
		if i < 0 {
			return false
		}
		at += i
		digits := 0
		for digits < at && asciiDigit(p[at-1-digits]) {
			digits++
		}
		if digits >= 6 && keyLength(p[at+1:]) >= 30 {
			return true
		}
	}
}

// bearer finds the credentials of an Authorization header (RFC 6750, RFC 7617).
// Where the header is named, shorter ones count too.
func bearer(p string) bool {
	named := strings.Contains(p, "Authorization") || strings.Contains(p, "authorization")
	for _, scheme := range []string{"Bearer ", "bearer ", "Basic "} {
		for before, rest, ok := strings.Cut(p, scheme); ok; before, rest, ok = strings.Cut(rest, scheme) {
			if (before == "" || !alphanumeric(before[len(before)-1])) && credentials(rest[:keyLength(rest)], named) {
				return true
			}
		}
	}
	return false
}

// minToken is how many characters the token of a header has, and one that
// stands alone.
const (
	minToken      = 6
	minTokenAlone = 10
)

// credentials reports whether what follows a scheme can be no word of prose.
func credentials(s string, named bool) bool {
	digits := digitsIn(s)
	switch {
	case named:
		return len(s) >= minToken && mixed(s)
	case len(s) >= 16:
		return mixed(s)
	}
	return len(s) >= minTokenAlone && 0 < digits && digits < len(s)
}
