package moving

import (
	"hash/fnv"
	"path"
	"regexp"
	"slices"
	"strings"

	"nacre/memory"
)

// texts reads a file or a paste of notes of nobody in particular.
func texts(_ *Parcel, e entry, r *reading) error {
	text, err := r.text(e)
	if err != nil {
		return err
	}
	list, whole := markdown(text)
	return r.noteAll(e.place(0), list, whole)
}

// noteAll hands over the notes of a text, and tells where they are not all.
func (r *reading) noteAll(at Place, list []Note, whole bool) error {
	for _, n := range list {
		n.File = at.File
		if err := r.note(n); err != nil {
			return err
		}
	}
	r.tally.cut = r.tally.cut || !whole
	return nil
}

// memoryFile reads what another assistant keeps in its MEMORY.md and USER.md: lists and
// paragraphs below headings, or entries between signs of a section. What its template
// had written there is passed over.
func memoryFile(_ *Parcel, e entry, r *reading) error {
	text, err := r.text(e)
	if err != nil {
		return err
	}
	lines := strings.Split(withoutMatter(text), "\n")
	if separated(lines) {
		return r.noteAll(e.place(0), sections(lines), true)
	}
	lines = filled(lines, strings.EqualFold(path.Base(e.name), "user.md"))
	list, whole := markdown(strings.Join(lines, "\n"))
	list = prose(list, lines)
	for i := range list {
		promoted(&list[i].Draft)
	}
	return r.noteAll(e.place(0), list, whole)
}

var matter = regexp.MustCompile(`^---[ \t]*\r?\n(?s:.*?)\n---[ \t]*(?:\r?\n|$)`)

// withoutMatter blanks the fields that some programs write before a text.
func withoutMatter(text string) string {
	return matter.ReplaceAllStringFunc(text, func(m string) string { return strings.Repeat("\n", strings.Count(m, "\n")) })
}

// The forms of what a template leaves to be filled in.
var (
	box      = regexp.MustCompile(`^(\s*[-*+]\s+)\[([ xX])\](?:\s+(.*))?$`)
	bareKey  = regexp.MustCompile(`^\s*[-*+]\s+(?:\*\*[^*]+\*\*:?|[^:*]{1,40}:)$`)
	unfilled = regexp.MustCompile(`^\s*[-*+]\s+(?:\*\*[^*]+\*\*:?|[^:*]{1,40}:)\s*(?:[*_]?\(.*\)[*_]?|_.*_)$`)
	hint     = regexp.MustCompile(`^(?:[*_]{1,2}[^*_]*[*_]{1,2}|[*_]?\(.*\)[*_]?)$`)
)

// filled blanks the lines that only say what is to be written there. In a profile, a box
// that is ticked says what its heading asks, and one that is not says nothing.
func filled(lines []string, profile bool) []string {
	list := make([]string, len(lines))
	heading := ""
	for i, raw := range lines {
		raw = strings.TrimRight(raw, " \t\r")
		l := headed(lineOf(raw, i+1))
		if l.level > 0 {
			heading = l.heading()
		}
		list[i] = raw
		m := box.FindStringSubmatch(raw)
		switch {
		case templateLines[lineHash(l.text)], bareKey.MatchString(raw) && !below(lines, i), profile && m != nil && m[2] == " ":
			list[i] = ""
		case profile && m != nil && heading != "":
			list[i] = m[1] + heading + ": " + m[3]
		}
	}
	return list
}

// below reports whether a line has something nested in it.
func below(lines []string, i int) bool {
	return i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" && indent(lines[i+1]) > indent(lines[i])
}

// templateLines are hashes of what the templates of nanobot and OpenClaw, and Nacre's own
// MEMORY.md, hold beside headings: what the file is for, and what belongs where.
var templateLines = map[uint64]bool{
	0x307a0cd980da82a: true, 0x9d814c95a96ce371: true, 0x74a1c984b44be731: true,
	0x740a4ac26c0f0937: true, 0x60214d2ae89cbcff: true, 0x85ff81c04d8f61c8: true,
	0x792e2989b74213fa: true, 0xdf1c434a014295c9: true, 0xeba200270803e1a0: true,
	0xa4acd8b46bb5dbf3: true, 0x270494be74dcdb1b: true, 0x46297fa22696aa82: true,
	0xa9209502494de348: true, 0x470f545583eb15e3: true, 0x1a3d202cbf533c3a: true,
	0x4f473c151c59b2f6: true, 0x408b3e02d20132f6: true, 0x90556a12c5626b88: true,
	0x46e201daca024b7f: true, 0x9988f5b7a0b6f555: true, 0xf6b462a724ee541d: true, 0xee7ec87f9d582777: true,
	0x214cfdbd05beb285: true,
}

// lineHash is the hash of the words of a line.
func lineHash(line string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(memory.Slug(line)))
	return h.Sum64()
}

// Why lines of a memory are left out.
const (
	hintOnly = "It seems to say only what belongs there."
	codeOnly = "It is code, or a table."
)

// prose takes the paragraphs between lists for notes, as far as they are not what leads
// to a list, a hint or code. A paragraph that was broken into lines is one.
func prose(list []Note, lines []string) []Note {
	code := fenced(lines)
	var out []Note
	last := -1 // line of a paragraph that may go on
	for _, n := range list {
		raw := lines[n.Line-1]
		text := strings.TrimSpace(raw)
		beside := n.Left == outside
		switch {
		case code[n.Line-1], strings.HasPrefix(text, "|"), strings.HasPrefix(text, "```"):
			n.Left = codeOnly
		case !below(lines, n.Line-1) && (hint.MatchString(text) || unfilled.MatchString(raw)):
			n.Left = hintOnly
		case beside && last == n.Line-1 && goesOn(out[len(out)-1].Draft.Text):
			out[len(out)-1].Draft.Text += " " + n.Draft.Text
			last = n.Line
			continue
		case beside && !strings.HasSuffix(text, ":"):
			n.Left, last = "", n.Line
		}
		out = append(out, n)
	}
	return out
}

// goesOn reports whether a line may go on in the next one.
func goesOn(text string) bool { return !ended(text) && len(text) < memory.MaxText }

// fenced tells which lines are code.
func fenced(lines []string) []bool {
	list, code := make([]bool, len(lines)), false
	for i, l := range lines {
		fence := strings.HasPrefix(strings.TrimSpace(l), "```")
		list[i] = code || fence
		code = code != fence
	}
	return list
}

var promotedKey = regexp.MustCompile(`^\*\*([A-Za-z]+:[^*]{1,60})\*\*:?\s+(\S.*)$`)

// promoted reads a fact that Nuggets put into its MEMORY.md, under its key.
func promoted(d *memory.Draft) {
	if m := promotedKey.FindStringSubmatch(d.Text); m != nil && slices.Contains([]string{"pref", "learn"}, strings.ToLower(m[1][:strings.IndexByte(m[1], ':')])) {
		*d = fact{key: strings.TrimSuffix(m[1], ":"), value: m[2]}.draft("user")
	}
}
