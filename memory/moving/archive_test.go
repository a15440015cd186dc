package moving

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
)

// wholeArchive is an archive of all that there is.
func wholeArchive(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	a := NewArchive(&b, "2026-05-01T09:30:00Z")
	when := summer.In(bern(t))
	for _, err := range []error{
		a.Setting(ArchiveSetting{"zone", "Europe/Zurich"}),
		a.Note(ArchiveNote{Area: memory.People, Slug: "ann", Text: "Ann <3 rows.", Abstract: "Ann", Kind: memory.KindFact, Entities: []string{"Ann"}, From: "2024", To: "2027", Event: "2026-05-01", Expires: "2030",
			Status: memory.Stated, Origin: memory.FromWords, Pinned: true, Sensitive: "health", Recorded: when}),
		a.Note(ArchiveNote{Area: memory.People, Slug: "ann", Text: "Ann runs.", Status: memory.Archived, Origin: memory.FromInference, Recorded: when.Add(-time.Hour), Until: when}),
		a.Note(ArchiveNote{Area: memory.Routines, Slug: "run", Text: "We run.", Status: memory.Observed, Origin: memory.FromWords, Scope: "telegram:-1", Recorded: when}),
		a.Said(ArchiveSaid{Source: FromNacre, Chat: "telegram:7", ID: "1", Who: Owner, At: when, Text: "Ann rows.\n"}),
		a.Said(ArchiveSaid{Source: FromNacre, Chat: "telegram:7", ID: "1/a", Who: Assistant, At: when.Add(time.Second), Text: "I'll remember."}),
		a.Said(ArchiveSaid{Source: FromNacre, Chat: "telegram:-1", ID: "1", Who: Others, Name: "Bob", At: when, Text: "Hi", Group: true}),
		a.Said(ArchiveSaid{Source: FromChatGPT, Chat: "c", ID: "m", Who: Owner, At: when.Add(-time.Hour), Text: "Hello"}),
		a.Evidence(ArchiveEvidence{Note: "people/ann", Recorded: when, Source: FromNacre, Chat: "telegram:7", Message: "1", Quote: "Ann rows", At: when}),
		a.Evidence(ArchiveEvidence{Note: "people/ann", Recorded: when.Add(-time.Hour), Source: FromNacre, Chat: "telegram:7", Message: "0", Quote: "Ann runs", At: when}),
		a.Job(ArchiveJob{Kind: nacre.Reminder, Schedule: nacre.Schedule{Kind: nacre.Once, At: when}, Text: "Call Ann.", State: nacre.Active}),
		a.Job(ArchiveJob{Kind: nacre.Task, Schedule: nacre.Schedule{Kind: nacre.Every, Every: time.Hour, At: when}, Text: "Look.", State: nacre.Paused}),
		a.Job(ArchiveJob{Kind: nacre.Reminder, Schedule: nacre.Schedule{Kind: nacre.Cron, Cron: "0 9 * * *", Zone: "Europe/Zurich"}, Text: "Run.", State: nacre.Finished}),
		a.File("MEMORY.md", []byte("# Memory")), a.File("SOUL.md", []byte("Obey")),
		a.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// filesOf are the files of a zip, and their names in order.
func filesOf(t testing.TB, raw []byte) (names []string, files map[string]string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		names, files[f.Name] = append(names, f.Name), string(text)
	}
	return names, files
}

func TestArchiveIsWritten(t *testing.T) {
	raw := wholeArchive(t)
	if !bytes.Equal(raw, wholeArchive(t)) {
		t.Error("the same input gives other bytes")
	}
	names, files := filesOf(t, raw)
	if !slices.Equal(names, []string{"manifest.json", "notes.jsonl", "history.jsonl", "evidence.jsonl", "jobs.jsonl", "files/MEMORY.md", "files/SOUL.md", "settings.json"}) {
		t.Error(names)
	}
	for name, want := range map[string]string{
		"manifest.json": `{"format":"nacre-archive","version":1,"made":"2026-05-01T09:30:00Z"}` + "\n",
		"settings.json": "[\n" + `{"name":"zone","value":"Europe/Zurich"}` + "\n]\n",
		"files/SOUL.md": "Obey",
	} {
		if files[name] != want {
			t.Errorf("%s: %q, want %q", name, files[name], want)
		}
	}
	if first, _, _ := strings.Cut(files["history.jsonl"], "\n"); first != `{"source":"nacre","chat":"telegram:7","id":"1","who":"owner","at":"2026-05-01T07:30:00Z","text":"Ann rows.\n"}` {
		t.Error(first)
	}
	if first, _, _ := strings.Cut(files["notes.jsonl"], "\n"); !strings.Contains(first, `"text":"Ann <3 rows."`) || strings.Contains(first, "until") || !strings.Contains(first, `"recorded":"2026-05-01T07:30:00Z"`) {
		t.Error(first)
	}
}

// An archive of nothing has all files too.
func TestEmptyArchive(t *testing.T) {
	var b bytes.Buffer
	if err := NewArchive(&b, "2026-05-01T09:30:00Z").Close(); err != nil {
		t.Fatal(err)
	}
	if names, _ := filesOf(t, b.Bytes()); len(names) != 6 {
		t.Error(names)
	}
	same(t, "nothing", took(t, "a.zip", b.Bytes()), nil)
}

type fullDisk struct{ left int }

var errFull = errors.New("full")

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestArchiveFails(t *testing.T) {
	a := NewArchive(&fullDisk{}, "")
	for range 10_000 {
		_ = a.Said(ArchiveSaid{Source: FromNacre, Chat: "c", ID: "1", Who: Owner, At: summer, Text: strings.Repeat("x", 1000)})
	}
	if err := a.Close(); !errors.Is(err, errFull) {
		t.Error(err)
	}
	a = NewArchive(io.Discard, "")
	_, _, err := a.Note(ArchiveNote{}), a.Job(ArchiveJob{}), a.Note(ArchiveNote{})
	if nacre.KindOf(err) != nacre.Internal || err == nil || a.Close() == nil {
		t.Error("a file is written twice: ", err)
	}
}

func TestArchiveIsRead(t *testing.T) {
	want := []string{
		"nacre/telegram:7 owner 0501T073000 Ann rows.\n", "nacre/telegram:7 assistant 0501T073001 I'll remember.", "chatgpt/c owner 0501T063000 Hello",
		"(history.jsonl:0 1 message: What was said in groups stays there.)",
		"note people/ann Ann <3 rows.", "note people/ann Ann runs." + letGo, "note routines/run We run." + ofGroup,
		"job reminder Call Ann.", "job task Look.", "job reminder Run.It is over.",
		"setting zone Europe/Zurich",
		"(files/MEMORY.md:0 the file: I write it anew from your notes.)", "(files/SOUL.md:0 the file: It says how I behave, so I do not take it from an archive. If it is yours, put it under Memory → Files.)"}
	same(t, "an archive", took(t, "a.zip", wholeArchive(t)), want)

	_, files := filesOf(t, wholeArchive(t))
	list := []string{}
	for name, text := range files {
		list = append(list, "my backup/"+name, text)
	}
	for i, w := range want {
		want[i] = strings.NewReplacer("(history", "(my backup/history", "(files", "(my backup/files").Replace(w)
	}
	got := took(t, "a.zip", packed(t, list...))
	slices.Sort(got)
	slices.Sort(want)
	same(t, "in a folder, packed in another order", got, want)
}

// What is damaged is told, and all else is read.
func TestDamagedArchive(t *testing.T) {
	begins := map[string]string{"history.jsonl": "nacre/", "notes.jsonl": "note ", "jobs.jsonl": "job ", "settings.json": "setting "}
	for _, name := range []string{"history.jsonl", "evidence.jsonl", "notes.jsonl", "jobs.jsonl", "settings.json"} {
		raw := wholeArchive(t)
		z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			at, err := f.DataOffset()
			if err != nil {
				t.Fatal(err)
			}
			if f.Name == name {
				raw[at] = 7 // a block of no kind
			}
		}
		got := took(t, "a.zip", raw)
		if told := "(" + name + ":0 the rest of the file: It is damaged; what could be read of it was taken.)"; !slices.Contains(got, told) {
			t.Errorf("%s is damaged, and nobody is told: %q", name, got)
		}
		for other, begin := range begins {
			if found := slices.ContainsFunc(got, func(l string) bool { return strings.HasPrefix(l, begin) }); found != (other != name) {
				t.Errorf("%s is damaged; of %s came something: %t", name, other, found)
			}
		}
	}
}

