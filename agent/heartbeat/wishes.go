package heartbeat

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWishes bounds the characters of HEARTBEAT.md that are read.
const maxWishes = 8000

var (
	comment = regexp.MustCompile(`(?s)<!--.*?(-->|$)`)                   // one that does not end goes to the end
	form    = regexp.MustCompile("^(#{1,6}(\\s.*)?|(```|~~~).*)$")       // a heading, a fence
	item    = regexp.MustCompile(`^(([-*+]|\d+[.)])(\s+|$))?(\[ ?\])?`)  // how an item of a list begins
	done    = regexp.MustCompile(`^(([-*+]|\d+[.)])\s+)?\[[xX]\](\s|$)`) // a checked box
)

// wishes are what an owner wants looked after: HEARTBEAT.md without its comments and
// without what is checked off, empty if nothing is left but its form.
func wishes(text string) string {
	if utf8.RuneCountInString(text) > maxWishes {
		text = string([]rune(text)[:maxWishes])
	}
	var kept []string
	something, under := false, -1 // under is the indent of the checked box whose text goes on; -1 for none
	for line := range strings.Lines(comment.ReplaceAllString(text, "")) {
		line = strings.TrimRight(line, " \t\r\n")
		words := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case words == "":
		case under >= 0 && indent > under:
			continue
		case done.MatchString(words):
			under = indent
			continue
		default:
			under = -1
			something = something || !form.MatchString(words) && worded(item.ReplaceAllString(words, ""))
		}
		kept = append(kept, line)
	}
	if !something {
		return ""
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// worded reports whether an item says anything; a sign such as ☂ does.
func worded(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.So, r) })
}
