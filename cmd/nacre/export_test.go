package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/web"
)

// chats are conversations as ChatGPT exports them, one message after the other.
const chats = `[{"id":"c1","title":"Boats","create_time":1700000000,"current_node":"m3","mapping":{
"m1":{"id":"m1","parent":null,"message":{"id":"m1","author":{"role":"user"},"create_time":1700000001.5,"content":{"content_type":"text","parts":["Which boat is good in shallow water?"]}}},
"m2":{"id":"m2","parent":"m1","message":{"id":"m2","author":{"role":"assistant"},"create_time":1700000002,"content":{"content_type":"text","parts":["A flat one is good in shallow water."]}}},
"m3":{"id":"m3","parent":"m2","message":{"id":"m3","author":{"role":"user"},"create_time":1700000002,"content":{"content_type":"text","parts":["My punt is called Libelle."]}}}}},
{"id":"c2","title":"Keys","create_time":1710000000,"current_node":"k1","mapping":{
"k1":{"id":"k1","parent":null,"message":{"id":"k1","author":{"role":"user"},"create_time":1710000000,"content":{"content_type":"text","parts":["my password is zqx-hunter22"]}}}}}]`

// archive is everything of an owner, by file.
func (h handed) archive() map[string]string {
	h.t.Helper()
	var b bytes.Buffer
	if err := h.Moving(h.hand).Archive(h.t.Context(), &b); err != nil {
		h.t.Fatal(err)
	}
	return filesIn(h.t, b.Bytes())
}

func filesIn(t testing.TB, raw []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range r.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// parcelOf is files as an archive, in the order of their names.
func parcelOf(t testing.TB, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// carried is what an import of an archive takes over, without what ARCHIVE.md says that it
// does not keep.
func carried(t testing.TB, archive map[string]string) (list []string) {
	t.Helper()
	drop := map[string][]string{"notes.jsonl": {"status", "origin", "recorded", "until"}, "evidence.jsonl": {"recorded"}, "history.jsonl": {"name"}, "jobs.jsonl": {"state"}}
	for name, text := range archive {
		if name == "manifest.json" || strings.HasPrefix(name, "files/") {
			continue
		}
		for line := range strings.Lines(text) {
			var fields map[string]any
			if json.Unmarshal([]byte(strings.TrimRight(line, ",\n")), &fields) != nil {
				continue // a bracket
			}
			for _, field := range drop[name] {
				delete(fields, field)
			}
			b, _ := json.Marshal(fields)
			list = append(list, name+" "+string(b))
		}
	}
	slices.Sort(list)
	return list
}

// wrote stores a private message of a Telegram user, which waits for an answer.
func (w *world) wrote(a *app, user, text string) nacre.MessageID {
	w.t.Helper()
	sent := time.Date(2026, 7, 28, 14, 3, 0, 0, time.UTC)
	id := nacre.NewID(time.Now())
	in := []nacre.Inbound{{Owner: w.owner(a, user), Message: nacre.Message{ID: nacre.MessageID(id), Chat: nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID(user)},
		External: nacre.ExternalID(id), Author: nacre.Address{Channel: nacre.Telegram, ID: user}, Private: true, Sent: sent, Received: sent,
		Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: text}}}}}
	if err := a.ledger.Put(w.t.Context(), in); err != nil {
		w.t.Fatal(err)
	}
	return nacre.MessageID(id)
}

