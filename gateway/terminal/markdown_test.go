package terminal

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestPage compares each testdata/*.md, shown in three ways, with the golden
// file beside it, where escape bytes are written as \e.
func TestPage(t *testing.T) {
	sources, err := filepath.Glob("testdata/*.md")
	if err != nil || len(sources) == 0 {
		t.Fatalf("found %d sources, error %v", len(sources), err)
	}
	for _, source := range sources {
		t.Run(filepath.Base(source), func(t *testing.T) {
			text, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, p := range []page{{60, true}, {24, true}, {60, false}} {
				fmt.Fprintf(&got, "=== %d columns, styled %v\n%s", p.width, p.styled, p.render(string(text)))
			}
			compareGolden(t, strings.TrimSuffix(source, ".md")+".golden", strings.ReplaceAll(got.String(), "\x1b", `\e`))
		})
	}
}

func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", path, got)
	}
}

func TestInline(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"plain", "a b", "a b"},
		{"bold", "a **b c** d", "a <b>b c</> d"},
		{"bold by underscores", "__b__", "<b>b</>"},
		{"italics", "*a* _b_", "<i>a</> <i>b</>"},
		{"both", "***a***", "<bi>a</>"},
		{"italics in bold", "**a *b* c**", "<b>a </><bi>b</><b> c</>"},
		{"bold in italics", "*a **b***", "<i>a </><bi>b</>"},
		{"code", "`a *b*`", "<c>a *b*</>"},
		{"code with a backtick", "`` a`b ``", "<c> a`b </>"},
		{"code in bold", "**`a`**", "<bc>a</>"},
		{"no partner", "**a *b _c `d", "**a *b _c `d"},
		{"words with underscores", "snake_case_name and _x_y_", "snake_case_name and <i>x_y</>"},
		{"a product", "2 * 3 * 4", "2 * 3 * 4"},
		{"stars alone", "** * ****", "** * ****"},
		{"empty bold", "****a", "****a"},
		{"partner before a space only", "*a * b", "*a * b"},
		{"other scripts", "**日本** _é_", "<b>日本</> <i>é</>"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tagged(inline(tc.text, 0)); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// tagged writes styles as tags: <bi>, ended by </>.
func tagged(gs []glyph) string {
	var b strings.Builder
	now := style(0)
	for _, g := range append(gs, glyph{}) {
		if g.style != now && now != 0 {
			b.WriteString("</>")
		}
		if g.style != now && g.style != 0 {
			b.WriteByte('<')
			for i, c := range "bidc" {
				if g.style&(1<<i) != 0 {
					b.WriteRune(c)
				}
			}
			b.WriteByte('>')
		}
		now = g.style
		if g.r != 0 {
			b.WriteRune(g.r)
		}
	}
	return b.String()
}

var sequence = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// FuzzPage shows any text: what a terminal obeys is ours alone, every line ends
// in the plain style, and without styles only blanks change.
func FuzzPage(f *testing.F) {
	f.Add("# a\n\n- **b** `c`\n\n```\nd\n", uint8(10))
	f.Add("> *q* _w_\n***\n1. 日本語", uint8(3))
	f.Fuzz(func(t *testing.T, text string, width uint8) {
		text = clean(text)
		styled := page{int(width) + 1, true}.render(text)
		if rest := sequence.ReplaceAllString(styled, ""); strings.ContainsFunc(rest, obeyed) {
			t.Fatalf("shown as %q", styled)
		}
		for line := range strings.Lines(styled) {
			all := sequence.FindAllString(line, -1)
			if len(all) > 0 && all[len(all)-1] != "\x1b[0m" {
				t.Fatalf("the line %q leaves a style on", line)
			}
		}
		plain := page{int(width) + 1, false}.render(text)
		if quoted := regexp.MustCompile(`(?m)^\s*>`).MatchString(text); quoted {
			return // the bar is repeated in each line it wraps into
		}
		if got, want := onlyVisible(plain), onlyVisible(text); got != want {
			t.Fatalf("visible characters changed:\n%q\n%q", got, want)
		}
	})
}

// The longest part of the worst text has to be shown while a person waits.
func BenchmarkPage(b *testing.B) {
	for _, tc := range []struct{ name, unit string }{
		{"prose", "Some **bold** words and `code` in a sentence of an *ordinary* answer.\n"},
		{"stars", "*a_ "},
		{"backticks", "`a ``b "},
		{"nested", "**a *b _c "},
	} {
		text := strings.Repeat(tc.unit, maxPart/len(tc.unit))
		b.Run(tc.name, func(b *testing.B) {
			for b.Loop() {
				page{80, true}.render(text)
			}
		})
	}
}
