package moving

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"path"
	"strings"
	"time"

	"nacre"
	"nacre/memory"
)

// The form of an archive, as ARCHIVE.md describes it.
const (
	archiveFormat  = "nacre-archive"
	archiveVersion = 1

	manifestFile = "manifest.json"
	historyFile  = "history.jsonl"
	evidenceFile = "evidence.jsonl"
	notesFile    = "notes.jsonl"
	jobsFile     = "jobs.jsonl"
	settingsFile = "settings.json"
	ownFiles     = "files/"
)

// manifest says what an archive is.
type manifest struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Made    string `json:"made"` // RFC 3339
}

// ArchiveNote is a line of notes.jsonl: a note in one of its versions.
type ArchiveNote struct {
	Area      memory.Area   `json:"area"`
	Slug      string        `json:"slug"`
	Text      string        `json:"text"`
	Abstract  string        `json:"abstract,omitempty"`
	Kind      memory.Kind   `json:"kind,omitempty"`
	Entities  []string      `json:"entities,omitempty"`
	From      string        `json:"from,omitempty"` // this and the next three as memory.Date is written
	To        string        `json:"to,omitempty"`
	Event     string        `json:"event,omitempty"`
	Expires   string        `json:"expires,omitempty"`
	Status    memory.Status `json:"status"`
	Origin    memory.Origin `json:"origin"`
	Pinned    bool          `json:"pinned,omitempty"`
	Sensitive string        `json:"sensitive,omitempty"` // its topic
	Scope     memory.Scope  `json:"scope,omitempty"`     // its group
	Recorded  time.Time     `json:"recorded"`            // when it was believed
	Until     time.Time     `json:"until,omitzero"`      // until when; zero for still
}

// Key is how an ArchiveEvidence names the note.
func (n *ArchiveNote) Key() string { return string(n.Area) + "/" + n.Slug }

// ArchiveEvidence is a line of evidence.jsonl: words that a note rests on.
type ArchiveEvidence struct {
	Note     string       `json:"note"`            // its Key
	Scope    memory.Scope `json:"scope,omitempty"` // of the note
	Recorded time.Time    `json:"recorded"`        // of the note: which of those that stood there
	Source   Source       `json:"source"`          // this and the next two as in history.jsonl
	Chat     string       `json:"chat"`
	Message  string       `json:"message"`
	Quote    string       `json:"quote"`
	At       time.Time    `json:"at"` // when it was said
}

// ArchiveSaid is a line of history.jsonl: a message, or an answer.
type ArchiveSaid struct {
	Source Source    `json:"source"` // FromNacre for what was said here
	Chat   string    `json:"chat"`   // unique in the source
	ID     string    `json:"id"`     // unique in the chat
	Who    Who       `json:"who"`
	Name   string    `json:"name,omitempty"` // of another person, for people
	At     time.Time `json:"at"`
	Text   string    `json:"text"`
	Group  bool      `json:"group,omitempty"` // it was said in a group
}

// ArchiveJob is a line of jobs.jsonl.
type ArchiveJob struct {
	Kind     nacre.JobKind  `json:"kind"`
	Schedule nacre.Schedule `json:"schedule"`
	Text     string         `json:"text"`
	State    nacre.JobState `json:"state"`
}

// ArchiveSetting is one of settings.json.
type ArchiveSetting struct {
	Name  string `json:"name"` // as web.SettingsChange names it
	Value string `json:"value"`
}

// Archive is the full export of an owner while it is written: a zip of JSON Lines,
// described in ARCHIVE.md, which Open reads again. Nothing of it is held but the
// settings, and the same input gives the same bytes. Whatever is of one kind is written
// in a row; kinds may come in any order. An error is that of the writer, and stays.
type Archive struct {
	zip      *zip.Writer
	open     string          // the file that lines go to; empty for none
	to       io.Writer       // its
	done     map[string]bool // files that were begun
	settings []ArchiveSetting
	err      error
}

// NewArchive begins one. made is the moment, in RFC 3339.
func NewArchive(w io.Writer, made string) *Archive {
	a := &Archive{zip: zip.NewWriter(w), done: map[string]bool{}}
	raw, _ := encode(manifest{archiveFormat, archiveVersion, made}) // of strings and a number
	a.file(manifestFile, raw)
	return a
}

// Note writes a note.
func (a *Archive) Note(n ArchiveNote) error {
	n.Recorded, n.Until = n.Recorded.UTC(), n.Until.UTC()
	return a.line(notesFile, n)
}

// Evidence writes words that a note rests on.
func (a *Archive) Evidence(e ArchiveEvidence) error {
	e.Recorded, e.At = e.Recorded.UTC(), e.At.UTC()
	return a.line(evidenceFile, e)
}

// Said writes a message.
func (a *Archive) Said(s ArchiveSaid) error {
	s.At = s.At.UTC()
	return a.line(historyFile, s)
}

// Job writes a job.
func (a *Archive) Job(j ArchiveJob) error {
	if !j.Schedule.At.IsZero() {
		j.Schedule.At = j.Schedule.At.UTC()
	}
	return a.line(jobsFile, j)
}

// Setting writes a setting.
func (a *Archive) Setting(s ArchiveSetting) error {
	a.settings = append(a.settings, s)
	return a.err
}

// File writes a file of the owner's folder as it is, under its name there.
func (a *Archive) File(name string, data []byte) error {
	return a.file(ownFiles+strings.TrimPrefix(path.Clean("/"+name), "/"), data)
}

// Close ends it. The writer beneath stays open.
func (a *Archive) Close() error {
	for _, name := range []string{historyFile, evidenceFile, notesFile, jobsFile} {
		if !a.done[name] {
			a.begin(name)
		}
	}
	lines := make([][]byte, len(a.settings))
	for i, s := range a.settings {
		raw, _ := encode(s) // of strings
		lines[i] = bytes.TrimSpace(raw)
	}
	a.file(settingsFile, append(append([]byte("[\n"), bytes.Join(lines, []byte(",\n"))...), "\n]\n"...))
	if a.err != nil {
		return a.err
	}
	return a.zip.Close()
}

// line writes a line of one of the files of lines.
func (a *Archive) line(name string, record any) error {
	if a.open != name {
		if a.done[name] && a.err == nil {
			a.err = nacre.Errorf(nacre.Internal, "%s of the archive is ended already", name)
		}
		a.begin(name)
	}
	raw, err := encode(record)
	if a.err == nil {
		a.err = err
	}
	return a.write(raw)
}

// file writes a whole file.
func (a *Archive) file(name string, data []byte) error {
	a.begin(name)
	a.open = ""
	return a.write(data)
}

// archiveTime is when all files of archives were changed, so that nothing but what they
// hold makes a difference.
var archiveTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// begin begins a file.
func (a *Archive) begin(name string) {
	if a.err != nil {
		return
	}
	a.open, a.done[name] = name, true
	a.to, a.err = a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: archiveTime})
}

func (a *Archive) write(raw []byte) error {
	if a.err == nil {
		_, a.err = a.to.Write(raw)
	}
	return a.err
}

// encode is a value in JSON, on a line, with signs as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
