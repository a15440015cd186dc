package moving

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"nacre"
	"nacre/memory"
)

// archiveForms is our own archive, known by its manifest. What lies beside that is read
// with it, and by nobody else.
var archiveForms = []form{{source: FromNacre, stage: saids, path: named(`manifest\.json`), head: holds(`"` + archiveFormat + `"`), read: readArchive}}

// readArchive reads our own archive, at its manifest.
func readArchive(p *Parcel, e entry, r *reading) error {
	if err := checkManifest(e, r); err != nil {
		return err
	}
	a := archived{p: p, r: r, dir: strings.TrimSuffix(e.name, path.Base(e.name)), quotes: map[noteKey][]Quote{}}
	return a.read()
}

// checkManifest refuses an archive that this program cannot read. The error is Invalid
// then.
func checkManifest(e entry, r *reading) error {
	text, err := r.text(e)
	if err != nil {
		return err
	}
	var m manifest
	if json.Unmarshal([]byte(text), &m) != nil || m.Format != archiveFormat || m.Version < 1 {
		return nacre.Errorf(nacre.Invalid, "The archive's manifest.json is damaged; export the archive again.")
	}
	if m.Version > archiveVersion {
		return nacre.Errorf(nacre.Invalid, "The archive was made by a newer Nacre than this one; update Nacre, then import it again.")
	}
	return nil
}

// archived is an archive while it is read.
type archived struct {
	p      *Parcel
	r      *reading
	dir    string // where the manifest lies, with a slash at its end; empty at the top
	quotes map[noteKey][]Quote
	weight int // bytes of quotes
}

// noteKey names a note in one of its versions.
type noteKey struct {
	place    string
	scope    memory.Scope
	recorded int64 // nanoseconds since 1970
}

// read reads all files. The history comes first, so that it is stored when notes cite
// it. One that is damaged is told, and the others are read.
func (a *archived) read() error {
	steps := []struct {
		name string
		read func(entry) error
	}{{historyFile, a.history}, {evidenceFile, a.evidence}, {notesFile, a.notes}, {jobsFile, a.jobs}, {settingsFile, a.settings}}
	for _, s := range steps {
		e, ok := a.p.find(a.dir + s.name)
		if !ok {
			if err := a.r.left(Place{File: a.dir + s.name}, "the file", "It is missing in the archive."); err != nil {
				return err
			}
			continue
		}
		if err := a.r.over(e, s.read(e)); err != nil {
			return err
		}
	}
	return a.files()
}

// records hands over the lines of a file, decoded. What is malformed is told.
func records[T any](r *reading, e entry, what string, take func(Place, *T) error) error {
	in, err := r.open(e)
	if err != nil {
		return err
	}
	defer in.Close()
	return readLines(in, func(number int, raw []byte) error {
		if len(raw) == 0 {
			return nil
		}
		var record T
		if crowded(raw) || json.Unmarshal(raw, &record) != nil {
			return r.left(e.place(number), what, badMessage)
		}
		return take(e.place(number), &record)
	}, func(number int) error { return r.left(e.place(number), what, tooLong) })
}

// history reads what was said.
func (a *archived) history(e entry) error {
	groups := 0
	err := records(a.r, e, "a message", func(at Place, s *ArchiveSaid) error {
		switch {
		case !known(s.Source) || !slices.Contains([]Who{Owner, Assistant, Others}, s.Who) || s.Chat == "" || s.ID == "":
			return a.r.left(at, "a message", badMessage)
		case s.Group:
			groups++
			return nil
		}
		return a.r.said(Said{Source: s.Source, Chat: idOf(s.Chat), ID: idOf(s.ID), Who: s.Who, At: s.At.UTC(), Text: s.Text, Place: at})
	})
	if err != nil || groups == 0 {
		return err
	}
	return a.r.left(e.place(0), plural(groups, "message"), "What was said in groups stays there.")
}

// Limits of the evidence of an archive; the rest is left out.
const (
	maxQuotes  = 16 << 20 // bytes of all
	noteQuotes = 20       // of one note
)

// evidence reads what notes rest on, to be handed over with them.
func (a *archived) evidence(e entry) error {
	over := 0
	err := records(a.r, e, "a quote", func(at Place, ev *ArchiveEvidence) error {
		if !known(ev.Source) || ev.Note == "" || ev.Chat == "" || ev.Message == "" || ev.Quote == "" {
			return a.r.left(at, "a quote", badMessage)
		}
		key := noteKey{ev.Note, ev.Scope, ev.Recorded.UnixNano()}
		q := Quote{Source: ev.Source, Chat: idOf(ev.Chat), Message: idOf(ev.Message), Text: ev.Quote}
		if slices.Contains(a.quotes[key], q) {
			return nil
		}
		if len(a.quotes[key]) == noteQuotes {
			over++
			return nil
		}
		a.weight += len(key.place) + len(key.scope) + len(q.Chat) + len(q.Message) + len(q.Text) + quoteWeight
		if a.weight > maxQuotes {
			over++
			return nil
		}
		a.quotes[key] = append(a.quotes[key], q)
		return nil
	})
	if err != nil || over == 0 {
		return err
	}
	return a.r.left(e.place(0), plural(over, "quote"), "There are more than anybody's notes rest on.")
}

