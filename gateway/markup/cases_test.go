package markup

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// visibleTexts is what people see of an answer on Telegram.
func visibleTexts(t *testing.T, markdown string) []string {
	t.Helper()
	check(t, markdown)
	var all []string
	for _, p := range Telegram(markdown) {
		seen, _, err := strictHTML(p.Text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, seen)
	}
	return all
}

func TestMailHeaders(t *testing.T) {
	got := Telegram("**From:** Ann Example <ann@example.org>, 3 < 5 && x > y")
	want := Part{
		Text:  "<b>From:</b> Ann Example &lt;ann@example.org&gt;, 3 &lt; 5 &amp;&amp; x &gt; y",
		Plain: "From: Ann Example <ann@example.org>, 3 < 5 && x > y",
	}
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPlainFollowsText holds that a part may be replaced by its plain form at
// any place of a long answer.
func TestPlainFollowsText(t *testing.T) {
	text := answer()
	check(t, text)
	parts := Telegram(text)
	if n := strings.Count(text, "```go"); len(parts) < 4 || n != 4 {
		t.Fatalf("%d parts of an answer with %d blocks of code", len(parts), n)
	}
	for i, p := range parts {
		text, _, _ := strictHTML(p.Text)
		if !within(seen(text), seen(p.Plain)) {
			t.Errorf("part %d is %q and plainly %q", i, text, p.Plain)
		}
		for _, sign := range []string{"<b>", "</", "&amp;", "**", "```", "<pre", "<a "} {
			if strings.Contains(p.Plain, sign) {
				t.Errorf("part %d plainly has %s: %q", i, sign, p.Plain)
			}
		}
	}
}

// TestWordsStayWhole holds that escaping, which makes text longer, moves no
// cut into a word.
func TestWordsStayWhole(t *testing.T) {
	words := []string{"a&b", "<tag>", "R&D<3", "x<y&&z>w", "&&&&"}
	var b strings.Builder
	for i := 0; b.Len() < 3950; i++ {
		b.WriteString(words[i%len(words)] + " ")
	}
	for name, text := range map[string]string{"one part": b.String(), "more": strings.Repeat(b.String(), 3)} {
		var got []string
		for _, seen := range visibleTexts(t, text) {
			got = append(got, strings.Fields(seen)...)
		}
		if !slices.Equal(got, strings.Fields(text)) {
			t.Errorf("%s: words are broken or lost", name)
		}
	}
	if n := len(Telegram(b.String())); n != 1 {
		t.Errorf("3,950 characters make %d parts, though tags and entities do not count", n)
	}
}

func TestLengths(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []int // UTF-16 units of what is seen
	}{
		{"4,096", strings.Repeat("x", 4096), []int{4096}},
		{"4,097", strings.Repeat("x", 4097), []int{4096, 1}},
		{"5,151", strings.Repeat("x", 5151), []int{4096, 1055}},
		{"40,000", strings.Repeat("x", 40_000), append(slices.Repeat([]int{4096}, 9), 40_000-9*4096)},
		{"in bold", "**" + strings.Repeat("x", 4097) + "**", []int{4096, 1}},
		{"in a quotation", "> " + strings.Repeat("x", 4097), []int{4094, 3}}, // the sign of the plain form counts
		{"hat over the border", strings.Repeat("x", 4095) + "🎩", []int{4095, 2}},
		{"accents count once", strings.Repeat("é", 4096), []int{4096}},
		{"ampersands count once", strings.Repeat("&", 4096), []int{4096}},
		{"at a line", strings.Repeat("x", 3000) + "\n\n" + strings.Repeat("y", 3000), []int{3000, 3000}},
		{"words", strings.Repeat("1234567 ", 600), []int{4095, 703}},
		{"nothing to see", "\u200B \u2800\n\uFEFF", nil},
		{"nothing at all", "", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []int
			for _, seen := range visibleTexts(t, test.text) {
				got = append(got, utf16Len(seen))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("parts of %v, want %v", got, test.want)
			}
		})
	}
}

