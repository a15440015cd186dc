package moving

import (
	"encoding/json"
	"path"
	"strings"

	"nacre/memory"
)

// promotedHits is how often a fact of Nuggets was recalled before it was put at the top
// of that memory.
const promotedHits = 3

// nuggets reads a file of Nuggets, of any of its versions: keys and values, and how often
// each was recalled. Of keys that differ in their capitals alone, the one that was
// recalled most counts. What it noted of files and of work in hand is not taken over.
func nuggets(_ *Parcel, e entry, r *reading) error {
	text, err := r.text(e)
	if err != nil {
		return err
	}
	var list []fact
	at, passed := map[string]int{}, 0
	take := func(el element) error {
		f, why := factOf(el)
		switch i, twice := at[strings.ToLower(f.key)]; {
		case why == ofFiles:
			passed++
		case why != "":
			return r.left(e.place(el.number), "a fact", why)
		case !twice:
			at[strings.ToLower(f.key)] = len(list)
			list = append(list, f)
		case f.hits > list[i].hits:
			list[i] = f
		}
		return nil
	}
	err = readEntries(strings.NewReader(text), "facts", take, func(el element, why string) error {
		return r.left(e.place(el.number), "a fact", why)
	})
	if err == nil && passed > 0 {
		err = r.left(e.place(0), plural(passed, "fact"), ofFiles)
	}
	if err != nil {
		return err
	}
	kind := nuggetKind(e, text)
	for _, f := range list {
		if err := r.note(Note{File: e.place(0).File, Line: f.number, Draft: f.draft(kind)}); err != nil {
			return err
		}
	}
	return nil
}

// fact is a fact of Nuggets.
type fact struct {
	number     int
	key, value string
	hits       float64
}

// Why facts are left out.
const (
	ofFiles = "It is about files and work in hand, which mean nothing here."
	noFact  = "It has no key or no value."
)

func factOf(el element) (f fact, why string) {
	o, ok := objectOf(el.raw)
	f = fact{number: el.number, key: o.text("key"), value: o.words("value")}
	f.hits, _ = o.number("hits")
	switch {
	case !ok:
		return f, malformed
	case f.key == "_task" || strings.HasPrefix(f.key, "file:") || strings.HasPrefix(f.key, "edited:"):
		return f, ofFiles
	case f.key == "" || f.value == "":
		return f, noFact
	}
	return f, ""
}

// nuggetKind is whose facts a file holds: the user's, a project's or the agent's.
func nuggetKind(e entry, text string) string {
	var head struct{ Name any }
	_ = json.Unmarshal([]byte(text), &head) // a file that is malformed has the name that it is called by
	if name, ok := head.Name.(string); ok && name != "" {
		return strings.ToLower(name)
	}
	name, _, _ := strings.Cut(path.Base(e.name), ".")
	return strings.ToLower(name)
}

// draft makes a note of a fact. What the key says that the value does not stands before
// it.
func (f fact) draft(kind string) memory.Draft {
	area, key := memory.About, f.key
	prefix, rest, ok := strings.Cut(f.key, ":")
	switch {
	case ok && prefix == "pref" && rest != "":
		area, key = memory.Preferences, rest
	case ok && prefix == "learn" && rest != "":
		area, key = memory.Lessons, rest
	case kind == "project" || kind == "agent":
		area = memory.Lessons
	}
	d := memory.Draft{Area: area, Slug: memory.Slug(key), Text: f.value, Pinned: f.hits >= promotedHits}
	if d.Slug != "" && !strings.HasPrefix(memory.Slug(f.value), d.Slug) {
		d.Text = strings.Join(strings.FieldsFunc(key, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }), " ") + ": " + f.value
	}
	return d
}