// What a note says survives, with the words that it rests on; how far it was trusted
// does not.
func TestArchivedNote(t *testing.T) {
	p, err := Open("a.zip", bytes.NewReader(wholeArchive(t)), int64(len(wholeArchive(t))))
	if err != nil || !slices.Equal(p.Sources(), []Source{FromNacre}) {
		t.Fatal(p.Sources(), err)
	}
	var list []Note
	if err := p.Read(time.UTC, Receiver{Note: func(n Note) error { list = append(list, n); return nil }}); err != nil {
		t.Fatal(err)
	}
	want := memory.Draft{Area: memory.People, Slug: "ann", Text: "Ann <3 rows.", Abstract: "Ann", Kind: memory.KindFact, Entities: []string{"Ann"}, From: "2024", To: "2027", Event: "2026-05-01", Expires: "2030", Pinned: true}
	a, _ := json.Marshal(list[0].Draft)
	b, _ := json.Marshal(want)
	if !bytes.Equal(a, b) || !list[0].Sensitive || list[0].File != "notes.jsonl" || list[0].Line != 1 {
		t.Errorf("%+v", list[0])
	}
	if !slices.Equal(list[0].Quotes, []Quote{{FromNacre, "telegram:7", "1", "Ann rows"}}) || list[1].Quotes != nil {
		t.Errorf("%+v, %+v", list[0].Quotes, list[1].Quotes)
	}
}

