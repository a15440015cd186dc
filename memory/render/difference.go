package render

import "nacre/memory"

// Differences tells people how one State is different from another, a line for
// each note and setting: what taking a change back has done. Show puts the text
// of a note on one line, such as Literal.
func Differences(before, after *memory.State, show func(text string) string) []string {
	var list []string
	anything := memory.Query{Everywhere: true, Hidden: true, Statuses: []memory.Status{
		memory.Candidate, memory.Tentative, memory.Observed, memory.Stated, memory.Archived, memory.Rejected}}
	for _, n := range before.Select(anything) {
		if words := difference(n, after.Note(n.ID)); words != "" {
			list = append(list, words+": "+show(n.Text))
		}
	}
	for _, name := range []string{memory.Saving, memory.Sensitive, memory.Checkpoints} {
		if on := after.On(name); on != before.On(name) {
			list = append(list, settingName(name)+": "+onOff(on))
		}
	}
	return list
}

// difference says what became of a note; empty if it is as it was.
func difference(was, now *memory.Note) string {
	switch {
	case now == nil || now.Status == memory.Erased || now.Status != was.Status && now.Status == memory.Archived:
		return "Not noted any more"
	case now.Status != was.Status:
		return Status(now.Status)
	case now.Pinned && !was.Pinned:
		return "Always at hand again"
	case was.Pinned && !now.Pinned:
		return "Not always at hand any more"
	}
	return ""
}

// settingName names a setting.
func settingName(name string) string {
	switch name {
	case memory.Saving:
		return "Remembering new things"
	case memory.Sensitive:
		return "Remembering sensitive topics"
	}
	return "Daily checkpoints"
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
