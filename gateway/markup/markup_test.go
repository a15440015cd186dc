package markup

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

var update = flag.Bool("update", false, "write the golden files anew")

// renderers are the platforms, by name.
var renderers = map[string]func(string) []Part{"telegram": Telegram, "whatsapp": WhatsApp}

func utf16Len(s string) int { return len(utf16.Encode([]rune(s))) }

// TestGolden pins what each platform is sent for the answers in testdata.
func TestGolden(t *testing.T) {
	answers, err := filepath.Glob("testdata/*.md")
	if err != nil || len(answers) == 0 {
		t.Fatalf("no answers in testdata: %v", err)
	}
	for _, file := range answers {
		name := strings.TrimSuffix(file, ".md")
		t.Run(filepath.Base(name), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			check(t, string(source))
			golden(t, name+".telegram.html", texts(Telegram(string(source))))
			golden(t, name+".plain.txt", plains(Telegram(string(source))))
			golden(t, name+".whatsapp.txt", texts(WhatsApp(string(source))))
		})
	}
}

// golden compares parts with a file, where a line of signs stands between
// them.
func golden(t *testing.T, file string, parts []string) {
	t.Helper()
	got := strings.Join(parts, "\n======== next part\n") + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (-update writes it anew):\n%s", file, got)
	}
}

func texts(parts []Part) []string {
	var all []string
	for _, p := range parts {
		all = append(all, p.Text)
	}
	return all
}

func plains(parts []Part) []string {
	var all []string
	for _, p := range parts {
		all = append(all, p.Plain)
	}
	return all
}

// check holds what must be true of any answer whatever: each part is accepted,
// and together they show what the answer shows.
func check(t *testing.T, markdown string) {
	t.Helper()
	checkTelegram(t, markdown)
	checkWhatsApp(t, markdown)
	if visible(clean(markdown)) && len(Telegram(markdown)) == 0 {
		t.Errorf("%q is gone", markdown)
	}
}

func checkTelegram(t *testing.T, markdown string) {
	t.Helper()
	r := flatten(markdown, "• ")
	var shown, plain strings.Builder
	for i, p := range Telegram(markdown) {
		text, entities, err := strictHTML(p.Text)
		if err != nil {
			t.Errorf("part %d of %q is no HTML: %v\n%s", i, markdown, err, p.Text)
		}
		if utf16Len(text) > 4096 || entities > 100 || len(p.Text) > 32<<10 {
			t.Errorf("part %d of %q has %d units, %d entities, %d bytes", i, markdown, utf16Len(text), entities, len(p.Text))
		}
		if n := utf16Len(p.Plain); n > 4096 {
			t.Errorf("part %d of %q has %d plain units", i, markdown, n)
		}
		checkText(t, text)
		checkText(t, p.Plain)
		shown.WriteString(text)
		plain.WriteString(p.Plain)
	}
	checkShown(t, r, shown.String(), false)
	checkShown(t, r, plain.String(), true)
	checkTree(t, markdown, plain.String())
}

func checkWhatsApp(t *testing.T, markdown string) {
	t.Helper()
	r := flatten(markdown, "- ")
	var shown, plain strings.Builder
	for i, p := range WhatsApp(markdown) {
		if n, m := utf8.RuneCountInString(p.Text), utf8.RuneCountInString(p.Plain); n > 4000 || m > 4000 {
			t.Errorf("part %d of %q has %d and %d characters", i, markdown, n, m)
		}
		checkText(t, p.Text)
		checkText(t, p.Plain)
		shown.WriteString(p.Text)
		plain.WriteString(p.Plain)
	}
	if !within(seen(r.text), seen(shown.String())) {
		t.Errorf("%q loses something on WhatsApp:\n%s", markdown, shown.String())
	}
	checkShown(t, r, plain.String(), true)
}

// checkText holds what is true of the text of every message.
func checkText(t *testing.T, text string) {
	t.Helper()
	control := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	if !visible(text) || !utf8.ValidString(text) || strings.ContainsFunc(text, control) {
		t.Errorf("%q is no text for a message", text)
	}
}

