package markup

import (
	"net/url"
	"strings"
)

// The limits of a message. Telegram counts text after its tags were taken out,
// so that Plain, which shows no less, is what the first is held to. It ignores
// entities beyond the hundredth. The last limit is ours, for the request.
// See https://core.telegram.org/bots/api#sendmessage and
// https://core.telegram.org/api/entities.
const (
	telegramUnits    = 4096
	telegramEntities = 100
	telegramBytes    = 32 << 10
)

func telegram() platform {
	return platform{
		text: form{
			tags: htmlTags, escape: htmlEscaper.Replace, unit: UTF16,
			most: size{units: telegramBytes, bytes: telegramBytes, tags: telegramEntities},
		},
		plain: plainForm(telegramUnits, UTF16),
	}
}

// htmlEscaper writes the entities that Telegram knows.
var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// htmlMarks are the tags of marks, in the order of nesting.
// See https://core.telegram.org/bots/api#html-style.
var htmlMarks = [...]struct {
	mark mark
	tag  tag
}{
	{spoiler, tag{"<tg-spoiler>", "</tg-spoiler>"}},
	{bold, tag{"<b>", "</b>"}},
	{italic, tag{"<i>", "</i>"}},
	{strike, tag{"<s>", "</s>"}},
	{code, tag{"<code>", "</code>"}},
}

func htmlTags(tags []tag, s style) []tag {
	if s.has(quote) {
		tags = append(tags, tag{"<blockquote>", "</blockquote>"})
	}
	switch {
	case s.has(pre) && s.lang != "":
		tags = append(tags, tag{`<pre><code class="language-` + htmlEscaper.Replace(s.lang) + `">`, "</code></pre>"})
	case s.has(pre):
		tags = append(tags, tag{"<pre>", "</pre>"})
	case linkable(s.href):
		tags = append(tags, tag{`<a href="` + htmlEscaper.Replace(s.href) + `">`, "</a>"})
	case s.href != "":
		tags = append(tags, tag{"", htmlEscaper.Replace(" (" + s.href + ")")})
	}
	for _, m := range htmlMarks {
		if s.has(m.mark) {
			tags = append(tags, m.tag)
		}
	}
	return tags
}

// linkable reports whether Telegram makes a link of an address. Where it does
// not, it says nothing and drops the address, so doubtful ones are left out.
func linkable(href string) bool {
	u, err := url.Parse(href)
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return strings.Contains(strings.Trim(u.Hostname(), "."), ".")
	case "tg":
		return u.Host != ""
	case "tel":
		return u.Opaque != ""
	}
	return false
}
