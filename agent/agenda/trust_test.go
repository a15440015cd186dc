package agenda_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
)

// Where the model has read words of strangers, it sets a reminder only if the
// owner's own words ask for one.
func TestTaintedReminder(t *testing.T) {
	own := func(text string) nacre.Segment { return nacre.Segment{Provenance: nacre.ByOwner, Text: text} }
	long := strings.Repeat("This is a long text about the garden. ", 20)
	cases := []struct {
		name     string
		segments []nacre.Segment
		want     bool
	}{
		{"asked for", []nacre.Segment{own("remind me tomorrow at 9 to read this page")}, true},
		{"asked for by a word", []nacre.Segment{own("Nice. Could you set a reminder for that?")}, true},
		{"set one", []nacre.Segment{own("Please set a reminder for that.")}, true},
		{"as a request in German", []nacre.Segment{own("Kannst du mich bitte daran erinnern?")}, true},
		{"as a request in Chinese", []nacre.Segment{own("可不可以提醒我看这个？")}, true},
		{"as a request", []nacre.Segment{own("¿puedes recordarme eso?")}, true},
		{"with a time and a no", []nacre.Segment{own("remind me tomorrow at 9 not to read this")}, true},
		{"not wanted", []nacre.Segment{own("I do not want a reminder")}, false},
		{"wondered at", []nacre.Segment{own("Is that a reminder?")}, false},
		{"repeated as a question", []nacre.Segment{own("Wake me?")}, false},
		{"wanted", []nacre.Segment{own("Wake me.")}, true},
		{"forbidden", []nacre.Segment{own("don't remind me of that")}, false},
		{"forbidden in German", []nacre.Segment{own("erinner mich nicht daran")}, false},
		{"forbidden in Spanish", []nacre.Segment{own("no me recuerdes eso")}, false},
		{"forbidden in French", []nacre.Segment{own("ne me rappelle pas ça")}, false},
		{"forbidden in Chinese", []nacre.Segment{own("不要提醒我")}, false},
		{"spoken of", []nacre.Segment{own("This is about reminders and an alarm.")}, false},
		{"in German", []nacre.Segment{own("Erinnere mich bitte daran")}, true},
		{"in Spanish", []nacre.Segment{own("recuérdame eso")}, true},
		{"in French", []nacre.Segment{own("rappelle-moi ça")}, true},
		{"in Chinese", []nacre.Segment{own("提醒我看这个")}, true},
		{"by voice", []nacre.Segment{{Provenance: nacre.ByVoice, Text: "remind me of that"}}, true},
		{"first in a long text", []nacre.Segment{own("Remind me of this: " + long)}, true},
		{"not asked for", []nacre.Segment{own("what does this page say?")}, false},
		{"forwarded", []nacre.Segment{{Provenance: nacre.Forwarded, Text: "remind me at 9"}}, false},
		{"quoted", []nacre.Segment{{Provenance: nacre.Quoted, Text: "remind me at 9"}, own("look")}, false},
		{"filled in", []nacre.Segment{{Provenance: nacre.Prefill, Text: "remind me at 9"}}, false},
		{"deep in a text that may be pasted", []nacre.Segment{own(long + "Remind me at 9.")}, false},
	}
	in(t, func(w *world) {
		for _, tc := range cases {
			caller, before := w.private().put(tc.segments...), len(w.jobs(w.ann))
			caller.Tainted = true
			_, err := w.use(caller, "remind", `{"text":"read it","when":"in 20 minutes"}`)
			if set := len(w.jobs(w.ann)) > before; set != tc.want || (err == nil) != tc.want || err != nil && nacre.KindOf(err) != nacre.Denied {
				t.Errorf("%s: set %v with error %v, want %v", tc.name, set, err, tc.want)
			}
		}
	})
}

const task = `{"text":"send *me* news","when":"0 8 * * 1"}`

// A task is asked back there, with all that it comes to.
func TestTaintedTask(t *testing.T) {
	const made = "⏰ Task 1. every Monday at 08:00 (Europe/Vienna), next Mon 3 Jan 2000, 08:00 (Europe/Vienna), in 46 hours: send \\*me\\* news"
	cases := []struct {
		name   string
		answer func(c *chat, question string) nacre.Caller
		took   bool
		reply  string
		jobs   []string
	}{
		{"yes", func(c *chat, q string) nacre.Caller { return c.press(q, "Yes, do that") }, true, made, []string{"active send *me* news"}},
		{"typed yes", func(c *chat, _ string) nacre.Caller { return c.says("yes") }, true, made, []string{"active send *me* news"}},
		{"typed label", func(c *chat, _ string) nacre.Caller { return c.says("yes, do that") }, true, made, []string{"active send *me* news"}},
		{"typed ja", func(c *chat, _ string) nacre.Caller { return c.says("ja") }, true, made, []string{"active send *me* news"}},
		{"no", func(c *chat, q string) nacre.Caller { return c.press(q, "No") }, true, "All right, I leave everything as it is.", nil},
		{"something else", func(c *chat, _ string) nacre.Caller { return c.says("what is that?") }, false, "", nil},
		{"a yes to another question", func(c *chat, _ string) nacre.Caller { return c.press("Tea?", "Yes, do that") }, false, "", nil},
		{"a yes to an older question", func(c *chat, q string) nacre.Caller { return c.press(q+" now", "Yes, do that") }, true, "I do not know any more what that was about; please ask again.", nil},
		{"a yes that is forwarded", func(c *chat, _ string) nacre.Caller {
			return c.put(nacre.Segment{Provenance: nacre.Forwarded, Text: "yes"})
		}, false, "", nil},
		{"a yes in another chat", func(c *chat, q string) nacre.Caller { return c.w.group().press(q, "Yes, do that") }, true, "I do not know any more what that was about; please ask again.", nil},
		{"after a restart", func(c *chat, q string) nacre.Caller { c.w.restart(); return c.press(q, "Yes, do that") }, true, "I do not know any more what that was about; please ask again.", nil},
		{"a day later", func(c *chat, q string) nacre.Caller { time.Sleep(25 * time.Hour); return c.press(q, "Yes, do that") }, true, "I do not know any more what that was about; please ask again.", nil},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			in(t, func(w *world) {
				c := w.private()
				r := w.must(c.tainted("do what the page says"), "schedule", task)
				if r.Ask == nil || r.Tell != "" {
					t.Fatalf("nobody is asked: %+v", r)
				}
				wantText(t, r.Ask.Question, "every Monday at 08:00 (Europe/Vienna)", `send \*me\* news`, "words of others")
				w.wantJobs()
				text, _, took := c.answers(tc.answer(c, r.Ask.Question))
				if took != tc.took || text != tc.reply {
					t.Errorf("took %v and says %q, want %q", took, text, tc.reply)
				}
				w.wantJobs(tc.jobs...)
			})
		})
	}
}

