package ledger_test

import (
	"slices"
	"testing"

	"nacre"
)

// enclosing makes a message that brings files.
func enclosing(owner nacre.OwnerID, external, text string, files ...string) nacre.Inbound {
	in := message(owner, "1001", external, text)
	for _, f := range files {
		in.Message.Attachments = append(in.Message.Attachments, nacre.Attachment{Kind: nacre.Document, Name: f + ".txt", Data: []byte(f)})
		in.Message.Segments = append([]nacre.Segment{{Provenance: nacre.Label, Text: "[document: " + f + ".txt]"}}, in.Message.Segments...)
	}
	return in
}

// Files that come along are stored with their message, once, and are found by who
// opens the ledger after a kill; what is fetched later is not there yet.
func TestFilesAreStoredWithTheirMessage(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	in := enclosing(o, "1", "look", "first", "second")
	in.Message.Attachments = append(in.Message.Attachments, nacre.Attachment{Kind: nacre.Photo, Ref: "r"})
	first := put(t, l, in)[0]
	again := put(t, l, enclosing(o, "1", "look", "other", "others"), enclosing(o, "2", "more", "third"))
	if again[0].Message.Seq != 0 || again[1].Message.Seq == 0 {
		t.Errorf("stored again as %d, another as %d", again[0].Message.Seq, again[1].Message.Seq)
	}
	for _, m := range append(again, first) {
		for place, a := range m.Message.Attachments {
			if a.Data != nil {
				t.Errorf("the bytes of file %d are held when they are stored", place)
			}
		}
	}
	l = open(t, killed(t, dir))
	for _, c := range []struct {
		message nacre.MessageID
		place   int
		want    string
	}{{first.Message.ID, 0, "first"}, {first.Message.ID, 1, "second"}, {first.Message.ID, 2, ""}, {again[0].Message.ID, 0, ""}, {again[1].Message.ID, 0, "third"}} {
		got, err := l.Attachment(ctx, o, c.message, c.place)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("file %d of %s is %q, %v, want %q", c.place, c.message, got, err, c.want)
		}
	}
	pending, err := l.Pending(ctx, first.Session, 0)
	must(t, err)
	if len(pending) != 2 || pending[0].Attachments[1].Name != "second.txt" || pending[0].Attachments[1].Data != nil {
		t.Errorf("pending %+v", pending)
	}
}

// Where a message cannot be stored its files are not either, and stay with who will
// try again.
func TestFilesAreNotStoredWithoutTheirMessage(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	in := []nacre.Inbound{enclosing(o, "1", "look", "first"), enclosing(o, "2", "look", "second")}
	in[1].Message.ID = in[0].Message.ID // no two can have the same
	if err := l.Put(ctx, in); err == nil {
		t.Fatal("two messages of one id are stored")
	}
	if _, err := l.Attachment(ctx, o, in[0].Message.ID, 0); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("a file without its message: %v", err)
	}
	if got := in[0].Message.Attachments[0].Data; string(got) != "first" {
		t.Errorf("who will try again has %q", got)
	}
	put(t, l, in[0])
	if got, err := l.Attachment(ctx, o, in[0].Message.ID, 0); string(got) != "first" {
		t.Errorf("at the second try %q, %v", got, err)
	}
}

// What is forgotten goes also where it came along as a file.
func TestFilesThatCameAlongAreForgotten(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	in := put(t, l, enclosing(d.owner, "9", "look at this", secret, sibling))
	if _, _, err := l.Erase(ctx, d.owner, d.e); err != nil {
		t.Fatal(err)
	}
	for place, there := range []bool{false, true} {
		if _, err := l.Attachment(ctx, d.owner, in[0].Message.ID, place); (err == nil) != there {
			t.Errorf("file %d: %v, want it there: %v", place, err, there)
		}
	}
	if n, err := l.Count(ctx, d.owner, d.e.Needle); err != nil || n["files"] != 0 {
		t.Errorf("%d files still hold it, %v", n["files"], err)
	}
}

// The words of a message are told apart from the names of what came with it, which can
// be found too.
func TestSayingsNameFiles(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	photo := message(o, "1001", "3", "unnamed")
	photo.Message.Attachments = []nacre.Attachment{{Kind: nacre.Photo, Ref: "r"}}
	photo.Message.Segments = append([]nacre.Segment{{Provenance: nacre.Label, Text: "[photo]"}}, photo.Message.Segments...)
	put(t, l, enclosing(o, "1", "look", "b", "a"), enclosing(o, "2", "", "c"), photo, message(o, "1001", "4", "plain"))
	list := everything(t, l.Archive(lastLine), o)
	if len(list) != 4 {
		t.Fatalf("%d sayings", len(list))
	}
	for i, want := range []struct {
		text, words string
		files       []string
	}{
		{"[document: a.txt]\n[document: b.txt]\nlook", "look", []string{"b.txt", "a.txt"}},
		{"[document: c.txt]", "", []string{"c.txt"}},
		{"[photo]\nunnamed", "[photo]\nunnamed", nil},
		{"plain", "plain", nil},
	} {
		if s := list[i]; s.Text != want.text || s.Words() != want.words || !slices.Equal(s.Files, want.files) {
			t.Errorf("got %q, %q, %q, want %+v", s.Text, s.Words(), s.Files, want)
		}
	}
}
