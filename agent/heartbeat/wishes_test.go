package heartbeat

import (
	"os"
	"strings"
	"testing"
)

func TestWishes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"blanks", " \r\n\t\n", ""},
		{"headings", "# Heartbeat\n\n## Active tasks\n###\n", ""},
		{"a comment", "<!-- water the plants -->", ""},
		{"a comment of several lines", "# Tasks\n<!--\nwater\n\nthe plants\n-->\n", ""},
		{"a comment without an end", "<!-- water\nthe plants", ""},
		{"a fenced comment", "```md\n<!-- water -->\n```\n~~~\n~~~", ""},
		{"blank items", "-\n*  \n+\n1.\n2)\n- [ ]\n* [ ] \n[]\n- [x]\n", ""},
		{"rules and marks", "---\n***\n> \n|---|:-:|\n…\n", ""},
		{"checked boxes", "- [x] water the plants\n* [X] call Ada\n[x] both\n", ""},
		{"what belongs to a checked box", "- [x] water\n  the plants\n\n    - twice\n", ""},
		{"a line", "water the plants", "water the plants"},
		{"an item", "# Tasks\n\n- water <!-- always --> the plants\r\n", "# Tasks\n\n- water  the plants"},
		{"an open box", "- [ ] water\n- [x] Ada\n", "- [ ] water"},
		{"behind a checked box", "- [x] water\n  twice\n- call Ada\n  at home\n", "- call Ada\n  at home"},
		{"another script", "- 浇花", "- 浇花"},
		{"a number", "1. 4711", "1. 4711"},
		{"a link is no checked box", "[x](https://example.org) changes", "[x](https://example.org) changes"},
		{"no heading", "#water", "#water"},
		{"too much", strings.Repeat("ü", 9000), strings.Repeat("ü", 8000)},
		{"too late", strings.Repeat("\n", 8000) + "water", ""},
	} {
		if got := wishes(c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// The file as everybody gets it is nothing to look at; with one line more it is.
func TestTheFirstHeartbeatFile(t *testing.T) {
	b, err := os.ReadFile("../../memory/folder/defaults/HEARTBEAT.md")
	if err != nil {
		t.Fatal(err)
	}
	if got := wishes(string(b)); got != "" {
		t.Errorf("it asks for %q", got)
	}
	if got := wishes(string(b) + "\n- water the plants\n"); got != "- water the plants" {
		t.Errorf("with one line more it asks for %q", got)
	}
}
