package markup

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzMarkup holds check of any text.
func FuzzMarkup(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.md")
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(source))
	}
	for _, fragment := range fragments {
		if len(fragment) < 100 { // the engine shortens long ones for minutes
			f.Add(fragment)
		}
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		if len(markdown) > 32<<10 {
			return
		}
		check(t, markdown)
	})
}

// fragments are what random Markdown is made of.
var fragments = []string{
	"word ", "a", "*", "**", "_", "__", "~~", "||", "`", "``", "```", "~~~", "\n", "\n\n", "\r\n", "    ", "\t", "- ", "1. ", "007) ", "> ",
	"# ", "---\n", "===\n", "[a](https://example.org/x)", "[", "](", ")", "![", "]: https://example.org\n", "[a]", "<br>", "<b>", "<https://example.org>",
	"<ann@example.org>", "<key:value>", "https://example.org/a_b_c ", "mailto:", "&amp;", "&#0;", "&#10;", "&nbsp;", "&", "<", ">", "\\", "\\*", "|", "|a|b|\n|-|:-:|\n|c|`d|e`|\n",
	"| " + strings.Repeat("wide ", 8) + "| x |\n|--|--:|\n| a | **b** |\n", "- [ ] ", "- [x] ", "日本語", "👩‍👩‍👧", "🇫🇷", "e\u0301", "\u202E", "\u200B", "\x00", "\xff",
	"```go\nx := 1\n```\n", "````\n```\n````\n", strings.Repeat("long ", 900), strings.Repeat("x", 5000), strings.Repeat("**b** ", 120), strings.Repeat("> ", 25), strings.Repeat("*a_ ", 400),
}

// TestRandomMarkdown holds check of answers made of fragments.
func TestRandomMarkdown(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		var b strings.Builder
		for range 1 + random.IntN(30) {
			b.WriteString(fragments[random.IntN(len(fragments))])
		}
		check(t, b.String())
		if t.Failed() {
			return
		}
	}
}
