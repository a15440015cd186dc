package moving

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// packed is a zip of files, each a name and what is in it; not compressed, so that long
// ones are no bombs.
func packed(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: files[i], Method: zip.Store})
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bern is the owner's zone in these tests, two hours ahead of UTC in summer.
func bern(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// took is all that a Parcel gives, in order. What was said is "source/chat who time
// text", and "(file:line what: why)" is left out.
func took(t testing.TB, name string, file []byte) []string {
	t.Helper()
	p, err := Open(name, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	add := func(format string, args ...any) error {
		list = append(list, fmt.Sprintf(format, args...))
		return nil
	}
	err = p.Read(bern(t), Receiver{
		Said: func(s Said) error {
			check(t, s)
			return add("%s/%s %s %s %s", s.Source, s.Chat, s.Who, s.At.UTC().Format("0102T150405"), s.Text)
		},
		Note:    func(n Note) error { return add("note %s %s%s", place(&n.Draft), n.Draft.Text, n.Left) },
		Job:     func(j Job) error { return add("job %s %s%s", j.Kind, j.Text, j.Left) },
		Setting: func(s Setting) error { return add("setting %s %s", s.Name, s.Value) },
		Left:    func(l Left) error { return add("(%s:%d %s: %s)", l.File, l.Line, l.What, l.Why) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// check is what holds of every message, whoever wrote the export.
func check(t testing.TB, s Said) {
	t.Helper()
	if s.At.IsZero() || len(s.Text) == 0 || len(s.Text) > MaxSaid || !utf8.ValidString(s.Text) || s.Chat == "" || s.ID == "" || len(s.ID) > maxID || len(s.Chat) > maxID ||
		s.Who != Owner && s.Who != Assistant && s.Who != Others || !known(s.Source) {
		t.Errorf("%.200q", fmt.Sprint(s))
	}
}

func same(t *testing.T, name string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestSourceNames(t *testing.T) {
	if FromChatGPT.Name() != "ChatGPT" || Source("later").Name() != "later" || known("owner") || !known(FromNuum) {
		t.Error("sources are called wrongly")
	}
}

func TestTimes(t *testing.T) {
	zone := bern(t)
	for raw, want := range map[string]string{
		`1.7e9`: "2023-11-14T22:13:20Z", `"1700000000.5"`: "2023-11-14T22:13:20.5Z", `"2026-05-01T09:30:00.25Z"`: "2026-05-01T09:30:00.25Z",
		`"2026-05-01T09:30:00+05:00"`: "2026-05-01T04:30:00Z", `"2026-05-01T09:30:00.123"`: "2026-05-01T07:30:00.123Z", `"2026-05-01 09:30"`: "2026-05-01T07:30:00Z",
		`null`: "0001-01-01T00:00:00Z", ``: "0001-01-01T00:00:00Z", `-1`: "1969-12-31T23:59:59Z",
		`1e300`: "", `1e400`: "", `"soon"`: "", `{}`: "", `[1]`: "", `true`: "", `NaN`: "", `"NaN"`: "", `"Inf"`: "", `""`: "", `-1e18`: "",
	} {
		got, ok := anyTime([]byte(raw), zone)
		if ok != (want != "") || ok && got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %v, %v; want %s", raw, got, ok, want)
		}
	}
}

// Clocks that disagree do not turn a conversation around.
func TestTalkKeepsOrder(t *testing.T) {
	var got []time.Duration
	r := newReading(&Parcel{at: &faults{}}, time.UTC, Receiver{Said: func(s Said) error { got = append(got, s.At.Sub(summer)); return nil }})
	to := talk{r: r, source: FromNuum, chat: "a"}
	for _, d := range []time.Duration{0, time.Minute, time.Second, 2 * time.Minute} {
		if err := to.say("1", Owner, summer.Add(d), "x"); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, []time.Duration{0, time.Minute, time.Minute, 2 * time.Minute}) {
		t.Error(got)
	}
}

// summer is a moment at which things are said in these tests.
var summer = time.Date(2026, 5, 1, 7, 30, 0, 0, time.UTC)

func TestIDs(t *testing.T) {
	for _, id := range []string{"", strings.Repeat("x", maxID+1), "a\nb", "\xff"} {
		if got := idOf(id); len(got) != 32 || got != idOf(id) {
			t.Errorf("%q: %q", id, got)
		}
	}
	if idOf("client-1") != "client-1" || hashed("a", "b") == hashed("ab") {
		t.Error("ids are changed, or the same")
	}
}
