package markup

import (
	"math"
	"strings"
)

// plainForm writes rich text to be read without markup: quotations have signs
// before their lines, and an address stands behind its label.
func plainForm(limit int, unit Unit) form {
	return form{
		tags: plainTags, escape: unescaped, quote: "> ", unit: unit,
		most: size{units: limit, bytes: math.MaxInt, tags: math.MaxInt},
	}
}

func plainTags(tags []tag, s style) []tag {
	if s.href != "" {
		tags = append(tags, tag{"", " (" + shown(s.href) + ")"})
	}
	return tags
}

// shown is an address as people read it.
func shown(href string) string { return strings.TrimPrefix(href, "tel:") }
