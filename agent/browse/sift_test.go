package browse

import (
	"strings"
	"testing"
)

// Numbers and words stay what they are, whatever elements vanish around them.
func TestSiftKeepsMeaning(t *testing.T) {
	for name, tt := range map[string]struct{ in, want string }{
		"a power":                {"3&times;10<sup>8</sup> m/s", "3×10^8 m/s"},
		"a negative power":       {"10<sup>-3</sup>m", "10^-3 m"},
		"a long power":           {"2<sup>n + 1</sup>", "2^(n + 1)"},
		"a power in parts":       {"2<sup><i>n</i>+1</sup>3", "2^(n+1) 3"},
		"a power of a power":     {"2<sup>2<sup>3</sup></sup>", "2^2^3"},
		"a formula":              {"H<sub>2</sub>O and x<sub>i</sub><sup>2</sup>", "H_2O and x_i^2"},
		"a charge":               {"Ca<sup>2+</sup>", "Ca^(2+)"},
		"a footnote":             {"grows<sup><a href=#n>[1]</a></sup> fast", "grows[1] fast"},
		"a bare footnote":        {"12<sup><a href=#n>3</a></sup> percent", "12^3 percent"},
		"a footnote in a link":   {"<a href=/x>12<sup>3</a> percent", "[12^3](https://site.test/x) percent"},
		"a sign":                 {"Nacre<sup>®</sup>", "Nacre®"},
		"an empty one":           {"a<sup></sup>b", "ab"},
		"one without end":        {"<p>10<sup>8<p>5", "10^8\n\n5"},
		"one at the end":         {"10<sup>8", "10^8"},
		"small text":             {"a<sup>" + strings.Repeat("long ", 20) + "</sup>b", "a " + strings.Repeat("long ", 20) + "b"},
		"an ampersand in it":     {"x<sup>1&amp;2</sup>", "x^(1&2)"},
		"an old price":           {"<del>$100</del><ins>$80</ins>", "~~$100~~ $80"},
		"old prices":             {"<s>$100</s> <strike>$90</strike> $80", "~~$100~~ ~~$90~~ $80"},
		"an end without a start": {"a</del>b</sup>c", "abc"},
		"a legend":               {"<fieldset><legend>Size</legend>Large</fieldset>", "Size Large"},
		"centred lines":          {"<center>A</center><center>B</center>", "A B"},
		"choices":                {"<select><option>S<option>M</select>", "S M"},
		"letters of a word":      {"<b>N</b>acre <span>1</span>9<wbr>9", "Nacre 199"},
	} {
		p, err := newPage(where, "text/html", []byte(tt.in))
		if got := strings.Join(strings.Fields(p.Text), " "); err != nil || p.Cut || got != strings.Join(strings.Fields(tt.want), " ") {
			t.Errorf("%s: %q, cut %v, %v; want %q", name, p.Text, p.Cut, err, tt.want)
		}
	}
}

// An element without its end takes no more of the page along than in a browser,
// and what it takes is reported.
func TestSiftElementsWithoutEnd(t *testing.T) {
	for name, tt := range map[string]struct {
		in, want string
		cut      bool
	}{
		"button":             {"<p>a<button>b<p>c", "a b c", false},
		"select":             {"<p>a<select><option>b<p>c", "a b c", false},
		"video":              {"<p>a<video src=x><p>c", "a c", false},
		"dialog":             {"<p>a<dialog>b<p>c", "a b c", false},
		"a heading to press": {"<h2><button>Why?</button></h2><p>So.", "## Why? So.", false},
		"drawing":            {"<p>a<svg><a><text>b</text></a><p>c", "a c", false},
		"formula":            {"<p>a<math><mi>b</mi><div>c", "a c", false},
		"object":             {"<p>a<object data=x>b<p>c", "a c", false},
		"drawings":           {"a<svg><svg>b</svg>b</svg>c", "a c", false},
		"closed at once":     {"a<svg/>b<object data=x />c<iframe src=x />d", "a b c d", false},
		"script":             {"<p>a<script>b<p>c", "a", true},
		"template":           {"<p>a<template>b<p>c", "a", true},
		"with its end":       {"<p>a<script>b</script><template>b<template>b</template>b</template>c", "a c", false},
	} {
		p, err := newPage(where, "text/html", []byte(tt.in))
		if got := strings.Join(strings.Fields(p.Text), " "); err != nil || got != tt.want || p.Cut != tt.cut {
			t.Errorf("%s: %q, cut %v, %v; want %q", name, p.Text, p.Cut, err, tt.want)
		}
	}
}