// quoteWeight is what a quote takes beside its words, in bytes.
const quoteWeight = 128

// notes reads the notes. How far they were trusted there, and where they came from, is
// not taken over: whoever can write a file could write that too.
func (a *archived) notes(e entry) error {
	return records(a.r, e, "a note", func(at Place, n *ArchiveNote) error {
		if !slices.Contains(memory.Areas, n.Area) || n.Slug == "" || n.Text == "" {
			return a.r.left(at, "a note", badMessage)
		}
		out := Note{File: at.File, Line: at.Line, Draft: n.draft(), Sensitive: n.Sensitive != ""}
		switch {
		case n.Scope != memory.Private:
			out.Left = ofGroup
		case !n.Status.Live():
			out.Left = letGo
		case n.Origin == memory.FromEmail:
			out.Left = learnedStyle
		default:
			key := noteKey{n.Key(), n.Scope, n.Recorded.UnixNano()}
			out.Quotes = a.quotes[key]
			delete(a.quotes, key) // whatever else says that it is this version rests on nothing
		}
		return a.r.note(out)
	})
}

// draft is the note as one wants it.
func (n *ArchiveNote) draft() memory.Draft {
	return memory.Draft{Area: n.Area, Slug: n.Slug, Text: n.Text, Abstract: n.Abstract, Kind: n.Kind, Entities: n.Entities,
		From: n.From, To: n.To, Event: n.Event, Expires: n.Expires, Pinned: n.Pinned}
}

// jobs reads the jobs.
func (a *archived) jobs(e entry) error {
	return records(a.r, e, "a job", func(at Place, j *ArchiveJob) error {
		out := Job{Place: at, Kind: j.Kind, Schedule: j.Schedule, Text: j.Text}
		switch {
		case j.Kind != nacre.Reminder && j.Kind != nacre.Task || j.Text == "":
			return a.r.left(at, "a job", badMessage)
		case j.State == nacre.Finished:
			out.Left = "It is over."
		case !due(&j.Schedule):
			out.Left = noMoment
		}
		return a.r.job(out)
	})
}

// due reports whether a schedule says when anything is due.
func due(s *nacre.Schedule) bool {
	switch s.Kind {
	case nacre.Once:
		return datable(s.At)
	case nacre.Every:
		return s.Every > 0 && s.Every <= longestEvery
	case nacre.Cron:
		return s.Cron != ""
	}
	return false
}

// settings reads how the owner wanted things.
func (a *archived) settings(e entry) error {
	text, err := a.r.text(e)
	if err != nil {
		return err
	}
	return readEntries(strings.NewReader(text), "settings", func(el element) error {
		var s ArchiveSetting
		if json.Unmarshal(el.raw, &s) != nil || s.Name == "" {
			return a.r.left(e.place(el.number), "a setting", badMessage)
		}
		return a.r.setting(Setting{Place: e.place(el.number), Name: s.Name, Value: s.Value})
	}, func(el element, why string) error { return a.r.left(e.place(el.number), "a setting", why) })
}

// files tells of the owner's own files, which say how Nacre behaves: nothing that comes
// from outside does that.
func (a *archived) files() error {
	for _, e := range a.p.entries {
		name, ok := strings.CutPrefix(e.name, a.dir+ownFiles)
		if !ok {
			continue
		}
		why := "It says how I behave, so I do not take it from an archive. If it is yours, put it under Memory → Files."
		if name == "MEMORY.md" {
			why = a.ofMemory(e)
		}
		if err := a.r.left(e.place(0), "the file", why); err != nil {
			return err
		}
	}
	return nil
}

// What becomes of MEMORY.md.
const (
	writtenAnew = "I write it anew from your notes."
	besideNotes = "I write it anew from your notes, but not what you wrote around them. If you want to keep that, put it into MEMORY.md in the folder that nacre memory path names."
)

// ofMemory is what becomes of a MEMORY.md. One that cannot be read may hold anything.
func (a *archived) ofMemory(e entry) string {
	if text, err := a.r.text(e); err == nil && !aroundNotes(text) {
		return writtenAnew
	}
	return besideNotes
}

// aroundNotes reports whether a MEMORY.md holds more than what Nacre writes into one:
// headings, what the file is for (see templateLines), and the notes between their marks.
func aroundNotes(text string) bool {
	before, rest, marked := strings.Cut(text, "<!-- memory:begin")
	if marked {
		_, rest, _ = strings.Cut(rest, "<!-- memory:end")
		_, rest, _ = strings.Cut(rest, "-->")
	}
	for l := range linesOf(before + "\n" + rest) {
		if l.level == 0 && says(l.text) && !templateLines[lineHash(l.text)] {
			return true
		}
	}
	return false
}
