package prompt

import (
	"regexp"
	"strconv"
	"strings"
)

// labelled is one line with words that are not the author's.
func labelled(label, text string) string { return "[" + label + ": " + strconv.Quote(text) + "]" }

// foreign begins a line with somebody else's words, as labelled writes it.
var foreign = regexp.MustCompile(`^\[[a-z]+: "`)

// Pieces cuts the text of a message where whose words they are may change: each
// line with somebody else's words is a piece of its own, what stands between
// them another. Joined by newlines they are the text.
func Pieces(text string) []string {
	var pieces []string
	apart := true
	for line := range strings.SplitSeq(text, "\n") {
		others := foreign.MatchString(line)
		if apart || others {
			pieces = append(pieces, line)
		} else {
			pieces[len(pieces)-1] += "\n" + line
		}
		apart = others
	}
	return pieces
}

// Rewrite changes the words in the text of a message, piece by piece. A line
// with somebody else's words keeps its label, whatever change makes of them.
func Rewrite(text string, change func(string) string) string {
	pieces := Pieces(text)
	for i, p := range pieces {
		pieces[i] = rewrite(p, change)
	}
	return strings.Join(pieces, "\n")
}

func rewrite(piece string, change func(string) string) string {
	label := foreign.FindString(piece)
	if label == "" {
		return change(piece)
	}
	quoted := strings.TrimSuffix(strings.TrimPrefix(piece, label), `"]`)
	words, err := strconv.Unquote(`"` + quoted + `"`)
	if err != nil {
		words = quoted // a cut left half an escape
	}
	changed := change(words)
	if changed == words {
		return piece
	}
	return strings.TrimSuffix(label, `"`) + strconv.Quote(changed) + "]"
}
