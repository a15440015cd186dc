package main

import (
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/web"
)

var noon = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)

func TestSheetText(t *testing.T) {
	old := web.Note{ID: "n1", Path: "people/ann", Text: "Ann lives in Bern.", Status: memory.Archived, Recorded: noon.AddDate(0, -1, 0), Until: noon}
	n := web.Note{ID: "n2", Path: "people/ann", Scope: "telegram:-100", Text: "Ann lives\nin Basel.", Abstract: "Ann: Basel", Topic: "health",
		Status: memory.Candidate, Origin: memory.FromInference, From: "2026-05", To: "2027", Event: "2026-05-01", Expires: "2028",
		Recorded: noon, Waits: memory.Contradicts, Hits: 3, Pinned: true}
	other := web.Note{Path: "people/anna", Text: "Ann lives abroad."}
	s := web.Sheet{Note: n, Pin: "you want it at hand", Against: &other, Versions: []web.Note{old, n},
		Said: []web.Quote{{Sent: noon, Channel: nacre.WhatsApp, Spoken: true, Text: "she\x1b[31m is in\u202e Basel\r\n"}}}
	if got, want := sheetText(s), `people/ann
Ann lives in Basel.

In short  Ann: Basel
Status    Waiting for you: it contradicts another note
Origin    taken from what you said
Applies   in the group -100 on telegram alone
Topic     health
True      2026-05 to 2027
When      2026-05-01
Keep      until 2028
Recorded  2026-07-28 12:00
Recalled  on 3 days
Pinned    yes, always in view: you want it at hand
Id        n2

It contradicts people/anna: Ann lives abroad.

Your words:
  2026-07-28 12:00, whatsapp, heard by a machine: “she [31m is in Basel”

Versions:
  2026-06-28 12:00 to 2026-07-28 12:00  Ann lives in Bern.
  2026-07-28 12:00  Ann lives in Basel.
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestListTextFitsTheScreen(t *testing.T) {
	l := web.Listing{Saving: true, Notes: []web.Note{
		{Path: "about/müller", Text: strings.Repeat("wörter ", 20), Status: memory.Stated},
		{Path: "about/x", Scope: "telegram:-1", Text: "short", Status: memory.Tentative},
	}}
	if got, want := listText(l, 80), `about/müller           Confirmed       wörter wörter wörter wörter wörter wörte…
about/x (telegram:-1)  Mentioned once  short

2 notes.
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, width := range []int{0, 50} { // a pipe, and a screen too narrow to be of use
		if got := listText(l, width); strings.Contains(got, "…") {
			t.Errorf("with %d columns it is cut:\n%s", width, got)
		}
	}
}

