package browse

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"nacre"
)

var where = &url.URL{Scheme: "https", Host: "site.test", Path: "/a/page"}

// An article becomes its title and Markdown: links whole, headings, lists,
// tables and code kept; navigation, scripts and invisible text gone.
func TestReadable(t *testing.T) {
	body, err := os.ReadFile("testdata/article.html")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/article.md")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPage(where, "text/html; charset=utf-8", body)
	if err != nil {
		t.Fatal(err)
	}
	if p.Title != "How pearls grow" {
		t.Errorf("title %q", p.Title)
	}
	if got := p.Text + "\n"; got != string(want) {
		t.Errorf("got\n%s", got)
	}
}

// A page that is no article is shown whole.
func TestReadableList(t *testing.T) {
	p, err := newPage(where, "text/html", []byte(`<title>News</title><body><ul><li><a href="/1">One</a><li><a href="2">Two</a></ul><form><button>Go</button></form>`))
	if err != nil {
		t.Fatal(err)
	}
	if want := "- [One](https://site.test/1)\n- [Two](https://site.test/a/2)\n\nGo"; p.Text != want || p.Title != "News" || p.Cut {
		t.Errorf("got %+v", p)
	}
}

func TestKinds(t *testing.T) {
	tests := []struct {
		name, kind, body, want string
	}{
		{"plain", "text/plain", "a <b>b</b>", "a <b>b</b>"},
		{"latin 1 by the header", "text/plain; charset=iso-8859-1", "caf\xe9", "café"},
		{"shift-jis by the header", "text/plain; charset=Shift_JIS", "\x93\xfa\x96\x7b", "日本"},
		{"utf-8 that nobody declares", "text/plain", strings.Repeat("a", 3000) + "é", strings.Repeat("a", 3000) + "é"},
		{"latin 1 that nobody declares", "text/plain", "caf\xe9", "café"},
		{"charset by meta", "text/html", "<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"},
		{"a charset of seven bits by meta", "text/html", "<meta charset=iso-2022-jp><p>\x1b$BF|K\\\x1b(B", "日本"},
		{"utf-8 that claims to be latin 1", "text/html", "<meta charset=iso-8859-1><p>café", "café"},
		{"latin 1 by meta", "text/html", "<meta charset=iso-8859-1><p>caf\xe9", "café"},
		{"utf-16 by its mark", "text/plain", "\xff\xfeh\x00i\x00", "hi"},
		{"wrong utf-8", "text/plain; charset=utf-8", "a\xffb", "a\ufffdb"},
		{"json", "application/json", `{"a":1}`, `{"a":1}`},
		{"json of a kind", "application/ld+json", `{}`, `{}`},
		{"xml", "application/xml", "<a>1</a>", "<a>1</a>"},
		{"feed", "application/atom+xml;charset=utf-8", "<feed/>", "<feed/>"},
		{"xhtml", "application/xhtml+xml", "<p>x</p>", "x"},
		{"upper case", "TEXT/HTML", "<p>x</p>", "x"},
		{"a broken type", "text/html; charset", "<p>x</p>", "x"},
		{"guessed html", "", "<html><p>x", "x"},
		{"guessed text", "", "words", "words"},
		{"invisible", "text/plain", "a\x00\x1b[1mb\u202ec\u200bd\U000e0041e\u200df", "a[1mbcde\u200df"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if p, err := newPage(where, tt.kind, []byte(tt.body)); err != nil || p.Text != tt.want {
				t.Errorf("got %q, %v; want %q", p.Text, err, tt.want)
			}
		})
	}
	for kind, body := range map[string]string{"application/pdf": "%PDF-1.7", "": "%PDF-1.7", "image/png": "x", "application/octet-stream": "x", "application/zip": "PK"} {
		if p, err := newPage(where, kind, []byte(body)); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("%s: %+v, %v", kind, p, err)
		}
	}
	for _, body := range []string{"", "<title>x</title>", "<script>document.write('x')</script>"} {
		if p, err := newPage(where, "text/html", []byte(body)); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("%q: %+v, %v", body, p, err)
		}
	}
}

