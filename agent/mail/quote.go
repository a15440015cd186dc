package mail

import (
	"strings"
	"unicode/utf8"
)

// own makes text of the lines that the sender typed: what stands before, between and
// after quotes, each without the signature that ends it.
func own(list []line) string {
	list = unforwarded(list)
	remark(list)
	list = unattributed(list)
	rejoin(list)
	var out []string
	for i := 0; i < len(list); {
		if !list[i].mine() {
			i++
			continue
		}
		start := i
		for i < len(list) && list[i].mine() {
			i++
		}
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, unsigned(list[start:i])...)
	}
	return tidy(out)
}

// tidy makes text of lines: without blanks at their ends, without pictures' names,
// with one empty line at most between two.
func tidy(lines []string) string {
	var b strings.Builder
	gap := false
	for _, l := range lines {
		l = strings.TrimRight(l, " \t\u3000")
		if l == "" || picture(l) || armour(l) {
			gap = true
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
			if gap {
				b.WriteByte('\n')
			}
		}
		b.WriteString(l)
		gap = false
	}
	return strings.TrimLeft(b.String(), " \t\u3000")
}

// picture reports whether a line only stands for a picture or a file.
func picture(l string) bool {
	l = strings.ToLower(strings.TrimSpace(l))
	if len(l) > 200 {
		return false
	}
	for _, begin := range []string{"[image:", "[cid:", "<image", "[bild:", "[inline image", "[图片]", "[附件]"} {
		if strings.HasPrefix(l, begin) && strings.IndexAny(l, "]>") == len(l)-1 {
			return true
		}
	}
	return false
}

// armour reports whether a line is one of those that signing programs put around a
// text.
func armour(l string) bool {
	return l == "-----BEGIN PGP SIGNED MESSAGE-----" || strings.HasPrefix(l, "Hash: SHA")
}

// unforwarded ends the lines where an older mail begins that carries no marks of
// quotes: after a line such as "-----Original Message-----" or a block of headers.
// Where marked lines follow such a block, only the block is taken for quoted.
func unforwarded(list []line) []line {
	for i := 0; i < len(list); i++ {
		l := list[i]
		if l.cut {
			return list[:i]
		}
		if !l.mine() {
			continue
		}
		n := 0
		if separator(l.text) {
			n = 1 + headersOf(list[i+1:], 1)
		} else {
			n = headersOf(list[i:], 3)
		}
		if n == 0 {
			continue
		}
		if next := following(list, i+n); next < 0 || list[next].mine() {
			return list[:i]
		}
		for k := i; k < i+n; k++ {
			list[k].depth++
		}
		i += n - 1
	}
	return list
}

// following finds the next line with something on it; -1 if there is none.
func following(list []line, from int) int {
	for i := from; i < len(list); i++ {
		if !blank(list[i].text) || list[i].cut {
			return i
		}
	}
	return -1
}

// unattributed takes the lines that introduce a quote for quoted ("On … wrote:"), and
// ends the lines at one that introduces an older mail without marks.
func unattributed(list []line) []line {
	dated := countDates(list)
	for i := range list {
		n, sure := introduction(list, i)
		if n == 0 && heads(list, i, dated) {
			n, sure = 1, true
		}
		if n == 0 {
			continue
		}
		next := following(list, i+1)
		if next >= 0 && !list[next].mine() {
			for k := i - n + 1; k <= i; k++ {
				list[k].depth++
			}
			continue
		}
		first := i - n + 1
		if sure && (first == 0 || blank(list[first-1].text) || !list[first-1].mine()) {
			return list[:first]
		}
	}
	return list
}

// minBroken is how many characters a quoted line has at least if a program broke it
// because it was too long.
const minBroken = 60

// rejoin takes for quoted what a program broke off a quoted line and put, without a
// mark, on a line of its own: a single shorter line between two quoted ones.
func rejoin(list []line) {
	for i := 1; i+1 < len(list); i++ {
		before, l, after := list[i-1], list[i], list[i+1]
		if !l.mine() || before.mine() || before.depth != after.depth || blank(l.text) || blank(after.text) {
			continue
		}
		if long := utf8.RuneCountInString(before.text); long >= minBroken && utf8.RuneCountInString(l.text)*2 < long {
			list[i].depth = before.depth
		}
	}
}

// maxWrapped is over how many lines an introduction may be broken.
const maxWrapped = 4

// introduction tells how many own lines, the last of which is line i, introduce a
// quote, and whether they do so even if none follows. Of several ways to read them,
// the one with the best beginning counts: a program may have broken the line just
// where the rest would do as well ("On Monday" / "at 10:15 Ann wrote:").
func introduction(list []line, i int) (n int, sure bool) {
	if !list[i].mine() || !mayIntroduce(list[i].text) {
		return 0, false
	}
	text, best := "", notAtAll
	for k := 1; k <= maxWrapped && k <= i+1; k++ {
		l := list[i-k+1]
		if !l.mine() || blank(l.text) || len(l.text) > maxIntroduction || k > 1 && ended(l.text) {
			break
		}
		text = strings.TrimSpace(l.text) + " " + text
		how, certain := introduces(text)
		if k > 1 && how == byName && startsNamed(l.text) { // it begins with this very line
			return k, certain
		}
		if how > best || how == best && how >= byDate {
			best, n, sure = how, k, certain
		}
	}
	return n, sure
}

// ended reports whether a line ends a sentence, so that none goes on in the next
// line. A full stop after a number or in a short line may belong to a date.
func ended(s string) bool {
	s = strings.TrimRight(s, " ")
	return strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, ":") ||
		strings.HasSuffix(s, ".") && !strings.ContainsAny(s, "0123456789") && len(s) > 12
}