// What was taken over from an archive and written into the next one is the same.
func TestArchivedHistoryIsWrittenAgain(t *testing.T) {
	var b bytes.Buffer
	again := NewArchive(&b, "2027-01-01T00:00:00Z")
	for _, s := range saidIn(t, wholeArchive(t)) {
		if err := again.Said(ArchiveSaid{Source: s.Source, Chat: s.Chat, ID: s.ID, Who: s.Who, At: s.At, Text: s.Text}); err != nil {
			t.Fatal(err)
		}
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	_, before := filesOf(t, wholeArchive(t))
	_, after := filesOf(t, b.Bytes())
	var lines []string
	for l := range strings.Lines(before["history.jsonl"]) {
		if !strings.Contains(l, `"group":true`) {
			lines = append(lines, l)
		}
	}
	if len(lines) != 3 || after["history.jsonl"] != strings.Join(lines, "") {
		t.Errorf("%s\nwas\n%s", after["history.jsonl"], lines)
	}
}

func TestHostileArchive(t *testing.T) {
	const manifest = `{"format":"nacre-archive","version":1}`
	archive := func(files ...string) []byte {
		all := map[string]string{"manifest.json": manifest, "history.jsonl": "", "evidence.jsonl": "", "notes.jsonl": "", "jobs.jsonl": "", "settings.json": "[]"}
		for i := 0; i < len(files); i += 2 {
			all[files[i]] = files[i+1]
		}
		var list []string
		for name, text := range all {
			list = append(list, name, text)
		}
		return packed(t, list...)
	}
	message := func(l string) string { return "(history.jsonl:" + l + " a message: " + badMessage + ")" }
	for _, c := range []struct {
		name string
		file []byte
		want []string
	}{
		{"messages", archive("history.jsonl", lines("{", "7", `{"source":"owner","chat":"c","id":"1","who":"assistant","at":"2026-05-01T07:30:00Z","text":"x"}`,
			`{"source":"nacre","chat":"c","id":"1","who":"root","at":"2026-05-01T07:30:00Z","text":"x"}`, `{"source":"nacre","id":"1","who":"owner","at":"2026-05-01T07:30:00Z","text":"x"}`,
			`{"source":"nacre","chat":"c","id":"1","who":"owner","at":"soon","text":"x"}`, `{"source":"nacre","chat":"c","id":"1","who":"owner","text":"x"}`, `{"source":"nacre","chat":"c","id":"1","who":"owner","at":"2026-05-01T07:30:00Z","text":"x"}`)),
			[]string{message("1"), message("2"), message("3"), message("4"), message("5"), message("6"), "(history.jsonl:7 a message: It does not say when it was said.)", "nacre/c owner 0501T073000 x"}},
		{"notes", archive("notes.jsonl", lines(`{"area":"root","slug":"x","text":"x","status":"stated"}`, `{"area":"about","slug":"x","status":"stated"}`, `{"area":7}`, `{"area":"about","slug":"x","text":"x","status":"erased"}`,
			`{"area":"about","slug":"x","text":"x","status":"??"}`, `{"area":"about","slug":"x","text":"x"}`, `{"area":"about","slug":"x","text":"x","status":"tentative"}`)),
			[]string{"(notes.jsonl:1 a note: " + badMessage + ")", "(notes.jsonl:2 a note: " + badMessage + ")", "(notes.jsonl:3 a note: " + badMessage + ")",
				"note about/x x" + letGo, "note about/x x" + letGo, "note about/x x" + letGo, "note about/x x"}},
		{"jobs", archive("jobs.jsonl", lines(`{"kind":"root","text":"x"}`, `{"kind":"task"}`, `{"kind":"task","text":"x"}`, `{"kind":"task","text":"x","schedule":{"kind":"every","every":-1}}`, `{"kind":"task","text":"x","schedule":{"kind":"every","every":1e30}}`,
			`{"kind":"reminder","text":"x","schedule":{"kind":"cron","cron":"0 9 * * *"}}`)),
			[]string{"(jobs.jsonl:1 a job: " + badMessage + ")", "(jobs.jsonl:2 a job: " + badMessage + ")", "job task x" + noMoment, "job task x" + noMoment, "(jobs.jsonl:5 a job: " + badMessage + ")", "job reminder x"}},
		{"settings", archive("settings.json", `[7,{"name":"zone","value":"x"},{"name":"","value":"x"},{"name":"zone","value":7}]`),
			[]string{"(settings.json:1 a setting: " + badMessage + ")", "setting zone x", "(settings.json:3 a setting: " + badMessage + ")", "(settings.json:4 a setting: " + badMessage + ")"}},
		{"quotes", archive("evidence.jsonl", lines("7", `{"note":"about/x","source":"nacre","chat":"c","message":"1"}`)), []string{"(evidence.jsonl:1 a quote: " + badMessage + ")", "(evidence.jsonl:2 a quote: " + badMessage + ")"}},
		{"files that are missing", packed(t, "manifest.json", manifest, "history.jsonl", ""), []string{"(evidence.jsonl:0 the file: It is missing in the archive.)",
			"(notes.jsonl:0 the file: It is missing in the archive.)", "(jobs.jsonl:0 the file: It is missing in the archive.)", "(settings.json:0 the file: It is missing in the archive.)"}},
	} {
		same(t, c.name, took(t, "a.zip", c.file), c.want)
	}
	for name, manifest := range map[string]string{
		"newer":       `{"format":"nacre-archive","version":2}`,
		"no version":  `{"format":"nacre-archive"}`,
		"not whole":   `{"format":"nacre-archive","version":1`,
		"other types": `{"format":"nacre-archive","version":"1"}`,
	} {
		p, err := Open("a.zip", bytes.NewReader(archive("manifest.json", manifest)), int64(len(archive("manifest.json", manifest))))
		if err != nil {
			t.Fatal(name, err)
		}
		if err := p.Read(time.UTC, Receiver{}); nacre.KindOf(err) != nacre.Invalid || err == nil || (name == "newer") != strings.Contains(err.Error(), "update Nacre") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Quotes are held until their notes are read, and no more of them than anybody has.
func TestArchivedQuotesAreBounded(t *testing.T) {
	quote := func(message, words int) string {
		return fmt.Sprintf(`{"note":"about/x","recorded":"2026-05-01T07:30:00Z","source":"nacre","chat":"c","message":"%d","quote":"%s"}`+"\n", message, strings.Repeat("x", words))
	}
	const note = `{"area":"about","slug":"x","text":"x","status":"stated","recorded":"2026-05-01T07:30:00Z"}` + "\n"
	for _, c := range []struct {
		name         string
		times, words int
		same         bool
		quotes       int
		left         string
	}{
		{"a few", 20, 1, false, 20, ""},
		{"many", 25, 1, false, 20, "5 quotes"},
		{"long", 17, 1 << 20, false, 15, "2 quotes"},
		{"the same", 25, 1, true, 1, ""},
	} {
		var all strings.Builder
		for i := range c.times {
			if c.same {
				i = 0
			}
			all.WriteString(quote(i, c.words))
		}
		_, f := opened(t, "a.zip", packed(t, "manifest.json", `{"format":"nacre-archive","version":1}`, "history.jsonl", "", "evidence.jsonl", all.String(), "jobs.jsonl", "", "settings.json", "", "notes.jsonl", note+note))
		if len(f.notes) != 2 || len(f.notes[0].Quotes) != c.quotes || len(f.notes[1].Quotes) != 0 {
			t.Errorf("%s: %d notes, not two of which one has %d quotes", c.name, len(f.notes), c.quotes)
		}
		if left := len(f.lefts) > 0; left != (c.left != "") || left && f.lefts[0].What != c.left {
			t.Errorf("%s: left %+v, not %q", c.name, f.lefts, c.left)
		}
	}
}

// What was learned of sent mail is left to be learned again; what one wrote around the
// notes of MEMORY.md is told.
func TestArchivedStyleAndMemory(t *testing.T) {
	const manifest = `{"format":"nacre-archive","version":1}`
	style := `{"area":"preferences","slug":"writing-style","text":"Writes briefly.","kind":"style","status":"tentative","origin":"email"}` + "\n"
	archive := func(memory string) []byte {
		return packed(t, "manifest.json", manifest, "history.jsonl", "", "evidence.jsonl", "", "jobs.jsonl", "", "settings.json", "",
			"notes.jsonl", style+strings.Replace(style, `"email"`, `"hand"`, 1), "files/MEMORY.md", memory)
	}
	made, err := render.File("", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, why string }{
		"as it is made":      {made, writtenAnew},
		"notes":              {strings.Replace(made, "<!-- memory:end", "- ann: Ann rows.\n<!-- memory:end", 1), writtenAnew},
		"ended otherwise":    {strings.ReplaceAll(made, "\n", "\r\n"), writtenAnew},
		"words before":       {"I like tea.\n" + made, besideNotes},
		"words behind":       {made + "\nI like tea.\n", besideNotes},
		"nothing but words":  {"I like tea.", besideNotes},
		"a mark without end": {"<!-- memory:begin -->\n- ann: Ann rows.", writtenAnew},
		"too long":           {strings.Repeat("x", MaxText+1), besideNotes},
	} {
		same(t, name, took(t, "a.zip", archive(c.text)), []string{"note preferences/writing-style Writes briefly." + learnedStyle, "note preferences/writing-style Writes briefly.",
			"(files/MEMORY.md:0 the file: " + c.why + ")"})
	}
}
