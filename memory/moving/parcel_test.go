package moving

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"nacre"
)

// found is all that a Parcel holds, a line each, in the order in which it came.
type found struct {
	lines []string
	notes []Note
	saids []Said
	jobs  []Job
	lefts []Left
}

func (f *found) receiver() Receiver {
	at := func(p Place) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }
	add := func(format string, args ...any) error {
		f.lines = append(f.lines, fmt.Sprintf(format, args...))
		return nil
	}
	return Receiver{
		Note: func(n Note) error {
			f.notes = append(f.notes, n)
			d := n.Draft
			line := fmt.Sprintf("note %s %s %s", at(Place{File: n.File, Line: n.Line}), place(&d), d.Text)
			if d.Event != "" {
				line += " on " + d.Event
			}
			if d.Pinned {
				line += " pinned"
			}
			if n.Left != "" {
				line += " (" + n.Left + ")"
			}
			return add("%s", line)
		},
		Said: func(s Said) error {
			f.saids = append(f.saids, s)
			return add("said %s %s/%s %s %s: %s", at(s.Place), s.Source, s.Chat, s.Who, s.At.Format("2006-01-02 15:04:05"), s.Text)
		},
		Job: func(j Job) error {
			f.jobs = append(f.jobs, j)
			when := cmp.Or(j.Schedule.Cron, j.Schedule.Every.String())
			if j.Schedule.Cron == "" && !j.Schedule.At.IsZero() {
				when += j.Schedule.At.Format(" 2006-01-02 15:04 MST")
			}
			return add("job %s %s %s %s %s (%s)", at(j.Place), j.Kind, j.Schedule.Kind, strings.TrimSpace(when+" "+j.Schedule.Zone), j.Text, j.Left)
		},
		Left: func(l Left) error {
			f.lefts = append(f.lefts, l)
			return add("left %s %s: %s", at(l.Place), l.What, l.Why)
		},
	}
}

