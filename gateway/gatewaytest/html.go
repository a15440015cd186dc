package gatewaytest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// htmlTags are the tags that Telegram knows.
// See https://core.telegram.org/bots/api#html-style.
var htmlTags = []string{
	"b", "strong", "i", "em", "u", "ins", "s", "strike", "del", "span", "tg-spoiler",
	"a", "tg-emoji", "tg-time", "code", "pre", "blockquote",
}

// htmlEntities are the named entities that Telegram knows.
var htmlEntities = map[string]rune{"lt": '<', "gt": '>', "amp": '&', "quot": '"'}

// parseHTML returns the visible text of s, or why it is refused. Like the
// documentation, and stricter than the server, it refuses a bare & or >: a
// renderer that forgets to escape one is wrong even where nobody notices.
func parseHTML(s string) (visible, refused string) {
	var out strings.Builder
	var open []string
	for i := 0; i < len(s); {
		n := 1
		switch s[i] {
		case '<':
			n, refused = htmlTag(s, i, &open)
		case '&':
			var r rune
			r, n = htmlEntity(s[i:])
			if n == 0 {
				return "", fmt.Sprintf("unescaped & at byte offset %d", i)
			}
			out.WriteRune(r)
		case '>':
			return "", fmt.Sprintf("unescaped > at byte offset %d", i)
		default:
			out.WriteByte(s[i])
		}
		if refused != "" {
			return "", refused
		}
		i += n
	}
	if len(open) > 0 {
		return "", fmt.Sprintf("Can't find end tag corresponding to start tag %q", open[len(open)-1])
	}
	return out.String(), ""
}

// htmlTag reads the tag at s[at:], keeps account of those that are open, and
// returns its length.
func htmlTag(s string, at int, open *[]string) (n int, refused string) {
	end := strings.IndexByte(s[at:], '>')
	if end < 0 {
		return 0, fmt.Sprintf("Unclosed start tag at byte offset %d", at)
	}
	name, _, _ := strings.Cut(s[at+1:at+end], " ")
	name = strings.ToLower(name)
	if closed, ok := strings.CutPrefix(name, "/"); ok {
		last := len(*open) - 1
		if last < 0 {
			return 0, fmt.Sprintf("Unexpected end tag at byte offset %d", at)
		}
		if closed != (*open)[last] {
			return 0, fmt.Sprintf("Unmatched end tag at byte offset %d, expected \"</%s>\", found \"</%s>\"", at, (*open)[last], closed)
		}
		*open = (*open)[:last]
		return end + 1, ""
	}
	if !slices.Contains(htmlTags, name) {
		return 0, fmt.Sprintf("Unsupported start tag %q at byte offset %d", name, at)
	}
	*open = append(*open, name)
	return end + 1, ""
}

// htmlEntity decodes the entity that s begins with; n is 0 if it begins with
// none.
func htmlEntity(s string) (r rune, n int) {
	end := strings.IndexByte(s, ';')
	if end < 0 {
		return 0, 0
	}
	name := s[1:end]
	if r, ok := htmlEntities[name]; ok {
		return r, end + 1
	}
	var code rune
	for _, format := range []string{"#x%x", "#X%x", "#%d"} {
		if n, err := fmt.Sscanf(name, format, &code); n == 1 && err == nil && code > 0 && utf8.ValidRune(code) {
			return code, end + 1
		}
	}
	return 0, 0
}