func TestFencesAreOpenedAgain(t *testing.T) {
	line := "fmt.Println(1 < 2)\n"
	parts := Telegram("Look:\n\n```go\n" + strings.Repeat(line, 300) + "```\n\nDone.")
	if len(parts) != 2 {
		t.Fatalf("%d parts, want 2", len(parts))
	}
	const open, end = `<pre><code class="language-go">`, "</code></pre>"
	if first := parts[0].Text; !strings.HasPrefix(first, "Look:\n\n"+open) || !strings.HasSuffix(first, "2)"+end) {
		t.Errorf("the first part begins %.60q and ends %q", first, first[len(first)-40:])
	}
	if second := parts[1].Text; !strings.HasPrefix(second, open+"fmt.") || !strings.HasSuffix(second, "2)"+end+"\n\nDone.") {
		t.Errorf("the second part begins %.60q and ends %q", second, second[len(second)-40:])
	}
	if n := strings.Count(parts[0].Plain+parts[1].Plain, "fmt.Println(1 < 2)"); n != 300 {
		t.Errorf("%d lines of code are left of 300", n)
	}
	indented := Telegram("```\n    " + strings.Repeat("x", 4094) + "\n```")
	if len(indented) != 2 || !strings.HasPrefix(indented[0].Text, "<pre>    xxx") || utf16Len(indented[0].Plain) != 4096 {
		t.Errorf("%d parts of an indented line, the first begins %.20q", len(indented), indented[0].Text)
	}
	for i, p := range WhatsApp("```go\n" + strings.Repeat(line, 300) + "```") {
		if !strings.HasPrefix(p.Text, "```fmt.") || !strings.HasSuffix(p.Text, "2)```") {
			t.Errorf("part %d on WhatsApp begins %.20q and ends %q", i, p.Text, p.Text[len(p.Text)-20:])
		}
	}
}

func TestStylesAreOpenedAgain(t *testing.T) {
	long := strings.Repeat("word ", 1200)
	tests := []struct{ name, markdown, open, end string }{
		{"bold", "**" + long + "end**", "<b>word", "word</b>"},
		{"nested", "> **" + long + "*end***", "<blockquote><b>word", "word</b></blockquote>"},
		{"spoiler", "||" + long + "end||", "<tg-spoiler>word", "word</tg-spoiler>"},
		{"link", "[" + long + "end](https://example.org/)", `<a href="https://example.org/">word`, "word</a>"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check(t, test.markdown)
			parts := Telegram(test.markdown)
			if len(parts) != 2 {
				t.Fatalf("%d parts, want 2", len(parts))
			}
			if !strings.HasSuffix(parts[0].Text, test.end) {
				t.Errorf("the first part ends %q", parts[0].Text[len(parts[0].Text)-40:])
			}
			if !strings.HasPrefix(parts[1].Text, test.open) {
				t.Errorf("the second part begins %.40q", parts[1].Text)
			}
		})
	}
}

// TestBorders puts characters that have several code points over a part's end.
func TestBorders(t *testing.T) {
	for _, char := range []string{"🎩", "🇫🇷", "👍🏽", "👨‍👩‍👧", "🏴\U000E0067\U000E0062\U000E007F", "e\u0301", "1\uFE0F\u20E3", "\u0915\u093E", "각"} {
		for short := range utf16Len(char) + 1 {
			got := visibleTexts(t, strings.Repeat("x", 4096-short)+char)
			switch {
			case short == utf16Len(char) && len(got) != 1:
				t.Errorf("%q does not fit where it should", char)
			case short < utf16Len(char) && (len(got) != 2 || got[1] != char):
				t.Errorf("%q, %d units before the border, makes %d parts", char, short, len(got))
			}
		}
	}
}

// TestProgress holds that what has no good place for a cut is cut all the
// same, and that nothing is lost.
func TestProgress(t *testing.T) {
	tests := []struct {
		name, markdown string
		parts          int
	}{
		{"one long line in a fence", "```\n" + strings.Repeat("QUJD", 3000) + "\n```", 3},
		{"a fence never closed", "```python\n" + strings.Repeat("QUJD", 3000), 3},
		{"a fence in a longer fence", "````\n```\n" + strings.Repeat("x", 5000) + "\n```\n````\nafter", 2},
		{"emoji", strings.Repeat("👩‍👩‍👧", 5000), 10},
		{"one absurd character", "a" + strings.Repeat("\u0301", 9000), 3},
		{"one absurd family", strings.Repeat("👩\u200D", 3000), 3},
		{"an address that fills a part", "[a](https://example.org/" + strings.Repeat("x", 9000) + ")", 3},
		{"links with long addresses", strings.Repeat("[a](https://example.org/"+strings.Repeat("x", 980)+") ", 10), 3},
		{"more marks than entities", strings.Repeat("**a** ", 250), 3},
		{"many empty lines", "a" + strings.Repeat("<br>", 3000) + "b", 1},
		{"spaces", "a" + strings.Repeat("\u00a0", 9000) + "b", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := len(visibleTexts(t, test.markdown)); got != test.parts {
				t.Errorf("%d parts, want %d", got, test.parts)
			}
		})
	}
}

