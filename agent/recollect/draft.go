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
		slices.Equal(links(draft), links(corrected))
}

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

// address is what apps make a link of: an address with its scheme, or a bare domain.
var address = regexp.MustCompile("(?i)\\b(?:(?:https?|ftp|tg|mailto|tel|sms|whatsapp):[^\\s<>()\\[\\]\"'`]+|(?:[a-z0-9-]+\\.)+[a-z]{2,}\\b(?:/[^\\s<>()\\[\\]\"'`]*)?)")

// links are the different addresses of a text, sorted.
func links(markdown string) []string {
	all := address.FindAllString(markdown, -1)
	for i := range all {
		all[i] = strings.TrimRight(all[i], ".,;:!?*_~|")
	}
	slices.Sort(all)
	return slices.Compact(all)
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
