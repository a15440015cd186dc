package canon

import "strings"

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
	for _, k := range keyPrefixes {
		if after(p, k.prefix, func(rest string) bool { return keyLength(rest) >= k.rest && mixed(rest[:keyLength(rest)]) }) {
			return true
		}
	}
	return botToken(p) || webToken(p) || bearer(p) ||
		strings.Contains(p, "-----BEGIN ") && strings.Contains(p, "PRIVATE KEY")
}

// after reports whether ok holds for what follows some prefix in p that begins
// a word.
func after(p, prefix string, ok func(rest string) bool) bool {
	for at := 0; ; at++ {
		i := strings.Index(p[at:], prefix)
		if i < 0 {
			return false
		}
		at += i
		if (at == 0 || !alphanumeric(p[at-1])) && ok(p[at+len(prefix):]) {
			return true
		}
	}
}

// keyLength returns how many characters of a key s begins with.
func keyLength(s string) int {
	n := 0
	for n < len(s) && (alphanumeric(s[n]) || strings.IndexByte("-_.~+/=%", s[n]) >= 0) {
		n++
	}
	return n
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

// webToken finds JSON Web Tokens (RFC 7519): three parts with points between
// them, the first of which is the beginning of a JSON object in base64.
func webToken(p string) bool {
	return after(p, "eyJ", func(rest string) bool {
		token := rest[:keyLength(rest)]
		return len(token) >= 30 && strings.Count(token, ".") >= 2
	})
}

// bearer finds the credentials of an Authorization header (RFC 6750, RFC 7617).
// Where the header is named, shorter ones count too.
func bearer(p string) bool {
	p = strings.NewReplacer("bearer ", "Bearer ", "authorization", "Authorization").Replace(p)
	named := strings.Contains(p, "Authorization")
	for _, scheme := range []string{"Bearer ", "Basic "} {
		if after(p, scheme, func(rest string) bool { return credentials(rest[:keyLength(rest)], named) }) {
			return true
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
