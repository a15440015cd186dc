package agenda_test

import (
	"testing"
	"time"

	"nacre"
)

// sent begins a turn with a message that was sent some time ago, by the network's
// clock.
func (c *chat) sent(ago time.Duration, text string) nacre.Caller {
	c.w.t.Helper()
	caller := c.says(text)
	caller.Said[0].Sent = caller.Said[0].Sent.Add(-ago)
	return caller
}

// Times count from when the person wrote, and not from when it was read.
func TestTimesCountFromWhenItWasSent(t *testing.T) {
	const past = "You wanted that at Sat 1 Jan 2000, 08:20 (Europe/Vienna), 100 minutes ago. That is past by now, so I set nothing"
	cases := []struct {
		name, line string
		ago        time.Duration
		want       string
	}{
		{"at once", "/remind in 20 minutes tea", 0, "⏰ 2. Sat 1 Jan 2000, 10:20"},
		{"late", "/remind in 20 minutes tea", 15 * time.Minute, "⏰ 2. Sat 1 Jan 2000, 10:05"},
		{"yesterday", "/remind tomorrow at 18 tea", 12 * time.Hour, "⏰ 2. Sat 1 Jan 2000, 18:00"},
		{"too late", "/remind in 20 minutes tea", 2 * time.Hour, past},
		{"too late for a change", "/jobs edit 1 in 20 minutes", 2 * time.Hour, past},
		{"by a clock that is ahead", "/remind in 20 minutes tea", -time.Hour, "⏰ 2. Sat 1 Jan 2000, 10:20"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			in(t, func(w *world) {
				w.water()
				c := w.private()
				text, _ := c.obeys(c.sent(tc.ago, tc.line), tc.line)
				wantText(t, text, tc.want)
				if tc.want == past {
					w.wantJobs("active water the plants")
				}
			})
		})
	}
}

// A model is told the same, also where its owner would have to be asked.
func TestModelsCountFromWhenItWasSent(t *testing.T) {
	const past = "You wanted that at Sat 1 Jan 2000, 08:20"
	in(t, func(w *world) {
		w.water()
		c := w.private()
		for _, tainted := range []bool{false, true} {
			for _, call := range [][2]string{{"schedule", `{"text":"tea","when":"in 20 minutes"}`}, {"jobs", `{"number":1,"action":"edit","when":"in 20 minutes"}`}} {
				caller := c.sent(2*time.Hour, "as I say")
				caller.Tainted = tainted
				r, err := w.use(caller, call[0], call[1])
				if nacre.KindOf(err) != nacre.Invalid || r.Ask != nil {
					t.Fatalf("%s, tainted %v: %+v, %v", call[0], tainted, r, err)
				}
				wantText(t, err.Error(), past)
			}
		}
		w.wantJobs("active water the plants")
		wantText(t, w.must(c.sent(15*time.Minute, "as I say"), "remind", `{"text":"tea","when":"in 20 minutes"}`).Tell, "10:05")
	})
}

// The words of an edit are as old as the edit.
func TestEditedWordsCountFromTheEdit(t *testing.T) {
	in(t, func(w *world) {
		caller := w.private().sent(2*time.Hour, "in 20 minutes")
		caller.Said[0].Revision = time.Now().Add(-5 * time.Minute).Unix()
		wantText(t, w.must(caller, "remind", `{"text":"tea","when":"in 20 minutes"}`).Tell, "10:15")
	})
}