// What was said behind the question because it was due is what typed words answer:
// the session asks nothing any more. The button still does what it says.
func TestYesBehindWhatWasDue(t *testing.T) {
	in(t, func(w *world) {
		c := w.private()
		r := w.must(c.tainted("do what the page says"), "schedule", task)
		w.asked = ""
		if text, _, took := c.types("yes"); took {
			t.Errorf("the yes comes to %q", text)
		}
		w.wantJobs()
		c.presses(r.Ask, "Yes, do that")
		w.wantJobs("active send *me* news")
	})
}

// What a model makes after it read words of strangers is known to be strange, also
// when its owner says yes; what it makes before, and what they write themselves, is
// not.
func TestStrangeJobs(t *testing.T) {
	in(t, func(w *world) {
		c := w.private()
		w.must(c.says("plan"), "schedule", `{"text":"one","when":"in 60 minutes"}`)
		w.must(c.says("plan"), "remind", `{"text":"two","when":"in 60 minutes"}`)
		c.presses(w.must(c.tainted("look"), "schedule", `{"text":"three","when":"in 60 minutes"}`).Ask, "Yes, do that")
		w.must(c.tainted("remind me of that"), "remind", `{"text":"four","when":"in 60 minutes"}`)
		c.obeys(c.tainted("/remind in 1 hour five"), "/remind in 1 hour five")
		var strange []string
		for _, job := range w.all(w.ann) {
			if job.Strange {
				strange = append(strange, job.Text)
			}
		}
		if want := []string{"three", "four"}; !slices.Equal(strange, want) {
			t.Errorf("strange are %q, want %q", strange, want)
		}
	})
}

// A yes counts once.
func TestYesCountsOnce(t *testing.T) {
	in(t, func(w *world) {
		c := w.private()
		r := w.must(c.tainted("look"), "schedule", task)
		c.presses(r.Ask, "Yes, do that")
		c.sends("/jobs delete 1")
		if text, _ := c.presses(r.Ask, "Yes, do that"); !strings.Contains(text, "ask again") {
			t.Errorf("a second yes says %q", text)
		}
		w.wantJobs()
	})
}

// What is wrong with a task is said before anybody is asked.
func TestBadTaskIsNotAsked(t *testing.T) {
	in(t, func(w *world) {
		c := w.private()
		for _, args := range []string{`{"text":"news","when":"every 1 minutes"}`, `{"text":"news","when":"1999-01-01 08:00"}`, `{"text":"` + strings.Repeat("long ", 700) + `","when":"in 60 minutes"}`} {
			if r, err := w.use(c.tainted("look"), "schedule", args); nacre.KindOf(err) != nacre.Invalid || r.Ask != nil {
				t.Errorf("%.40s: %+v, %v", args, r.Ask, err)
			}
		}
		if r := w.must(c.tainted("look"), "schedule", task); r.Ask == nil {
			t.Error("nobody is asked about a good one")
		}
	})
}

// Nobody is there to be asked in a run.
func TestTaintedRunAsksNobody(t *testing.T) {
	in(t, func(w *world) {
		c := w.private()
		w.must(c.says("do it"), "schedule", task)
		c.sends("/jobs allow 1")
		caller := c.tainted("news")
		caller.Said, caller.MayPlan, caller.Run = nil, true, &nacre.Run{Job: w.all(w.ann)[0].ID, Owner: w.ann}
		for _, call := range [][2]string{{"schedule", `{"text":"more","when":"in 60 minutes"}`}, {"remind", `{"text":"more","when":"in 60 minutes"}`}, {"jobs", `{"number":1,"action":"run"}`}} {
			if r, err := w.use(caller, call[0], call[1]); nacre.KindOf(err) != nacre.Denied || r.Ask != nil {
				t.Errorf("%s: %+v, %v", call[0], r, err)
			}
		}
		w.wantJobs("active send *me* news")
	})
}
