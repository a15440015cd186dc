package web

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"nacre/web/webtest"
)

func TestBrowserShowsMarkdown(t *testing.T) {
	b := newBrowser(t)
	b.logIn()
	const link = `<a href="https://x.example/" title="https://x.example/" rel="noopener noreferrer" target="_blank">`
	const bare = `<a href="https://x.example/a" rel="noopener noreferrer" target="_blank">https://x.example/a</a>`
	for _, c := range []struct{ name, in, want string }{
		{"paragraphs", "a\nb\n\nc", "<p>a<br>b</p><p>c</p>"},
		{"emphasis", "**a** *b* __c__ _d_ ~~e~~", "<p><strong>a</strong> <em>b</em> <strong>c</strong> <em>d</em> <s>e</s></p>"},
		{"nested emphasis", "**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"},
		{"unclosed", "**a *b", "<p>**a *b</p>"},
		{"crossing", "*a **b* c**", "<p><em>a **b</em> c**</p>"},
		{"no emphasis", "2 * 3 * 4, snake_case_name, \\*x\\*", "<p>2 * 3 * 4, snake_case_name, *x*</p>"},
		{"code", "`a*b*` ``x`y`` `open", "<p><code>a*b*</code> <code>x`y</code> `open</p>"},
		{"fence", "```go\n<b>\n\n*a*\n```\nb", `<pre tabindex="0" role="region" aria-label="Code: go"><code>&lt;b&gt;` + "\n\n*a*</code></pre><p>b</p>"},
		{"open fence", "~~~\na", `<pre tabindex="0" role="region" aria-label="Code"><code>a</code></pre>`},
		{"headings", "# a\n###### b #", "<h3>a</h3><h6>b</h6>"},
		{"quote", "> a\n>> b\n\nc", "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote><p>c</p>"},
		{"lists", "- a\n  - b\n- c\n\n3. d\n4. e", "<ul><li><p>a</p><ul><li><p>b</p></li></ul></li><li><p>c</p></li></ul><ol start=\"3\"><li><p>d</p></li><li><p>e</p></li></ol>"},
		{"loose list", "- a\n\n- b\n\n  c", "<ul><li><p>a</p></li><li><p>b</p><p>c</p></li></ul>"},
		{"rule", "a\n\n---", "<p>a</p><hr>"},
		{"link", "[**a**](https://x.example)", "<p>" + link + "<strong>a</strong></a></p>"},
		{"picture", "![a](https://x.example)", "<p>" + link + "a</a></p>"},
		{"bare link", "see https://x.example/a.", "<p>see " + bare + ".</p>"},
		{"bare link in brackets", "(<https://x.example/a>)", "<p>(" + bare + ")</p>"},
		{"script link", "[a](javascript:alert(1)) [b](data:text/html,x) [c](/logout)", "<p>[a](javascript:alert(1)) [b](data:text/html,x) [c](/logout)</p>"},
		{"HTML", `<img src=x onerror=alert(1)><script>1</script>`, "<p>&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;1&lt;/script&gt;</p>"},
		{"table", "|a|b|\n|-|-:|\n|`c`|d\\|e|", `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead><tr><th>a</th><th class="right">b</th></tr></thead><tbody><tr><td><code>c</code></td><td class="right">d|e</td></tr></tbody></table></div>`},
		{"no table", "a | b\nc", "<p>a | b<br>c</p>"},
		{"task", "- [x] a", `<ul><li class="task"><input type="checkbox" disabled="" aria-label="done"><p>a</p></li></ul>`},
	} {
		if got := webtest.Eval[string](b.Browser, markdown(c.in)+`.then((d) => d.innerHTML)`); got != c.want {
			t.Errorf("%s: %q became\n%s, want\n%s", c.name, c.in, got, c.want)
		}
	}
}

// markdown is a script which gives a promise of an element with a text in it.
func markdown(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // strings can be marshalled
	}
	return `import("/markdown.js").then((m) => { const d = document.createElement("div"); d.append(m.render(` + string(quoted) + `)); return d; })`
}

// Whatever a text is, it makes only the elements that are known, only safe
// addresses, and ends soon.
func TestBrowserTrustsNoMarkdown(t *testing.T) {
	b := newBrowser(t)
	b.logIn()
	const check = `.then((d) => { const ok = new Set("p br strong em s code pre h3 h4 h5 h6 blockquote ul ol li hr a div table thead tbody tr th td input".split(" "));
		for (const e of d.querySelectorAll("*")) {
			if (!ok.has(e.localName)) return e.outerHTML;
			if (e.localName === "a" && !/^(https?|mailto):/.test(e.href)) return e.outerHTML;
			for (const a of e.attributes) if (/^on|style|src/.test(a.name)) return e.outerHTML;
		}
		return ""; })`
	pieces := []string{"<script>", "</p>", "[a](", "javascript:x", ")", "![", "](data:text/html,1)", "**", "*", "_", "~~", "`", "```", "\n", "\n\n", "> ", "- ", "1. ", "    ", "|", "|-|\n",
		"https://x.example", "<https://", "\\", "\x00", "\u202e", "é", "a", " ", "# ", "<img src=x onerror=y>", "[x](java\tscript:y)", "[x](//evil.example)"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var text strings.Builder
		for range random.IntN(60) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		if bad := webtest.Eval[string](b.Browser, markdown(text.String())+check); bad != "" {
			t.Fatalf("%q made %s", text.String(), bad)
		}
	}
	if webtest.Eval[string](b.Browser, `Promise.resolve(document.createElement("div")).then((d) => { d.innerHTML = "<img>"; return d; })`+check) == "" {
		t.Error("the check finds nothing where there is something")
	}
	for _, piece := range append(pieces, "*a ", "**a *b ", "[a](b", "`a``", "- a\n  ", "> > ", "|a|b|\n|-|-|\n", "((((") {
		long := markdown(strings.Repeat(piece, 20_000/len(piece)))
		took := webtest.Eval[float64](b.Browser, `(async () => { await import("/markdown.js"); const t = performance.now(); await `+long+`; return performance.now() - t; })()`)
		if took > 1000 {
			t.Errorf("20,000 bytes of %q took %.0f ms", piece, took)
		}
	}
}