// zipOf is a zip of files, in the order of their names and texts.
func zipOf(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// home is the owner's zone in tests.
var home = time.FixedZone("home", 2*60*60)

// opened reads a Parcel.
func opened(t testing.TB, name string, raw []byte) (*Parcel, found) {
	t.Helper()
	p, err := Open(name, bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(name, err)
	}
	var f found
	if err := p.Read(home, f.receiver()); err != nil {
		t.Fatal(name, err)
	}
	return p, f
}

// expect compares lines, and shows where they differ.
func expect(t *testing.T, name string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// header is a file of a zip with a name or a mode of its own.
func header(t *testing.T, h zip.FileHeader, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, h := range []*zip.FileHeader{&h, {Name: "notes.md"}} {
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Whatever the name of a file is, it is read as itself or told, and the file beside it
// is read.
func TestHostileNames(t *testing.T) {
	link := zip.FileHeader{Name: "link.md"}
	link.SetMode(0o777 | 1<<27)
	for _, c := range []struct {
		h   zip.FileHeader
		why string
	}{
		{zip.FileHeader{Name: "../evil.md"}, "Its name leads out of the archive."},
		{zip.FileHeader{Name: "a/../../evil.md"}, "Its name leads out of the archive."},
		{zip.FileHeader{Name: "/etc/evil.md"}, "Its name is a path of another computer."},
		{zip.FileHeader{Name: `..\evil.md`}, "Its name is a path of another computer."},
		{zip.FileHeader{Name: "C:evil.md"}, "Its name is a path of another computer."},
		{zip.FileHeader{Name: "a\x00.md"}, "Its name holds signs that names do not have."},
		{zip.FileHeader{Name: "a\x1b[31m.md"}, "Its name holds signs that names do not have."},
		{zip.FileHeader{Name: "a\xff.md", NonUTF8: true}, "Its name holds signs that names do not have."},
		{zip.FileHeader{Name: strings.Repeat("a", 2000) + ".md"}, "Its name is too long."},
		{link, "It is no file but points to another one."},
		{zip.FileHeader{Name: "notes.md"}, "It is there twice; the first one counts."},
		{zip.FileHeader{Name: "./notes.md"}, "It is there twice; the first one counts."},
		{zip.FileHeader{Name: "in.zip"}, nested},
		{zip.FileHeader{Name: "photo.png"}, unknown},
		{zip.FileHeader{Name: "__MACOSX/._notes.md"}, ""},
		{zip.FileHeader{Name: "a/.DS_Store"}, ""},
		{zip.FileHeader{Name: ".git/config"}, ""},
	} {
		_, f := opened(t, "x.zip", header(t, c.h, "- Tea."))
		if len(f.notes) != 1 || f.notes[0].File != "notes.md" && f.notes[0].File != "./notes.md" {
			t.Errorf("%q: %+v", c.h.Name, f.notes)
		}
		switch {
		case c.why == "" && len(f.lefts) > 0:
			t.Errorf("%q is told: %+v", c.h.Name, f.lefts)
		case c.why != "" && (len(f.lefts) != 1 || f.lefts[0].Why != c.why || f.lefts[0].File != shown(f.lefts[0].File)):
			t.Errorf("%q: %+v, not %q", c.h.Name, f.lefts, c.why)
		}
	}
}

func TestFoldersDoNotMatter(t *testing.T) {
	for _, folder := range []string{"", "home/.nuggets/", "export 2026/ünder/"} {
		_, f := opened(t, "x.zip", zipOf(t, folder+"user.nugget.json", `{"facts":[{"key":"dog","value":"Kiko"}]}`))
		expect(t, folder, f.lines, []string{"note " + folder + "user.nugget.json:1 about/dog dog: Kiko"})
	}
}

func TestHostileArchives(t *testing.T) {
	good := zipOf(t, "notes.md", "- Tea.")
	locked := bytes.Clone(zipOf(t, "locked.md", "- Tea.", "notes.md", "- Coffee."))
	for i := bytes.Index(locked, []byte("PK\x01\x02")); i >= 0; i = -1 {
		locked[i+8] |= 1
	}
	for _, c := range []struct {
		name string
		raw  []byte
		want []string
	}{
		{"locked", locked, []string{"left locked.md:0 the file: It is locked with a password; pack it without one.", "note notes.md:1 about/ Coffee."}},
		{"a bomb", bomb(t, 1<<30, 1<<20), []string{"left memory/2026-05-01.md:0 the file: It would unpack to far more than anybody writes."}},
		{"more than all", bomb(t, MaxUnpacked+1, MaxUnpacked/10), []string{"left memory/2026-05-01.md:0 the file: " + tooMuch}},
		{"says too little", bomb(t, 2, 5), []string{"left memory/2026-05-01.md:0 the rest of the file: It is damaged; what could be read of it was taken."}},
		{"too long", zipOf(t, "MEMORY.md", strings.Repeat("- Tea is good.\n", MaxText/10), "memory/2026-05-01.md", "- Tea."),
			[]string{"said memory/2026-05-01.md:1 openclaw/2026-05-01 assistant 2026-05-01 12:00:00: Tea.", "left MEMORY.md:0 the file: It is longer than 1 MB; import it in parts."}},
		{"kinds", zipOf(t, "a.png", "x", "SOUL.md", "x", "b.png", "x", "USER.md", "- Tea.", "skills/a/SKILL.md", "x", "skills/a/run.py", "x", ".env", "TOKEN=x"), []string{
			"left SOUL.md:0 the file: " + ofCharacter, "left skills/a/SKILL.md:0 2 files like this: " + ofSkills, "left .env:0 the file: " + ofSecrets,
			"left a.png:0 2 files like this: " + unknown, "note USER.md:1 about/ Tea."}},
		{"positive", good, []string{"note notes.md:1 about/ Tea."}},
	} {
		_, f := opened(t, "x.zip", c.raw)
		expect(t, c.name, f.lines, c.want)
	}
}

// bomb is a file that says to have so many bytes, unpacked and packed.
func bomb(t *testing.T, unpacked, said uint64) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateRaw(&zip.FileHeader{Name: "memory/2026-05-01.md", Method: zip.Deflate, UncompressedSize64: unpacked, CompressedSize64: said})
	if err == nil {
		_, err = f.Write([]byte("\x4b\x4c\x4c\x04\x00"))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A file whose bytes are damaged is told, and the others are read.
func TestDamagedEntry(t *testing.T) {
	raw := zipOf(t, "MEMORY.md", "- "+strings.Repeat("Tea and more. ", 20), "USER.md", "- Coffee.")
	raw[60] ^= 0xff
	_, f := opened(t, "x.zip", raw)
	expect(t, "damaged", f.lines, []string{"left MEMORY.md:0 the rest of the file: It is damaged; what could be read of it was taken.", "note USER.md:1 about/ Coffee."})
}

func TestUnreadable(t *testing.T) {
	good := zipOf(t, "notes.md", "- Tea.")
	many := bytes.Clone(good)
	many = append(many[:len(many)-22], append(zip64(uint64(len(many)-22), 1<<40), many[len(many)-22:]...)...)
	for _, c := range []struct {
		name, file string
		raw        []byte
		want       string
	}{
		{"nothing", "", nil, "There is nothing in it."},
		{"blanks", "a.md", []byte(" \n\t"), "There is nothing in it."},
		{"no files", "a.zip", zipOf(t), "There is nothing in it."},
		{"a cut archive", "a.zip", good[:len(good)/2], "The archive is damaged"},
		{"a picture", "a.png", []byte("\x89PNG\r\n\x1a\n\x00\x00"), "Nacre does not know what this is."},
		{"another packing", "a.tar.gz", []byte("\x1f\x8b\x08"), "Nacre cannot unpack this"},
		{"strange JSON", "a.json", []byte(`{"a": 1}`), "Nacre does not know what this is."},
		{"a strange list", "", []byte(`[{"a": 1}]`), "Nacre does not know what this is."},
		{"much text", "", []byte(strings.Repeat("Tea is good. ", MaxText/10)), "That is more than 1 MB of text"},
		{"files without number", "a.zip", many, "The archive holds too many files"},
	} {
		if _, err := Open(c.file, bytes.NewReader(c.raw), int64(len(c.raw))); nacre.KindOf(err) != nacre.Invalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := Open("a.zip", bytes.NewReader(good), int64(len(good))); err != nil {
		t.Error(err)
	}
}

// zip64 is a record of so many files, and the locator that points to it.
func zip64(at, files uint64) []byte {
	record := make([]byte, 56+20)
	copy(record, "PK\x06\x06")
	for i := range 8 {
		record[24+i], record[32+i] = byte(files>>(8*i)), byte(files>>(8*i))
		record[56+8+i] = byte(at >> (8 * i))
	}
	copy(record[56:], "PK\x06\x07")
	return record
}

// What is wrong with the bytes themselves, or with who takes them, ends it.
func TestErrorsEndIt(t *testing.T) {
	raw := zipOf(t, "MEMORY.md", "- Tea.\n- Coffee.", "USER.md", "- Water.")
	broken := errors.New("broken")
	at := &failing{Reader: bytes.NewReader(raw)}
	p, err := Open("x.zip", at, int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := p.Read(home, Receiver{Note: func(Note) error { n++; return broken }}); err != broken || n != 1 {
		t.Errorf("%v after %d notes", err, n)
	}
	at.err = broken
	if err := p.Read(home, Receiver{}); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := Open("x.zip", at, int64(len(raw))); !errors.Is(err, broken) {
		t.Error(err)
	}
	at.err = nil
	var f found
	if err := p.Read(home, f.receiver()); err != nil || len(f.notes) != 3 {
		t.Errorf("%v, %q", err, f.lines)
	}
}

// failing is bytes that cannot be read while it has an error.
type failing struct {
	*bytes.Reader
	err error
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return f.Reader.ReadAt(p, off)
}

func TestProgress(t *testing.T) {
	text := "- Tea.\n" + strings.Repeat(" ", 750_000)
	raw := zipOf(t, "a/MEMORY.md", text, "b/MEMORY.md", text, "c/MEMORY.md", text)
	p, err := Open("x.zip", bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var steps []int64
	err = p.Read(home, Receiver{Progress: func(read, all int64) {
		if all != int64(3*len(text)) {
			t.Errorf("%d of %d", read, all)
		}
		steps = append(steps, read)
	}})
	if err != nil || len(steps) < 3 || !slices.IsSorted(steps) || steps[len(steps)-1] != int64(3*len(text)) {
		t.Errorf("%v: %v", err, steps)
	}
}

func TestMuchUnpacked(t *testing.T) {
	raw := zipOf(t, "MEMORY.md", "- Tea.")
	p, err := Open("x.zip", bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		unpacked int64
		want     string
	}{{0, "note MEMORY.md:1 about/ Tea."}, {MaxUnpacked, "left MEMORY.md:0 the rest of the file: " + tooMuch}} {
		var f found
		in := newReading(p, home, f.receiver())
		in.unpacked = c.unpacked
		if err := in.read(p.files[0]); err != nil {
			t.Error(err)
		}
		expect(t, "unpacked", f.lines, []string{c.want})
	}
}

func TestManyFiles(t *testing.T) {
	files := make([]*zip.File, MaxFiles+3)
	for i := range files {
		files[i] = &zip.File{FileHeader: zip.FileHeader{Name: fmt.Sprintf("%d.png", i)}}
	}
	for _, c := range []struct {
		files int
		want  []Left
	}{
		{MaxFiles, nil},
		{MaxFiles + 3, []Left{{What: "3 other files", Why: "The archive holds more than 20,000 files; pack only the folder of the assistant."}}},
	} {
		var p Parcel
		p.take(files[:c.files])
		if len(p.entries) != MaxFiles || !slices.Equal(p.left, c.want) {
			t.Errorf("of %d files: %d, %+v", c.files, len(p.entries), p.left)
		}
	}
}

// Whatever comes, every find is of a file that is there, and there is no more of it than
// was read.
func FuzzOpen(f *testing.F) {
	for _, files := range [][]string{
		{"user.nugget.json", `{"facts":[{"key":"a","value":"b","hits":"3"}]}`, "MEMORY.md", "- **pref:a**: b"},
		{".nanobot/config.json", `{"channels":{"telegram":{"allowFrom":["1"]}}}`, "memory/MEMORY.md", "- [x] a\n§\nb"},
		{"cron/jobs.json", `[{"cron":"1 2 3 4 *","prompt":"a","jid":"","oneShot":true,"createdAt":1767225600000}]`},
		{"memory/2026-05-01.md", "# a\n- b\n  c", "log/2026-05.md", "- 2026-05-01 · a"},
		{"../a", "b", "b.zip", "PK\x03\x04"},
	} {
		f.Add("x.zip", zipOf(f, files...))
		f.Add(files[0], []byte(files[1]))
	}
	f.Fuzz(func(t *testing.T, name string, raw []byte) {
		p, err := Open(name, bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			if nacre.KindOf(err) != nacre.Invalid {
				t.Fatal(err)
			}
			return
		}
		there := map[string]bool{"": true}
		for _, e := range p.entries {
			there[e.name] = true
		}
		for _, l := range p.left {
			there[l.File] = there[l.File] || l.File == shown(l.File)
		}
		var got found
		var read int64
		to := got.receiver()
		to.Progress = func(n, _ int64) { read = n }
		if err := p.Read(home, to); err != nil && nacre.KindOf(err) != nacre.Invalid {
			t.Fatal(err)
		}
		size := 0
		for _, n := range got.notes {
			size += len(n.Draft.Text)
			if !there[n.File] || !utf8.ValidString(n.Draft.Text) {
				t.Fatalf("%+v", n)
			}
		}
		for _, j := range got.jobs {
			size += len(j.Text)
			if !there[j.File] || j.Left == "" && (j.Text == "" || j.Schedule.Kind == "") {
				t.Fatalf("%+v", j)
			}
		}
		for _, l := range got.lefts {
			if !there[l.File] || l.What == "" || l.Why == "" || l.Line < 0 {
				t.Fatalf("%+v", l)
			}
		}
		if most := (maxHeading + 4) * (int(read) + 1); size > most {
			t.Fatalf("%d bytes are made of %d", size, read)
		}
	})
}