// The parts of a long page fit the model's limit and make up the whole.
func TestView(t *testing.T) {
	p := Page{URL: "https://site.test/" + strings.Repeat("ü", 1000), Title: `a "title"`, Text: strings.Repeat("wörter ", 10_000)}
	var got strings.Builder
	views := 0
	for start := 0; ; views++ {
		view, err := p.View(start)
		if err != nil {
			t.Fatal(err)
		}
		if n := utf8.RuneCountInString(view); n > maxView {
			t.Fatalf("a view of %d characters", n)
		}
		head, rest, _ := strings.Cut(view, "\n\n")
		if !strings.HasPrefix(head, `"a \"title\"", https://site.test/`) || !strings.Contains(head, "never instructions") {
			t.Fatalf("head %q", head)
		}
		part, foot, _ := strings.Cut(rest, "\n\n")
		got.WriteString(part)
		if _, err := fmt.Sscanf(foot, "[characters %d", new(int)); err != nil {
			t.Fatalf("foot %q", foot)
		}
		_, next, more := strings.Cut(foot, "start=")
		if !more {
			break
		}
		if _, err := fmt.Sscan(strings.TrimSuffix(next, "]"), &start); err != nil {
			t.Fatal(err)
		}
	}
	if got.String() != p.Text || views != 4 {
		t.Errorf("%d views make up %d of %d bytes", views+1, got.Len(), len(p.Text))
	}
	for _, start := range []int{-1, 70_000, 1 << 40} {
		if _, err := p.View(start); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("start %d: %v", start, err)
		}
	}
	if v, err := (Page{URL: "u", Title: "t", Text: "x"}).View(0); err != nil || strings.Contains(v, "[characters") || !strings.HasSuffix(v, "\n\nx") {
		t.Errorf("a short page: %q, %v", v, err)
	}
	if v, err := (Page{URL: "u", Title: "t", Text: "x", Cut: true}).View(0); err != nil || !strings.Contains(v, "the page is longer") {
		t.Errorf("a cut page: %q, %v", v, err)
	}
}

// A page that is too long is cut, and says so.
func TestLongPage(t *testing.T) {
	p, err := newPage(where, "text/html", bytes.Repeat([]byte("<p>Some words, and some more of them, in a row.</p>"), 60_000))
	if err != nil || !p.Cut || len(p.Text) < maxClean/2 || len(p.Text) > 2*maxClean {
		t.Errorf("cut %v, %d bytes, %v", p.Cut, len(p.Text), err)
	}
}

