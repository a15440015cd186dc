package agenda_test

import (
	"slices"
	"testing"

	"nacre"
	"nacre/agent"
)

func TestButtons(t *testing.T) {
	in(t, func(w *world) {
		w.water()
		c := w.private()
		_, ask := c.sends("/jobs")
		w.restart() // buttons need nothing but the jobs
		text, ask := c.presses(ask, "Show 1")
		wantText(t, text, "**1** reminder: water the plants")
		wantOptions(t, ask, "Pause 1", "Run 1", "Delete 1")
		_, ask = c.presses(ask, "Pause 1")
		w.wantJobs("paused water the plants")
		wantOptions(t, ask, "Resume 1", "Run 1", "Delete 1")
		_, ask = c.presses(ask, "Resume 1")
		w.wantJobs("active water the plants")
		_, ask = c.presses(ask, "Run 1")
		last := ask
		text, ask = c.presses(ask, "Delete 1")
		wantText(t, text, "water the plants")
		wantOptions(t, ask)
		w.wantJobs()
		text, _ = c.presses(last, "Pause 1")
		wantText(t, text, "There is no job 1 here")
	})
}

func wantOptions(t *testing.T, ask *agent.Ask, want ...string) {
	t.Helper()
	var got []string
	if ask != nil {
		got = ask.Options
	}
	if !slices.Equal(got, want) {
		t.Errorf("the buttons are %q, want %q", got, want)
	}
}

// Only the exact answer to a question of ours is one.
func TestWhatIsNoButton(t *testing.T) {
	const question = "What shall I do with job 1? every Monday at 08:00 (Europe/Vienna): water the plants"
	quote := nacre.Segment{Provenance: nacre.Quoted, Text: question}
	label := nacre.Segment{Provenance: nacre.Prefill, Text: "Delete 1"}
	cases := map[string]func(c *chat) nacre.Caller{
		"another question": func(c *chat) nacre.Caller { return c.press("Which tea?", "Delete 1") },
		"another job's": func(c *chat) nacre.Caller {
			return c.press("What shall I do with job 2? every Monday at 08:00 (Europe/Vienna): water the plants", "Delete 1")
		},
		"another label":         func(c *chat) nacre.Caller { return c.press(question, "Delete everything") },
		"a list's":              func(c *chat) nacre.Caller { return c.press("Which one do you want to look at?", "Delete 1") },
		"a link":                func(c *chat) nacre.Caller { return c.put(quote, label) },
		"a label alone":         func(c *chat) nacre.Caller { return c.put(label) },
		"typed out of the blue": func(c *chat) nacre.Caller { c.w.asked = ""; return c.says("Delete 1") },
		"typed after another":   func(c *chat) nacre.Caller { c.w.asked = "Which tea?"; return c.says("Delete 1") },
		"forwarded":             func(c *chat) nacre.Caller { return c.put(nacre.Segment{Provenance: nacre.Forwarded, Text: "Delete 1"}) },
		"with more behind it":   func(c *chat) nacre.Caller { return c.says("Delete 1 and 2") },
		"an edit": func(c *chat) nacre.Caller {
			return c.store(nacre.Message{External: "m", Revision: 1, Segments: []nacre.Segment{c.typed("Delete 1")}})
		},
		"a reaction": func(c *chat) nacre.Caller {
			return c.store(nacre.Message{External: "r", Quiet: true, Segments: []nacre.Segment{c.typed("Delete 1")}})
		},
	}
	in(t, func(w *world) {
		w.water()
		c := w.private()
		for name, caller := range cases {
			c.sends("/jobs 1")
			if _, _, took := c.answers(caller(c)); took {
				t.Errorf("%s was taken", name)
			}
			w.wantJobs("active water the plants")
		}
		c.sends("/jobs 1")
		if _, _, took := c.types("delete 1"); !took {
			t.Error("the words of the button are not taken")
		}
		w.wantJobs()
	})
}

func TestGroupButtons(t *testing.T) {
	in(t, func(w *world) {
		g := w.group()
		w.must(g.says("remind us"), "remind", `{"text":"take the bins out","when":"0 9 * * 1"}`)
		_, ask := g.sends("/jobs 1")
		g.presses(ask, "Pause 1")
		w.wantJobs("paused take the bins out")
		g.sends("/jobs 1")
		if _, _, took := g.types("@nacre_bot resume 1"); !took {
			t.Error("typed words are not taken")
		}
		w.wantJobs("active take the bins out")
	})
}

// A button is about the job as its question shows it.
func TestButtonsOfAJobThatChanged(t *testing.T) {
	for name, change := range map[string]string{"other words": "/jobs edit 1 text feed the cat", "another time": "/jobs edit 1 every Tuesday at 9"} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.water()
				c := w.private()
				_, old := c.sends("/jobs 1")
				c.sends(change)
				for _, label := range []string{"Delete 1", "Pause 1"} {
					text, ask := c.presses(old, label)
					wantText(t, text, "I left it alone", "**1** reminder")
					wantOptions(t, ask, "Pause 1", "Run 1", "Delete 1")
					if list := w.all(w.ann); len(list) != 1 || list[0].State != nacre.Active {
						t.Fatalf("%s is taken", label)
					}
				}
				_, now := c.presses(old, "Delete 1")
				c.presses(now, "Delete 1")
				w.wantJobs()
			})
		})
	}
}
