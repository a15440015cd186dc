package mail

import "strings"

// maxLines is how many lines are read of one part.
const maxLines = 10_000

// line is one line of a mail, or one paragraph where a program broke it into lines.
type line struct {
	depth int    // how many times it is quoted; 0 for what may be the sender's own
	text  string // without the marks of quotes
	cut   bool   // a mark in HTML: from here on it is an older mail
}

// mine reports whether a line may be the sender's own. One that begins with the mark
// of a quote is not, however it got there.
func (l line) mine() bool {
	t := strings.TrimLeft(l.text, " \t\u3000")
	return l.depth == 0 && !strings.HasPrefix(t, ">") && !strings.HasPrefix(t, "＞")
}

// plainLines divides plain text into lines. Of flowed text (RFC 3676) it makes whole
// paragraphs; delsp tells that the blank at which a line was broken is none of the
// text.
func plainLines(text string, flowed, delsp bool) []line {
	if flowed {
		return flowedLines(text, delsp)
	}
	var list []line
	for raw := range strings.SplitSeq(text, "\n") {
		if len(list) == maxLines {
			break
		}
		depth, rest := unmark(raw)
		list = append(list, line{depth: depth, text: rest})
	}
	return list
}

// unmark counts and removes the marks of quotes at the beginning of a line.
func unmark(raw string) (int, string) {
	depth, rest := 0, raw
	for {
		next, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t"), ">")
		if !ok {
			break
		}
		depth, rest = depth+1, next
	}
	if depth > 0 {
		rest = strings.TrimPrefix(rest, " ")
	}
	return depth, rest
}

// flowedLines undoes the breaking of paragraphs into lines: a line that ends with a
// blank goes on in the next one of the same depth.
func flowedLines(text string, delsp bool) []line {
	var list []line
	var open strings.Builder // a paragraph that goes on
	at, going := 0, false
	end := func() {
		if going {
			list = append(list, line{depth: at, text: open.String()})
			open.Reset()
			going = false
		}
	}
	for raw := range strings.SplitSeq(text, "\n") {
		if len(list) >= maxLines {
			break
		}
		rest := strings.TrimLeft(raw, ">")
		depth := len(raw) - len(rest)
		rest = strings.TrimPrefix(rest, " ") // put there so that the line cannot be mistaken
		if going && depth != at || rest == signatureMark {
			end()
		}
		at = depth
		if strings.HasSuffix(rest, " ") && rest != signatureMark {
			if delsp {
				rest = rest[:len(rest)-1]
			}
			open.WriteString(rest)
			going = true
			continue
		}
		open.WriteString(rest)
		going = true
		end()
	}
	end()
	return list
}
