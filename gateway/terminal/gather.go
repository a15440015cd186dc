package terminal

import "strings"

// gather joins lines into messages. Lines inside a paste, and a typed line that
// ends in a backslash, wait for the line that ends the message.
type gather struct {
	lines []string
}

// add takes the next line and returns the message that it ends, if it ends one.
// pasted says that the line's end, too, was pasted.
func (g *gather) add(line string, pasted bool) (message string, whole bool) {
	head, continued := strings.CutSuffix(line, `\`)
	switch {
	case pasted:
		g.lines = append(g.lines, line)
	case continued:
		g.lines = append(g.lines, head)
	default:
		g.lines = append(g.lines, line)
		return g.rest(), true
	}
	return "", false
}

// rest returns what waits, without blank lines around it, and begins anew.
func (g *gather) rest() string {
	message := strings.Trim(strings.Join(g.lines, "\n"), "\n")
	g.lines = nil
	return message
}

// quit reports whether a message is the person leaving.
func quit(message string) bool { return strings.TrimSpace(message) == "/quit" }