// What is taken along is the same elsewhere, comes there once, and comes home without
// doubling anything.
func TestArchiveGoesRound(t *testing.T) {
	from, to := newWorld(t), newWorld(t)
	var first map[string]string
	from.alone(func(a *app) {
		from.wrote(a, "1001", "The sea was cold – 자전거 <b>&\u2028.")
		from.wrote(a, "1002", "My pet is called "+othersWord)
		no := false
		out, err := a.library.Book(a.operator).Propose(t.Context(), memory.Proposal{Writer: memory.ByChat, Via: nacre.Telegram, Do: memory.Learn, Sensitive: &no,
			Draft: memory.Draft{Area: memory.About, Slug: "bike", Text: "The bike is green."},
			Cites: []memory.Cite{{Message: from.wrote(a, "1001", "My bike is green"), Quote: "My bike is green"}}})
		if err != nil || out[0].Refused != "" {
			t.Fatalf("%+v, %v", out, err)
		}
		h := from.the(a)
		h.does(web.Change{Do: memory.Learn, Path: "people/ann", Text: "Ann is my sister."})
		h.does(web.Change{Do: memory.PinNote, Note: h.note("people/ann", web.LiveNotes).ID, Hash: h.note("people/ann", web.LiveNotes).Hash})
		for _, w := range []web.JobWish{{Text: "water the plants", Cron: "0 9 * * 1", Zone: "Europe/Vienna"}, {Kind: nacre.Task, Text: "look at the sky", Every: "2h"}} {
			if _, err := h.Jobs(h.hand).Add(t.Context(), w); err != nil {
				t.Fatal(err)
			}
		}
		zone, language := "Europe/Vienna", "de"
		if _, err := h.Settings(h.hand).Change(t.Context(), web.SettingsChange{Zone: &zone, Language: &language}); err != nil {
			t.Fatal(err)
		}
		if done := h.imports("conversations.json", chats); done.Said != 3 || done.Chats != 1 || len(done.Left) != 1 || !strings.Contains(done.Left[0].Words, "secret") {
			t.Fatalf("conversations: %+v", done)
		}
		first = h.archive()
		for _, part := range []string{"zqx-hunter", othersWord} {
			for name, text := range first {
				if strings.Contains(text, part) {
					t.Errorf("%s holds %q", name, part)
				}
			}
		}
		if home := h.imports("a.zip", parcelOf(t, first)); home.Added+home.Said+home.Jobs+len(home.Settings) != 0 || home.SaidHere != 5 {
			t.Errorf("at home: %+v", home)
		}
		if again := carried(t, h.archive()); !slices.Equal(again, carried(t, first)) {
			t.Errorf("at home it is\n%s\nnow, it was\n%s", strings.Join(again, "\n"), strings.Join(carried(t, first), "\n"))
		}
	})
	to.alone(func(a *app) {
		to.said(a, "1001", "Hello.") // so that there is a place for jobs to speak in
		h := to.the(a)
		before := carried(t, h.archive())
		wish := web.ImportWish{Name: "a.zip", Dry: true}
		dry, err := h.Moving(h.hand).Import(t.Context(), wish, strings.NewReader(parcelOf(t, first)), nil)
		if after := carried(t, h.archive()); err != nil || !slices.Equal(after, before) {
			t.Errorf("a dry run, %v, left\n%s", err, strings.Join(after, "\n"))
		}
		done := h.imports("a.zip", parcelOf(t, first))
		if done.Added != 2 || done.Jobs != 2 || done.Said != 5 || done.Chats != 2 || !slices.Equal(done.Settings, []string{"zone", "language"}) {
			t.Errorf("elsewhere: %+v", done)
		}
		for i := range done.Lines {
			done.Lines[i].Note = ""
		}
		if done.Dry = true; asJSON(dry) != asJSON(done) {
			t.Errorf("the dry run told\n%s\nand it became\n%s", asJSON(dry), asJSON(done))
		}
		after := slices.DeleteFunc(carried(t, h.archive()), func(line string) bool { return slices.Contains(before, line) })
		if want := carried(t, first); !slices.Equal(after, want) {
			t.Errorf("elsewhere it is\n%s\nwant\n%s", strings.Join(after, "\n"), strings.Join(want, "\n"))
		}
		list, err := h.Jobs(h.hand).List(t.Context(), web.JobQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range list.Jobs {
			if j.Kind != nacre.Heartbeat && j.State != nacre.Paused {
				t.Errorf("a job is %s", j.State)
			}
		}
		if again := h.imports("a.zip", parcelOf(t, first)); again.Added+again.Said+again.Jobs+len(again.Settings) != 0 || again.SaidHere != 5 || again.Known != 4 {
			t.Errorf("again: %+v", again)
		}
		if again := h.imports("conversations.json", chats); again.Said != 0 || again.SaidHere != 3 {
			t.Errorf("what the archive was made of: %+v", again)
		}
	})
}

func TestArchiveOnTheCommandLine(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		dir := t.TempDir()
		at := filepath.Join(dir, "a.zip")
		if out := w.says("export"); !strings.Contains(out, "Ann is my sister") {
			t.Errorf("export prints %q", out)
		}
		w.prints("", "Written to "+at+". This copy is yours to delete; forgetting does not reach it.\n", "", exitOK, "export", "--archive", at)
		st, err := os.Stat(at)
		if err != nil || st.Mode().Perm() != 0o600 || time.Since(st.ModTime()) > time.Hour {
			t.Errorf("the archive: %v, %v; want mode 0600", st, err)
		}
		raw, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		if files := filesIn(t, raw); !strings.Contains(files["notes.jsonl"], "Ann is my sister") || strings.Contains(files["notes.jsonl"], othersWord) {
			t.Errorf("the archive holds %q", files)
		}
		w.prints("", "", "--force", exitUsage, "export", "--archive", at)
		w.says("export", "--archive", at, "--force")
		w.prints("", "", "name another file", exitUsage, "export", "--archive", filepath.Join(dir, "none", "a.zip"))
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%v lies there, %v", left, err)
		}
		var done web.Imported
		if w.read(&done, "import", at, "--json"); done.Added != 0 || done.Known != 2 {
			t.Errorf("brought back: %+v", done)
		}
	})
}
