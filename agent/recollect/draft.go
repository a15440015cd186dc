package recollect

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// keeps reports whether a correction may take the place of a draft: it has the
// draft's blocks of code and links, and no others, and is not another answer
// altogether. A link that is not the draft's could lead anywhere.
func keeps(draft, corrected string) bool {
	return utf8.RuneCountInString(corrected) <= 2*utf8.RuneCountInString(draft)+500 &&
		slices.Equal(blocks(draft), blocks(corrected)) &&
		slices.Equal(inline.FindAllString(draft, -1), inline.FindAllString(corrected, -1)) &&
		slices.Equal(links(draft), links(corrected))
}

// inline is code within a line.
var inline = regexp.MustCompile("`[^`\n]+`")

// fenced is a block of code with its fences; one that is not closed reaches to the
// end: https://spec.commonmark.org/0.31.2/#fenced-code-blocks.
var fenced = regexp.MustCompile("(?ms)^ {0,3}(?:```.*?(?:^ {0,3}```+[ \t]*$|\\z)|~~~.*?(?:^ {0,3}~~~+[ \t]*$|\\z))")

func blocks(markdown string) []string {
	all := fenced.FindAllString(markdown, -1)
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// address is what apps make a link of, wherever it leads: the target of a Markdown
// link, anything with a scheme, a domain in any script, an IP address, a user's name.
var address = regexp.MustCompile(`(?i)\]\([^)\s]*|\b[a-z][a-z0-9+.-]*:[^\s<>()\[\]"'` + "`" + `]+|(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+(?:/[^\s<>()\[\]"'` + "`" + `]*)?|\d+(?:\.\d+){3}(?:[:/][^\s<>()]*)?|@\w+`)

// links are the addresses of a text, in order.
func links(markdown string) []string {
	all := address.FindAllString(markdown, -1)
	for i := range all {
		all[i] = strings.TrimRight(all[i], ".,;:!?*_~|")
	}
	return all
}

// Marks that formatting leaves none of, by what stays in their place.
var marks = []struct {
	of   *regexp.Regexp
	stay string
}{
	{regexp.MustCompile(`!?\[([^\]\n]*)\]\([^)\s]*\)`), "$1"},                                       // links and images
	{regexp.MustCompile(`(?m)^ {0,3}(?:#{1,6} |> ?)`), ""},                                          // headings and quotations
	{regexp.MustCompile(`\*\*|__|~~|\|\|`), ""},                                                     // bold, struck out, hidden
	{regexp.MustCompile("`([^`\n]+)`"), "$1"},                                                       // code within a line
	{regexp.MustCompile(`(^|[\s(])[*_]([^\s*_](?:[^*_\n]*[^\s*_])?)[*_]($|[\s).,;:!?])`), "$1$2$3"}, // emphasis
}

// plain is a Markdown text as people read it, without its blocks of code, in which
// nothing is claimed about anybody.
func plain(markdown string) string {
	text := fenced.ReplaceAllString(markdown, "(code)")
	for _, m := range marks {
		text = m.of.ReplaceAllString(text, m.stay)
	}
	return strings.TrimSpace(text)
}
