package whatsapp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest/wadouble"
)

// TestNothingIsKeptOrLoggedOfPeople talks, fails in some ways, and looks through the
// log at its most talkative, and through the files after a scrubbing.
func TestNothingIsKeptOrLoggedOfPeople(t *testing.T) {
	connected(t, func(r *rig) {
		r.ann.Named("Zebulonia")
		r.ann.Say(r.us.LID(), "the gate code is 4711")
		r.ann.Send(r.us.LID(), wadouble.Text("garbled 4712"), wadouble.Opts{Garble: true})
		r.ann.Send(r.us.LID(), wadouble.Text("by number 4713"), wadouble.Opts{ByNumber: true, NoAlt: true})
		r.after(time.Minute)
		r.answer("the answer is 4714")
		r.us.History(r.ann.LID(), "history 4715")
		r.wa.Net().Cut()
		r.after(time.Minute)
		r.wa.Fail(wadouble.Fault{Kind: wadouble.StreamError, Code: 599, Words: "4716"})
		r.after(time.Minute)
		r.wantState(true, "connected")
		if err := r.c.Scrub(r.Context()); err != nil {
			t.Fatal(err)
		}
		log, files := r.log.String(), r.files()
		r.us.Unlink()
		r.after(time.Minute)
		log += r.log.String()

		for _, secret := range []string{"4711", "4712", "4713", "4714", "4715", "4716", "Zebulonia"} {
			if strings.Contains(files, secret) {
				t.Errorf("the files hold %q", secret)
			}
			if strings.Contains(log, secret) {
				t.Errorf("the log holds %q", secret)
			}
		}
		for _, secret := range []string{ourPhone, annsPhone, r.us.LID().User, r.ann.LID().User, "s.whatsapp.net", "<message"} {
			for line := range strings.Lines(log) {
				if strings.Contains(line, secret) {
					t.Errorf("%s is in the log: %s", secret, line)
				}
			}
		}
		if !strings.Contains(files, ourPhone) || !strings.Contains(log, "connected to WhatsApp") {
			t.Error("the search proves nothing")
		}
		if len(r.host.Messages()) < 2 {
			t.Errorf("only %d messages came", len(r.host.Messages()))
		}
	})
}

// answer sends a text to Ann.
func (r *rig) answer(text string) {
	r.Helper()
	d := nacre.Delivery{ID: nacre.DeliveryID(nacre.NewID(time.Now())), Chat: chatOf(r.ann.LID()), Part: nacre.Part{Text: text}}
	if _, err := r.c.Send(r.Context(), d, false); err != nil {
		r.Fatalf("Send: %v", err)
	}
}

// files is what every file of the account holds.
func (r *rig) files() string {
	r.Helper()
	names, _ := filepath.Glob(filepath.Join(r.dir, "*"))
	var all strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			r.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}