func TestTables(t *testing.T) {
	tests := []struct{ name, markdown, want string }{
		{"code and wide cells",
			"| Name | Code `a|b` | 宽 |\n|---|---|--:|\n| x | `p|q` | 1 |\n| 日本 | y | 22 |",
			"<pre>Name | Code a|b | 宽\n-----+----------+---\nx    | p|q      |  1\n日本 | y        | 22</pre>"},
		{"one row", "| a | b |\n|---|---|\n| c | d |", "<pre>a | b\n--+--\nc | d</pre>"},
		{"header only", "| a | b |\n|---|---|", "<pre>a | b\n--+--</pre>"},
		{"no table", "Use a | b, or c | d.", "Use a | b, or c | d."},
		{"no table either", "a | b\n--- | --- | ---", "a | b\n--- | --- | ---"},
		{"nor this", "a | b\nc | d", "a | b\nc | d"},
		{"too wide",
			"| Port | What is known about it |\n|---|---|\n| Brest | " + strings.Repeat("wet ", 14) + "|\n| Rome |",
			"• <b>Port</b>: Brest\n  <b>What is known about it</b>: " + strings.TrimSpace(strings.Repeat("wet ", 14)) +
				"\n• <b>Port</b>: Rome\n  <b>What is known about it</b>: —"},
		{"too wide and without rows",
			"| " + strings.Repeat("long ", 12) + "| b |\n|---|---|",
			"• <b>" + strings.TrimSpace(strings.Repeat("long ", 12)) + "</b>: —\n  <b>b</b>: —"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check(t, test.markdown)
			got := Telegram(test.markdown)
			if len(got) != 1 || got[0].Text != test.want {
				t.Errorf("got %q, want %q", texts(got), test.want)
			}
		})
	}
}

// TestLonely holds that an answer of nothing but signs is shown.
func TestLonely(t *testing.T) {
	tests := []struct{ markdown, want string }{
		{"-", "-"}, {"+", "+"}, {"*", "*"}, {">", "&gt;"}, {"#", "#"}, {"42.", "42."}, {"007)", "007)"}, {"|", "|"}, {"&", "&amp;"},
		{"```", "```"}, {"[]()", "[]()"}, {"[a]: b", "[a]: b"}, {"<br>", "&lt;br&gt;"}, {"***", "———"}, {"`", "`"}, {"\x00>", "&gt;"},
	}
	for _, test := range tests {
		got := Telegram(test.markdown)
		if len(got) != 1 || got[0].Text != test.want {
			t.Errorf("%q is shown as %q, want %q", test.markdown, texts(got), test.want)
		}
	}
}

// TestBadInput holds that no part has what a platform refuses.
func TestBadInput(t *testing.T) {
	got := texts(Telegram("a\x00b\x07c\x7fd\u0085 \xff\xfe half \xF0\x9F\r\nline\rline\ttab \u202Ebidi"))
	want := "abcd \uFFFD half \uFFFD\nline\nline\ttab \u202Ebidi"
	if len(got) != 1 || got[0] != want || !utf8.ValidString(got[0]) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestHostile holds which text is not parsed, and that it arrives all the same.
func TestHostile(t *testing.T) {
	tests := []struct {
		name, markdown string
		want           bool
	}{
		{"an ordinary answer", answer()[:15000], false},
		{"a long list", strings.Repeat("- **a** `b` [c](d) *e*\n", 600), false},
		{"much emphasis", strings.Repeat("**a** ", 450), false},
		{"too much emphasis", strings.Repeat("**a** ", 550), true},
		{"too many brackets", strings.Repeat("[", 1001), true},
		{"too many pairs", strings.Repeat("||a", 1001), true},
		{"deep quotation", strings.Repeat(">", 20) + "a", false},
		{"too deep a quotation", strings.Repeat(">", 21) + "a", true},
		{"too deep a list", strings.Repeat("- ", 21) + "a", true},
		{"too deep numbers", strings.Repeat("1. ", 21) + "a", true},
		{"too long a line", strings.Repeat("a", pieceBytes+1), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := hostile(test.markdown); got != test.want {
				t.Errorf("hostile is %v", got)
			}
			check(t, test.markdown)
		})
	}
}

// TestPieces holds that long answers are parsed in pieces, whole blocks each.
func TestPieces(t *testing.T) {
	paragraph := "- item of **one**\n\n  and its second paragraph\n\n"
	text := strings.Repeat(paragraph, 1000) + "```go\n" + strings.Repeat("x\n\n", 20_000) + "```\n" + "the **end**"
	all := pieces(text)
	if len(all) < 4 {
		t.Fatalf("%d pieces", len(all))
	}
	for i, p := range all {
		if p.kind == wild || p.kind == prose && len(p.text) > pieceBytes {
			t.Errorf("piece %d is of kind %d and has %d bytes", i, p.kind, len(p.text))
		}
		if p.kind == prose && !strings.HasPrefix(p.text, "- item") && p.text != "the **end**" {
			t.Errorf("piece %d begins with %.30q", i, p.text)
		}
	}
	got := strings.Join(texts(Telegram(text)), "\n")
	if n := strings.Count(got, "• item of <b>one</b>"); n != 1000 || !strings.HasSuffix(got, "the <b>end</b>") {
		t.Errorf("%d items of 1,000 are left, and it ends %q", n, got[len(got)-30:])
	}
}