// checkShown compares the parts with the rich text that they were cut from:
// nothing is missing, and nothing is added but addresses and the signs of
// quotations.
func checkShown(t *testing.T, r rich, shown string, signs bool) {
	t.Helper()
	adds := slices.ContainsFunc(r.runs, func(one run) bool {
		return one.style.href != "" || signs && one.style.has(quote)
	})
	got, want := seen(shown), seen(r.text)
	if !within(want, got) || !adds && got != want {
		t.Errorf("the parts show %q, want %q", got, want)
	}
}

// seen is what can be seen of a text, but for white space.
func seen(text string) string {
	return strings.Map(func(r rune) rune {
		if blank(r) {
			return -1
		}
		return r
	}, text)
}

// within reports whether the runes of a text stand in another in their order.
func within(part, whole string) bool {
	rest := []rune(whole)
	for _, r := range part {
		i := slices.Index(rest, r)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

// checkTree compares what is shown with the words in the parsed tree, which it
// collects in its own way. A table may show its header many times, so that of
// an answer with one only the number of each rune is compared.
func checkTree(t *testing.T, markdown, shown string) {
	t.Helper()
	tree := readTree(markdown)
	words, shown := seen(tree.words), seen(shown)
	if !tree.tables && !within(words, shown) {
		t.Errorf("%q shows %q, which lacks some of %q", markdown, shown, words)
	}
	count := map[rune]int{}
	for _, r := range shown {
		count[r]++
	}
	for _, r := range words {
		if count[r]--; count[r] < 0 {
			t.Errorf("%q shows %q, which lacks a %q", markdown, shown, r)
			return
		}
	}
	for address := range tree.links {
		if !within(seen(address), shown) {
			t.Errorf("%q shows %q, which lacks %q", markdown, shown, address)
		}
	}
}

// tree is what is to be seen in a parsed answer.
type tree struct {
	words  string          // without the addresses of links
	links  map[string]bool // the addresses
	tables bool
}

func readTree(markdown string) tree {
	all := pieces(clean(markdown))
	parse(all)
	result := tree{links: map[string]bool{}}
	used := map[string]bool{}
	for _, p := range all {
		each(p.root, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.Link:
				used[string(n.Destination)] = true
				result.links[shown(address(n.Destination))] = true
			case *ast.Image:
				used[string(n.Destination)] = true
				if !inLink(n) {
					result.links[shown(address(n.Destination))] = true
				}
			case *east.Table:
				result.tables = true
			}
		})
	}
	for _, p := range all {
		if p.root == nil {
			result.words += p.text
		}
		each(p.root, func(n ast.Node) { result.words += nodeWords(n, []byte(p.text), used) })
	}
	return result
}

func inLink(n ast.Node) bool {
	return n != nil && (n.Kind() == ast.KindLink || inLink(n.Parent()))
}

func nodeWords(n ast.Node, source []byte, used map[string]bool) string {
	switch n := n.(type) {
	case *ast.Text:
		text := n.Segment.Value(source)
		if n.Parent().Kind() == ast.KindCodeSpan {
			return strings.ReplaceAll(string(text), `\|`, "|")
		}
		return literal(text)
	case *ast.AutoLink:
		return string(n.Label(source))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return string(n.Lines().Value(source))
	case *ast.LinkReferenceDefinition:
		if !used[string(n.Destination)] {
			return string(n.Lines().Value(source))
		}
	}
	return ""
}

// each visits the nodes of a tree, if there is one.
func each(root ast.Node, visit func(ast.Node)) {
	if root == nil {
		return
	}
	ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			visit(n)
		}
		return ast.WalkContinue, nil
	})
}

// TestCheckCanFail holds the helpers above to account.
func TestCheckCanFail(t *testing.T) {
	if within("abc", "a-b-") || within("ba", "ab") || !within("ab", "xaxbx") {
		t.Error("within is wrong")
	}
	got := readTree("a **b** `c`\n```\nd\n```\n- <https://e.org>\n\n|f|\n|-|\n\n[g](h)\n\n[i]: j")
	if seen(got.words) != "abcdhttps://e.orgfg[i]:j" || !got.links["h"] || !got.tables {
		t.Errorf("the tree is read as %+v", got)
	}
	if got := seen("a b\u200Bc\n"); got != "abc" {
		t.Errorf("seen = %q", got)
	}
}
