package markup

import (
	"strings"
	"testing"
)

// answer is a long answer of the usual kind: 18,000 characters with headings,
// lists, emphasis, links, tables and four blocks of code.
func answer() string {
	const section = `## Tides and *harbours*

The **moon** pulls the water, and the _sun_ helps a little; see [the almanac](https://example.org/tides?port=brest&year=2026)
or https://example.org/plain_page for the whole ` + "`table()`" + ` of them. Twice a day it is ||secret|| and ~~simple~~.

- [x] read the **first** page
- [ ] ask about *springs* and neaps, which are ` + "`a < b && c > d`" + `
  1. the height, in metres
  2. the hour, in UTC

> Time and tide wait for no man.
> They do wait for **each other**.

| Port | Height | Hour |
|:-----|-------:|:----:|
| Brest | 6.9 m | 04:12 |
| Saint-Malo | **12.1 m** | 06:30 |

`
	const code = "```go\nfunc tide(at time.Time) float64 {\n\tphase := at.Sub(epoch).Hours() / 12.42\n\treturn mean + range_/2*math.Cos(2*math.Pi*phase)\n}\n```\n\n"
	var b strings.Builder
	for i := 0; b.Len() < 18000; i++ {
		b.WriteString(section)
		if i%6 == 5 {
			b.WriteString(code)
		}
	}
	return b.String()[:18000]
}

func BenchmarkAnswer(b *testing.B) {
	text := answer()
	for name, render := range renderers {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				render(text)
			}
		})
	}
}

func BenchmarkShort(b *testing.B) {
	for name, render := range renderers {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				render("It is **noon** in Lyon, and the sun is out.")
			}
		})
	}
}

// hostile texts are repeated to 100 kB. No text of that length should take
// more than 200 ms.
var hostileUnits = map[string]string{
	"emphasis":       "*a_ ",
	"stars":          "**a *",
	"underscores":    "_a_b ",
	"pairs":          "||a~~ ",
	"openers":        "[",
	"links":          "[a](",
	"nested links":   "[*a](b) ",
	"images":         "![a",
	"quotes":         ">",
	"quotes apart":   "> ",
	"list":           "- ",
	"numbers":        "1. ",
	"items":          "- *a_ b\n",
	"deep items":     "  - a\n",
	"backticks":      "`a``b",
	"angles":         "<a",
	"addresses":      " http://a.bc(",
	"mails":          "<a@b",
	"definitions":    "[a]: b\n",
	"references":     "[a][a] ",
	"table":          "|a|b|\n|-|-|\n",
	"columns":        "|-",
	"paragraphs":     "*a_ **b\n\n",
	"breaks":         "<br>",
	"entities":       "&amp;",
	"accents":        "\u0301",
	"families":       "👩\u200D",
	"spaces":         " ",
	"fences":         "```\n",
	"inner fences":   " ```\n",
	"words":          "word ",
	"bold":           "**a** ",
	"linked letters": "[a](https://example.org/" + strings.Repeat("x", 900) + ")",
}

// tame returns the longest paragraph of units that is still parsed.
func tame(unit string) string {
	block := ""
	for next := unit; len(next) < pieceBytes && !hostile(next); next += unit {
		block = next
	}
	return block + "\n\n"
}

func BenchmarkHostile(b *testing.B) {
	for name, unit := range hostileUnits {
		name = strings.ReplaceAll(name, " ", "-")
		b.Run(name+"/endless", func(b *testing.B) { benchmarkHostile(b, unit) })
		b.Run(name+"/tame", func(b *testing.B) { benchmarkHostile(b, tame(unit)) })
	}
}

func benchmarkHostile(b *testing.B, unit string) {
	text := strings.Repeat(unit, 100_000/len(unit))
	for b.Loop() {
		Telegram(text)
	}
}
