package canon

import (
	"net/url"
	"strings"
)

const (
	minLinkSecret = 6  // characters of a parameter that may be a secret
	minPathSecret = 16 // characters of a path segment that may be one
)

// hasLink reports whether a plain text holds a link that carries credentials:
// a user's password, a parameter such as token, or an address made to log in.
func hasLink(p string) bool {
	for {
		i := strings.IndexAny(p, "/?")
		if i < 0 {
			return false
		}
		from, to := field(p, i, endsLink)
		if secretLink(strings.Trim(p[from:to], ".,;:!()[]*_")) {
			return true
		}
		p = p[to:]
	}
}

// endsLink reports what no link holds.
func endsLink(r rune) bool {
	switch r {
	case ' ', '\t', '\r', '\n', '<', '>', '"', '\'', '`', '|', '“', '”', '«', '»', '（', '）', '，', '。':
		return true
	}
	return false
}

func secretLink(link string) bool {
	if i := strings.LastIndexByte(link[:strings.Index(link+"://", "://")], '('); i >= 0 {
		link = link[i+1:] // [text](link)
	}
	u, err := url.Parse(link)
	if err != nil {
		u = lenient(link)
	}
	if u.User != nil {
		_, password := u.User.Password()
		if password || strings.HasPrefix(u.Scheme, "http") {
			return true
		}
	}
	return secretParameters(u.RawQuery) || secretParameters(u.Fragment) || secretPath(u.Path)
}

// lenient takes a link apart that is not well formed.
func lenient(link string) *url.URL {
	link, fragment, _ := strings.Cut(link, "#")
	path, query, _ := strings.Cut(link, "?")
	u := &url.URL{Path: path, RawQuery: query, Fragment: fragment}
	if _, rest, ok := strings.Cut(path, "://"); ok {
		host, _, _ := strings.Cut(rest, "/")
		if user, _, ok := strings.Cut(host, "@"); ok && strings.Contains(user, ":") {
			u.User = url.UserPassword(user, "")
		}
	}
	return u
}

// secretParameters reports whether one of the parameters of a query, or of a
// fragment written like one, is a secret by its name and looks like one.
func secretParameters(query string) bool {
	_, inner, _ := strings.Cut(query, "?") // #/login?token=…
	for pair := range strings.FieldsFuncSeq(query+"&"+inner, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, _ := strings.Cut(pair, "=")
		if len(value) >= minLinkSecret && mixed(value) && secretName(strings.ToLower(name)) {
			return true
		}
	}
	return false
}

func secretName(name string) bool {
	switch name {
	case "code", "key", "auth", "sig", "signature", "pass", "passwd", "password", "pwd", "pw", "pin", "otp", "sid", "session", "sessionid",
		"ticket", "magic", "jwt", "tgwebappdata", "confirmation", "invite", "apikey", "api_key", "api-key", "authkey", "code_verifier":
		return true
	}
	return strings.HasSuffix(name, "token") || strings.HasSuffix(name, "secret") ||
		strings.HasSuffix(name, "signature") || strings.HasSuffix(name, "_key") || strings.HasSuffix(name, "credential")
}

// secretPath reports whether a path leads to logging in and then holds a long
// part that nobody would choose as a name.
func secretPath(path string) bool {
	logsIn := false
	for part := range strings.SplitSeq(path, "/") {
		if logsIn && len(part) >= minPathSecret && digitsIn(part) >= 2 && !slug(part) {
			return true
		}
		for name := range strings.FieldsSeq(Form(part)) {
			logsIn = logsIn || loginName(name)
		}
	}
	return false
}

func loginName(name string) bool {
	switch name {
	case "magic", "magiclink", "login", "signin", "sign", "verify", "verification", "confirm", "reset", "activate", "auth", "token", "invite", "password", "session", "sso":
		return true
	}
	return false
}

// slug reports whether part of a path is a title with dashes.
func slug(part string) bool {
	words := 0
	for w := range strings.SplitSeq(part, "-") {
		if len(w) > 2 && digitsIn(w) == 0 {
			words++
		}
	}
	return words > 1
}

func digitsIn(s string) int {
	n := 0
	for i := range len(s) {
		if asciiDigit(s[i]) {
			n++
		}
	}
	return n
}
