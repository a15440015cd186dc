package gmail_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent/gmail"
	"nacre/agent/gmail/gmailtest"
	"nacre/agent/style"
)

var _ style.Mailbox = (*gmail.Gmail)(nil)

// read reads up to most mails that were sent after a moment, by the numbers in them.
func (w *world) read(after time.Time, most int) []string {
	w.t.Helper()
	var list []string
	w.must(w.gmail.Sent(w.t.Context(), ann, after, func(raw []byte) bool {
		_, subject, _ := bytes.Cut(raw, []byte("Subject: "))
		line, _, _ := bytes.Cut(subject, []byte("\r\n"))
		list = append(list, string(line))
		return len(list) < most
	}))
	return list
}

// Sent mails come newest first, over all pages, until enough is read; nothing else does.
func TestSent(t *testing.T) {
	in(t, func(w *world) {
		now := time.Now()
		w.google.PageSize = 3
		for i := range 10 {
			w.google.AddSent(letter(i), now.Add(-time.Duration(i)*24*time.Hour))
		}
		w.google.Add(letter(100), now, "INBOX")
		w.google.Add(letter(101), now, "SENT", "CHAT")
		w.google.Add(letter(102), now, "DRAFT")
		w.connect(ann, false)
		for _, tc := range []struct {
			after time.Time
			most  int
			want  string
		}{
			{time.Time{}, 100, "0 1 2 3 4 5 6 7 8 9"},
			{now.Add(-5*24*time.Hour - time.Minute), 100, "0 1 2 3 4 5"},
			{time.Time{}, 4, "0 1 2 3"},
			{now.Add(time.Hour), 100, ""},
		} {
			if got := strings.Join(w.read(tc.after, tc.most), " "); got != tc.want {
				w.t.Errorf("after %s at most %d: %s, want %s", tc.after, tc.most, got, tc.want)
			}
		}
	})
}

// No more is asked for than is read.
func TestSentStops(t *testing.T) {
	in(t, func(w *world) {
		w.google.PageSize = 3
		for i := range 10 {
			w.google.AddSent(letter(i), time.Now())
		}
		w.connect(ann, false)
		w.read(time.Time{}, 4)
		if n := len(w.google.Requests(messages)); n != 2 {
			w.t.Errorf("%d pages were asked for, want 2", n)
		}
		if n := len(slices.DeleteFunc(w.google.Requests(""), func(r gmailtest.Request) bool { return !strings.HasPrefix(r.Path, messages+"/") })); n != 4 {
			w.t.Errorf("%d mails were asked for, want 4", n)
		}
	})
}

// What is gone, too large or broken is passed over; where Google fails, reading does.
func TestSentPassesOver(t *testing.T) {
	in(t, func(w *world) {
		ids := []string{}
		for i := range 7 {
			ids = append(ids, w.google.AddSent(letter(i), time.Now().Add(-time.Duration(i)*time.Minute)))
		}
		w.connect(ann, false)
		w.google.Remove(ids[0])
		w.google.AddSent(append(letter(8), make([]byte, 4<<20)...), time.Now())
		mail := func(i int, body string) {
			w.google.Break(gmailtest.Fault{Path: messages + "/" + ids[i], Times: 1, Status: 200, Body: body})
		}
		now := time.Now().UnixMilli()
		mail(1, fmt.Sprintf(`{"labelIds":["SENT"],"internalDate":"%d","raw":"?"}`, now))
		mail(2, fmt.Sprintf(`{"labelIds":["INBOX"],"internalDate":"%d","raw":"U3ViamVjdDogeA"}`, now))
		mail(3, fmt.Sprintf(`{"labelIds":["SENT"],"internalDate":"%d","raw":""}`, now))
		mail(4, fmt.Sprintf(`{"labelIds":["SENT"],"internalDate":"%d","sizeEstimate":5000000,"raw":"U3ViamVjdDogeA"}`, now))
		mail(5, `{"raw":"`+strings.Repeat("A", 9<<20))
		if got := strings.Join(w.read(time.Time{}, 100), " "); got != "6" {
			w.t.Errorf("read %q, want 6 alone", got)
		}
		if got := strings.Join(w.read(time.Time{}, 100), " "); got != "1 2 3 4 5 6" {
			w.t.Errorf("read %q once they were whole", got)
		}
		w.google.Fail(messages+"/"+ids[3], -1, 500, "backendError")
		err := w.gmail.Sent(w.t.Context(), ann, time.Time{}, func([]byte) bool { return true })
		w.is("a mail that cannot be read", err, nacre.Transient, gmail.Down)
	})
}

// Fresh knows what was sent since, and not what came, nor what lies in drafts.
func TestFresh(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, true)
		w.google.PageSize = 2
		look := func(what string, want bool) {
			w.t.Helper()
			fresh, upTo, err := w.gmail.Fresh(w.t.Context(), ann)
			if err != nil || fresh != want || upTo == "" {
				w.t.Errorf("%s: %v up to %q, %v", what, fresh, upTo, err)
			}
			w.must(w.gmail.Read(w.t.Context(), ann, upTo))
		}
		look("at first", true)
		look("nothing", false)
		for i := range 5 {
			w.google.Add(letter(i), time.Now(), "INBOX")
			w.google.Add(letter(i), time.Now(), "DRAFT")
		}
		look("mail that came", false)
		w.google.AddSent(letter(1), time.Now())
		look("a mail", true)
		look("nothing more", false)
		w.google.ForgetHistory()
		look("a point that is too old", true)
		look("a new point", false)
		w.must(w.gmail.Read(w.t.Context(), ann, "no point"))
		look("no point", true)
	})
}

// History that goes on and on is not read to its end.
func TestFreshEnds(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, false)
		w.must(w.gmail.Read(w.t.Context(), ann, "1"))
		w.google.Break(gmailtest.Fault{Path: history, Times: -1, Status: 200, Body: `{"historyId":"7","nextPageToken":"x"}`})
		fresh, upTo, err := w.gmail.Fresh(w.t.Context(), ann)
		if !fresh || upTo != "7" || err != nil || len(w.google.Requests(history)) != 20 {
			w.t.Errorf("%v up to %q after %d pages, %v", fresh, upTo, len(w.google.Requests(history)), err)
		}
		w.google.Break(gmailtest.Fault{Path: messages, Times: -1, Status: 200, Body: `{"nextPageToken":"x"}`})
		if w.read(time.Time{}, 100); len(w.google.Requests(messages)) != 20 {
			w.t.Errorf("%d pages", len(w.google.Requests(messages)))
		}
	})
}

// A mail that is sent while others are read is fresh the next time.
func TestPointBeforeReading(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, false)
		w.google.AddSent(letter(1), time.Now())
		_, upTo, err := w.gmail.Fresh(w.t.Context(), ann)
		w.must(err)
		w.must(w.gmail.Sent(w.t.Context(), ann, time.Time{}, func([]byte) bool {
			w.google.AddSent(letter(2), time.Now())
			return true
		}))
		w.must(w.gmail.Read(w.t.Context(), ann, upTo))
		if fresh, _, err := w.gmail.Fresh(w.t.Context(), ann); !fresh || err != nil {
			w.t.Errorf("fresh: %v, %v", fresh, err)
		}
	})
}
