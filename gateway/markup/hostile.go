package markup

import "strings"

// What people and models write stays far below these. Beyond them the parser's
// time grows with the square of the length.
const (
	mostSigns = 1000 // of emphasis and links in a paragraph
	mostDepth = 20   // of quotations and lists in a line
)

// hostile reports whether a block of Markdown would take the parser too long.
func hostile(block string) bool {
	if len(block) > pieceBytes {
		return true
	}
	signs := 0
	for line := range strings.Lines(block) {
		depth, item := containers(line)
		if item || strings.TrimSpace(line) == "" {
			signs = 0 // a new paragraph
		}
		if signs += countSigns(line); signs > mostSigns || depth > mostDepth {
			return true
		}
	}
	return false
}

// containers counts the signs of quotations and list items that a line begins
// with. item says that it certainly begins an item with something in it.
func containers(line string) (depth int, item bool) {
	for i := 0; i < len(line); {
		rest := line[i:]
		switch n := itemSign(rest); {
		case n > 0:
			item = item || depth == 0 && i <= 3 && n == 1 && strings.TrimSpace(rest[n:]) != ""
			depth++
			i += n
		case rest[0] == '>':
			depth++
			i++
		case rest[0] == ' ', rest[0] == '\t':
			i++
		default:
			return depth, item
		}
	}
	return depth, item
}

// itemSign returns the length of the sign of a list item with which text
// begins: 1 for a bullet, more for a number, 0 if there is none.
func itemSign(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	signs := ".)"
	if n == 0 {
		signs = "-+*"
	}
	if n == len(text) || !strings.Contains(signs, text[n:n+1]) {
		return 0
	}
	if n++; n < len(text) && !strings.Contains(" \t\n", text[n:n+1]) {
		return 0
	}
	return n
}

// countSigns counts what the parser has to find a partner for.
func countSigns(line string) int {
	n := strings.Count(line, "||")
	for i := range len(line) {
		switch line[i] {
		case '[', ']':
			n++
		case '*', '_', '~':
			if i == 0 || line[i-1] != line[i] {
				n++
			}
		}
	}
	return n
}