// hostile pages drive parsers, article finders and renderers into quadratic or
// exponential work, or grow to many times their size.
func hostile() map[string]string {
	full := func(head, part string) string { return head + strings.Repeat(part, (300<<10-len(head))/len(part)) }
	var fonts, spans strings.Builder
	for i := range 200 {
		fmt.Fprintf(&fonts, "<font class=c%d>", i)
		fmt.Fprintf(&spans, "<b id=i%d><code class=c%d>", i, i)
	}
	words := "<p>some, words, some, words</p>"
	return map[string]string{
		"formatting reopened by paragraphs": full("<p>"+fonts.String(), "<p>x"),
		"formatting of many kinds":          full("<p>"+spans.String(), "<p>x"),
		"nested divs":                       full(strings.Repeat("<div>", 400), words),
		"nested divs below the cap":         full(strings.Repeat("<div>", 55), words),
		"nested divs with bare text":        full(strings.Repeat("<div>", 55), "some, words. "),
		"divs nested ever deeper":           full("", "<div>x"),
		"nested quotes":                     full(strings.Repeat("<blockquote>", 400), words),
		"nested quotes below the cap":       full(strings.Repeat("<blockquote>", 8), words),
		"nested lists":                      full(strings.Repeat("<ul><li>", 200), words),
		"nested lists below the cap":        full(strings.Repeat("<ul><li>", 8), words),
		"spans of cells":                    full("<table>"+strings.Repeat("<tr><td colspan=1000 rowspan=65534>x</td></tr>", 100)+"</table>", words),
		"a row of cells":                    full("<table><tr>", "<td>x"),
		"one long row and many short":       full("<table><tr>"+strings.Repeat("<td>x", 10_000), "<tr><td>x"),
		"nested tables":                     full("", "<table><tr><td>x"),
		"text before a table":               full("<table>", "x<a href=y>"),
		"unclosed links":                    full("", "<a href=x>y"),
		"headings":                          full("", "<h1>x</h1>"),
		"empty tags":                        full("", "<p>"),
		"attributes":                        full("<p ", "a=1 ") + ">words",
		"a title":                           full("<title>", "a | ") + "</title><h1>a</h1><p>words",
		"meta":                              full("", "<meta name=title content=x>"),
		"less-than signs":                   full("", "< "),
		"entities":                          full("", "&quot;"),
		"an entity without end":             full("&", "a"),
		"stars":                             full("<p>", "*a_ "),
		"backticks":                         full("<pre><code>", "`a\n"),
		"line ends":                         full("<pre>", "\n\n"),
		"spaces":                            full("<p>", "a                       "),
		"breaks":                            full("", "x<br><br>"),
		"comments":                          full("", "<!-- x -->"),
		"an open comment":                   full("<!--", "x--"),
		"scripts":                           full("", "<script>x</script>"),
		"nested drawings":                   full("", "<svg><g>x"),
		"drawings left by blocks":           full("", "<svg><p>"),
		"raised without end":                full("", "<sup>x"),
		"raised links":                      full("<sup>", "<a href=x>"),
		"deleted without end":               full("", "<del>"),
		"dropped elements":                  full("", "<center>"),
		"links with long queries":           full("", "<a href='http://a/?"+strings.Repeat("a&", 500)+"'>x</a>"),
		"hidden by style":                   full("", "<p style='display : none'>x"),
	}
}

// The work on a page is bounded by the size of the tree and of the text that are
// made of it, which are the same on every machine, unlike time.
func TestHostilePages(t *testing.T) {
	for name, page := range hostile() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clean, _ := sift([]byte(page))
			if n, depth := size(grow(clean)); n > len(page) || depth > maxDepth+3 {
				t.Errorf("%d bytes make a tree of %d nodes, %d deep", len(page), n, depth)
			}
			if _, text, _ := readable([]byte(page), where); len(text) > 4*len(page) {
				t.Errorf("%d bytes make %d bytes of text", len(page), len(text))
			}
		})
	}
}

// size counts the nodes of a tree and those inside each other.
func size(tree *html.Node) (nodes, depth int) {
	if tree == nil {
		return 0, 0
	}
	for c := range tree.ChildNodes() {
		n, d := size(c)
		nodes, depth = nodes+n, max(depth, d)
	}
	return nodes + 1, depth + 1
}

func FuzzPage(f *testing.F) {
	for _, page := range hostile() {
		f.Add("text/html", []byte(page[:2000]))
	}
	f.Add("text/html; charset=utf-16", []byte("\xff\xfe<\x00p\x00>\x00"))
	f.Add("text/plain; charset=gbk", []byte("\x81\x30"))
	f.Add("application/json", []byte(`{"a":"\u202e"}`))
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		if len(body) > 64<<10 {
			return
		}
		start := time.Now()
		p, err := newPage(where, kind, body)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
		if err != nil {
			if nacre.KindOf(err) == nacre.Internal {
				t.Errorf("no sentence: %v", err)
			}
			return
		}
		if !utf8.ValidString(p.Text) || len(p.Text) > 40*len(body)+4096 || strings.ContainsAny(p.Text, "\x00\x1b\u202e") || strings.Contains(p.Title, "\n") {
			t.Errorf("%d bytes make %d bytes, title %q", len(body), len(p.Text), p.Title)
		}
		view, err := p.View(0)
		if err != nil || utf8.RuneCountInString(view) > maxView {
			t.Errorf("view of %d characters, %v", utf8.RuneCountInString(view), err)
		}
	})
}

func BenchmarkReadable(b *testing.B) {
	body, err := os.ReadFile("testdata/article.html")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		readable(body, where)
	}
}
