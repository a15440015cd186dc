package markup

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// openTag and closeTag are the tags that this package writes, in the only
// spelling that it uses.
var (
	openTag = regexp.MustCompile(`^<(b|i|s|tg-spoiler|code|pre|blockquote)>|` +
		`^<(a) href="(?i:https?|tg|tel):[^"<> \n]+">|^<(code) class="language-[^"<> ]+">`)
	closeTag = regexp.MustCompile(`^</([a-z-]+)>`)
	htmlName = regexp.MustCompile(`^&(amp|lt|gt|quot);`)
)

// strictHTML reads HTML by the rules of Telegram's documentation, all of which
// the server does not enforce: tags that it knows, closed in order, nothing
// within code, no quotation or link within another, and no bare &, < or >. It
// returns what is seen and how many entities that has.
func strictHTML(html string) (seen string, entities int, err error) {
	var out strings.Builder
	var open []string
	for rest := html; rest != ""; {
		n := 1
		switch rest[0] {
		case '<':
			if n, err = strictTag(rest, &open); err != nil {
				return "", 0, err
			}
			if rest[1] != '/' && !strings.HasPrefix(rest, "<code class") {
				entities++
			}
		case '&':
			name := htmlName.FindString(rest)
			if name == "" {
				return "", 0, fmt.Errorf("bare & before %.20q", rest)
			}
			n = len(name)
			out.WriteString(map[string]string{"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": `"`}[name])
		case '>':
			return "", 0, fmt.Errorf("bare > before %.20q", rest)
		default:
			out.WriteByte(rest[0])
		}
		rest = rest[n:]
	}
	if len(open) > 0 {
		return "", 0, fmt.Errorf("%v stay open", open)
	}
	return out.String(), entities, nil
}

func strictTag(rest string, open *[]string) (n int, err error) {
	if m := closeTag.FindStringSubmatch(rest); m != nil {
		last := len(*open) - 1
		if last < 0 || (*open)[last] != m[1] {
			return 0, fmt.Errorf("</%s> does not close %v", m[1], *open)
		}
		*open = (*open)[:last]
		return len(m[0]), nil
	}
	m := openTag.FindStringSubmatch(rest)
	if m == nil {
		return 0, fmt.Errorf("no tag in %.40q", rest)
	}
	name := m[1] + m[2] + m[3]
	inPre := len(*open) > 0 && (*open)[len(*open)-1] == "pre"
	switch {
	case m[3] != "" && !inPre:
		return 0, fmt.Errorf("a language outside of <pre>")
	case m[3] == "" && (slices.Contains(*open, "pre") || slices.Contains(*open, "code")):
		return 0, fmt.Errorf("<%s> within code", name)
	case (name == "a" || name == "blockquote" || name == "pre") && slices.Contains(*open, name):
		return 0, fmt.Errorf("<%s> within <%s>", name, name)
	case (name == "pre" || name == "code" && m[3] == "") && slices.ContainsFunc(*open, func(o string) bool { return o != "blockquote" }):
		return 0, fmt.Errorf("<%s> within %v", name, *open)
	}
	*open = append(*open, name)
	return len(m[0]), nil
}

func TestStrictHTML(t *testing.T) {
	for _, good := range []struct {
		html, seen string
		entities   int
	}{
		{"a &lt; b &amp;&amp; c", "a < b && c", 0},
		{`<blockquote><b>x<i>y</i></b> <a href="https://example.org/?a=1&amp;b=2">z</a></blockquote>`, "xy z", 4},
		{`<pre><code class="language-c++">x</code></pre>`, "x", 1},
	} {
		seen, entities, err := strictHTML(good.html)
		if err != nil || seen != good.seen || entities != good.entities {
			t.Errorf("%s is read as %q, %d, %v", good.html, seen, entities, err)
		}
	}
	for _, bad := range []string{
		"a < b", "a & b", "a > b", "a &nbsp; b", "<b>x", "x</b>", "<b><i>x</b></i>", "<u>x</u>", "<br>",
		"<code><b>x</b></code>", "<b><code>x</code></b>", "<pre><b>x</b></pre>", "<code>x<code>y</code></code>",
		"<blockquote><blockquote>x</blockquote></blockquote>", `<code class="language-go">x</code>`,
		`<a href="https://a.org"><a href="https://b.org">x</a></a>`, `<a href="javascript:x">y</a>`, `<a href="https://a"b">x</a>`,
	} {
		if seen, _, err := strictHTML(bad); err == nil {
			t.Errorf("%s is taken for %q", bad, seen)
		}
	}
}