// Every kind of entry is told in words of its own.
func TestLogText(t *testing.T) {
	entries := []web.Entry{
		{Writer: memory.ByCommand, Via: nacre.WhatsApp, Kind: memory.Add, Path: "about/bike"},
		{Writer: memory.ByReflect, Kind: memory.Add, Reason: memory.TombStems},
		{Writer: memory.ByReflect, Kind: memory.Revise},
		{Writer: memory.ByImport, Kind: memory.Support},
		{Writer: memory.ByPage, Via: nacre.Web, Kind: memory.Settle, Status: memory.Stated, Reason: memory.ByOwner},
		{Writer: memory.ByRepair, Kind: memory.Settle, Status: memory.Archived, Reason: memory.Merged},
		{Writer: memory.ByFile, Kind: memory.Settle},
		{Writer: memory.ByShell, Via: nacre.Terminal, Kind: memory.Erase, Reason: memory.Everything},
		{Writer: memory.ByShell, Kind: memory.Lift},
		{Writer: memory.ByStyle, Kind: memory.Pin},
		{Writer: memory.ByRestore, Kind: memory.Unpin},
		{Writer: memory.ByChat, Kind: memory.Switch, Setting: memory.Saving},
		{Writer: memory.ByChat, Kind: memory.Switch, Setting: memory.Sensitive, On: true},
		{Writer: memory.ByChat, Kind: memory.Switch, Setting: "group/telegram:-100"},
		{Writer: memory.ByShell, Kind: memory.Undo},
		{Writer: memory.ByShell, Kind: memory.Intend},
		{Writer: memory.ByShell, Kind: memory.Finish},
		{Writer: memory.ByChat, Via: nacre.Telegram, Kind: memory.Refuse, Reason: memory.IsSecret},
	}
	for i := range entries {
		entries[i].At = noon
	}
	if got, want := logText(entries), `2026-07-28 12:00  you, whatsapp        added                  about/bike
2026-07-28 12:00  reading back         added                              waits: it resembles something that you had forgotten
2026-07-28 12:00  reading back         corrected
2026-07-28 12:00  import               heard again
2026-07-28 12:00  you, page            confirmed
2026-07-28 12:00  tidying up           archived                           another note says the same
2026-07-28 12:00  you, MEMORY.md       changed
2026-07-28 12:00  you, command line    forgotten                          you had everything forgotten
2026-07-28 12:00  you, command line    allowed again
2026-07-28 12:00  sent mail            pinned
2026-07-28 12:00  restore              unpinned
2026-07-28 12:00  assistant            remembering off
2026-07-28 12:00  assistant            sensitive topics on
2026-07-28 12:00  assistant            memory of a group off
2026-07-28 12:00  you, command line    taken back
2026-07-28 12:00  you, command line    forgetting begun
2026-07-28 12:00  you, command line    forgetting done
2026-07-28 12:00  assistant, telegram  refused                            it looks like a secret, such as a password or a card number, and secrets are never kept
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestReceiptText(t *testing.T) {
	r := memory.Receipt{Size: memory.SizeSaid, Done: map[string]int{"notes": 2, "messages": 1, "turns": 0, "replies": 1, "scrolls": 3},
		Pending: []string{"the write-ahead log"}, Outside: []string{"what the network keeps"}, Tombs: 2}
	if got, want := receiptText(r), `The note and where you said it: forgotten, with a rest still to be cleaned up.
- Erased: 2 notes, 1 message, 1 reply, 3 scrolls
- Not done yet, and tried again by itself: the write-ahead log
- Out of my reach: what the network keeps
- Kept, so that nothing forgotten comes back by itself: 2 fingerprints, without any words
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	r = memory.Receipt{Size: memory.SizeAbout, Done: map[string]int{"jobs": 1, "settings": 2, "logins": 2, "passwords": 1}}
	if got, want := receiptText(r), `What there was about it: forgotten.
- Erased: 1 job, 2 settings, 2 login names, 1 password
- A password goes with its name: the page is then opened by a link, until you set another.
`; got != want {
		t.Errorf("of what is set it is\n%s\nwant\n%s", got, want)
	}
	r = memory.Receipt{Size: memory.SizeNote, Prose: []string{"SOUL.md"}}
	if got, want := receiptText(r), `The note: forgotten.
- Left alone, since you wrote it there yourself: SOUL.md
nacre memory forget --cut blanks it out in your own words too.
`; got != want {
		t.Errorf("beside prose it is %q, want %q", got, want)
	}
}

func TestPlanText(t *testing.T) {
	for _, c := range []struct {
		name string
		plan web.Plan
		want string
	}{
		{"a note that nobody said", web.Plan{Size: memory.SizeNote, Notes: []web.Note{{Path: "about/x", Text: "y", Status: memory.Stated}}},
			"This would be forgotten:\n\nabout/x  Confirmed  y\n\n"},
		{"words without a note", web.Plan{Size: memory.SizeAbout, Counts: map[string]int{"turns": 2, "files": 1}},
			"No note speaks of it. It would be forgotten where else it is kept: 2 exchanges, 1 file.\n"},
		{"a name to log in by", web.Plan{Size: memory.SizeAbout, Counts: map[string]int{"settings": 1, "logins": 1, "passwords": 1}},
			"No note speaks of it. It would be forgotten where else it is kept: 1 setting, 1 login name, 1 password.\n" +
				"A password goes with its name: the page is then opened by a link, until you set another.\n"},
		{"nothing but prose", web.Plan{Size: memory.SizeAbout}, "No note speaks of it, and nothing that was said. It would be blanked out in your own words in MEMORY.md and SOUL.md.\n"},
		{"everything", web.Plan{Size: memory.SizeAll, Notes: make([]web.Note, 3)},
			"Everything that is kept of you would be forgotten: 3 notes, and all messages, answers, files, jobs and settings, the names of your tokens, and the password of your page.\n"},
	} {
		if got := planText(c.plan); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
