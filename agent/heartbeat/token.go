package heartbeat

import (
	"regexp"
	"strings"
	"unicode"
)

// token is a word by which models say that they have nothing to say. It is a habit
// from elsewhere, which nobody asks of them here, and no person is to see it. Marks
// of emphasis and quotation marks are part of it.
var token = regexp.MustCompile("(?i)[*_~`\"'“”„«»\\[(<]*(HEARTBEAT[_-]OK(AY)?|NO_REPLY)[*_~`\"'“”«»\\])>]*[.!]?")

// mute are whole answers which say nothing in other words.
var mute = regexp.MustCompile(`(?i)^\W*(nothing|none|silent|all clear|nothing to (tell|report|say))\W*$`)

// withoutTokens takes them out of a text, whole lines of them with the line; empty
// if nothing else is said.
func withoutTokens(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		if !token.MatchString(bare) {
			kept = append(kept, bare)
			continue
		}
		for token.MatchString(bare) { // what is left may join to another
			bare = strings.TrimSpace(spaces.ReplaceAllString(token.ReplaceAllString(bare, ""), " "))
		}
		if worded(bare) {
			kept = append(kept, bare)
		}
	}
	text = strings.TrimSpace(strings.Join(kept, "\n"))
	if !worded(text) || mute.MatchString(text) {
		return ""
	}
	return text
}

// spaces are what a token leaves behind in the middle of a line.
var spaces = regexp.MustCompile(`[ \t]{2,}`)

// around reports whether a text has words before a token and behind it: it talks to
// the person and only mentions it. One that begins or ends with it means it, however
// much it says besides.
func around(text string) bool {
	at := token.FindAllStringIndex(text, -1)
	return at != nil && worded(text[:at[0][0]]) && worded(text[at[len(at)-1][1]:])
}

// worded reports whether a text says anything.
func worded(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.So, r) })
}
