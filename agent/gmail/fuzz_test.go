package gmail

import (
	"bytes"
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-message/mail"

	"nacre"
)

// none is a store that keeps nothing, and fails the test if it is to.
type none struct{ t *testing.T }

func (none) Account(context.Context, nacre.OwnerID) (*Account, error) { return nil, nil }

func (n none) Keep(context.Context, nacre.OwnerID, *Account) error {
	n.t.Error("something is kept")
	return nil
}

// Whatever is pasted: without the state it changes nothing and asks Google nothing, and
// the consent that was begun can still be given.
func FuzzFinish(f *testing.F) {
	for _, s := range []string{"", "?", "http://127.0.0.1/?state=x&code=4/1", "state=x", "state=x&state=y", "error=access_denied&state=", "%", "?state=%00&code=;", "#?state=x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, back string) {
		g := New(Options{Store: none{t}, Now: time.Now})
		_, err := g.Begin(t.Context(), "ann", Wish{Client: Client{"1.apps.googleusercontent.com", "s"}, Back: "http://127.0.0.1/"})
		if err != nil {
			t.Fatal(err)
		}
		state := g.consents["ann"].state
		owner, err := g.Finish(t.Context(), "ann", back)
		if k := nacre.KindOf(err); owner != "" || k != nacre.Invalid && k != nacre.Denied {
			t.Errorf("%q: %q, %v", back, owner, err)
		}
		if len(back) > 8 && strings.Contains(err.Error(), back) {
			t.Errorf("the error repeats what was pasted: %v", err)
		}
		if c, ok := g.settle("ann", state); !ok || c.owner != "ann" {
			t.Error("the consent is gone")
		}
	})
}

// What passes the checks is read back as it was meant: each header once, nothing more,
// and the same subject, people and body.
func FuzzLetter(f *testing.F) {
	f.Add("anna@example.org", "ben@example.org", "Hello", "A body\n")
	f.Add("a.b+c@x-y.example.org", "", "Grüße: 星期四 😀 "+strings.Repeat("ü", 150), "=3D =\r\n.\r\n-- \r\nx")
	f.Add("anna@example.org\r\nBcc: x@example.org", "a@b.c, d@e.f", "x\r\nBcc: eve@evil.example", "From x\n\n\n")
	f.Add("a?=@example.org", "!#$%&'*+/=?^_{|}~-@example.org", "=?utf-8?q?x?=", "\t")
	f.Add("a@example.org", "", strings.Repeat("word ", 39), strings.Repeat("long ", 400))
	f.Fuzz(func(t *testing.T, to, cc, subject, body string) {
		in := letter{To: []string{to}, Subject: subject, Body: body}
		if cc != "" {
			in.Cc = []string{cc}
		}
		l, err := in.tidy()
		if err != nil {
			return
		}
		raw, err := l.write("ann@example.org", messageID("turn", 1, "ann@example.org"), time.Unix(1e9, 0))
		if err != nil {
			t.Fatal(err)
		}
		readBack(t, l, raw)
	})
}

func readBack(t *testing.T, l letter, raw []byte) {
	t.Helper()
	m, err := mail.CreateReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%v in\n%s", err, raw)
	}
	fields := map[string]int{}
	for all := m.Header.Fields(); all.Next(); {
		fields[all.Key()]++
	}
	want := map[string]int{"From": 1, "To": 1, "Subject": 1, "Date": 1, "Message-Id": 1, "Mime-Version": 1, "Content-Type": 1, "Content-Transfer-Encoding": 1}
	if len(l.Cc) > 0 {
		want["Cc"] = 1
	}
	if !maps.Equal(fields, want) {
		t.Errorf("the header has %v\n%s", fields, raw)
	}
	if got, err := m.Header.Subject(); got != l.Subject || err != nil {
		t.Errorf("the subject is %q, want %q: %v", got, l.Subject, err)
	}
	if to, cc := readPeople(t, m, "To"), readPeople(t, m, "Cc"); !slices.Equal(to, l.To) || !slices.Equal(cc, l.Cc) {
		t.Errorf("to %q and %q, want %q and %q", to, cc, l.To, l.Cc)
	}
	part, err := m.NextPart()
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(part.Body)
	if want := strings.ReplaceAll(l.Body, "\n", "\r\n") + "\r\n"; string(got) != want || err != nil {
		t.Errorf("the body is %q, want %q: %v", got, want, err)
	}
	if i := slices.IndexFunc(bytes.Split(raw, []byte("\r\n")), func(b []byte) bool { return len(b) > 998 || bytes.ContainsAny(b, "\r\n") }); i >= 0 {
		t.Errorf("line %d is no line of a mail", i)
	}
}

func readPeople(t *testing.T, m *mail.Reader, field string) []string {
	t.Helper()
	list, err := m.Header.AddressList(field)
	if err != nil {
		t.Errorf("%s: %v", field, err)
	}
	var all []string
	for _, a := range list {
		all = append(all, a.Address)
	}
	return all
}
