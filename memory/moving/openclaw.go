package moving

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var dayName = regexp.MustCompile(`^\d{4}-\d\d-\d\d`)

// noon is the hour of which the entries of a daily log are; which they were is not
// known.
const noon = 12

// dailyLog reads what OpenClaw wrote down of a day, memory/2026-05-01.md. It is a log,
// of which nobody can tell what is about the owner: each item and paragraph can be found
// as said by the assistant on that day, and becomes no note.
func dailyLog(_ *Parcel, e entry, r *reading) error {
	name := path.Base(e.name)
	day, err := time.ParseInLocation(time.DateOnly, dayName.FindString(name), r.zone)
	if err != nil {
		return r.left(e.place(0), "the file", "Its name is no day.")
	}
	text, err := r.text(e)
	if err != nil {
		return err
	}
	chat := strings.TrimSuffix(name, path.Ext(name))
	at, seen := day.Add(noon*time.Hour), map[string]int{}
	for _, p := range paragraphs(withoutMatter(text)) {
		s := Said{Source: FromOpenClaw, Chat: chat, Who: Assistant, At: at, Text: strings.Join(p.lines, "\n"), Place: e.place(p.number)}
		seen[s.Text]++
		s.ID = hashed(s.Text, strconv.Itoa(seen[s.Text]))
		if err := r.said(s); err != nil {
			return err
		}
		at = at.Add(time.Second)
	}
	return nil
}

// paragraph is a paragraph or an item of a text.
type paragraph struct {
	number int // of its first line
	lines  []string
}

// paragraphs are the items and paragraphs of a text, each with what is nested in it.
// Headings begin those that follow.
func paragraphs(text string) []paragraph {
	var list []paragraph
	open, heading := false, ""
	for l := range linesOf(text) {
		switch {
		case l.level > 0:
			open, heading = false, l.heading()
		case !says(l.text):
			open = false
		case open && (!l.bullet || l.indent > 0):
			last := &list[len(list)-1]
			last.lines = append(last.lines, l.text)
		default:
			open = true
			if heading != "" && !dayName.MatchString(heading) {
				l.text = heading + ": " + l.text
			}
			list = append(list, paragraph{l.number, []string{l.text}})
		}
	}
	return list
}
