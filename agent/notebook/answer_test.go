package notebook_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/memory"
)

// asked is Ann's chat in which memory has just asked whether to forget her dog.
func asked(t *testing.T) (*world, *chat, *agent.Ask) {
	w, c := twoThings(t)
	r := w.must(c.says("a fine dog"), "memory_forget", `{"about":"dog"}`)
	if r.Ask == nil {
		t.Fatalf("nobody is asked: %q", r.Text)
	}
	return w, c, r.Ask
}

func TestTypedAnswers(t *testing.T) {
	cases := []struct {
		text   string
		took   bool
		forgot bool
	}{
		{"yes", true, true}, {"Ja!", true, true}, {"sí, por favor", true, true}, {"oui.", true, true}, {"是", true, true},
		{"Forget it", true, true}, {" forget it! ", true, true}, {"@nacre_bot yes", true, true}, {"Yes, forget it", true, true},
		{"no", true, false}, {"Nein, danke", true, false}, {"non", true, false}, {"不", true, false}, {"No.", true, false},
		{"ok", false, false}, {"what?", false, false}, {"yes but not yet", false, false}, {"1", false, false},
	}
	for _, tc := range cases {
		t.Run(tc.text, func(t *testing.T) {
			w, c, _ := asked(t)
			r, took := c.types(tc.text)
			if took != tc.took || took && r.Text == "" {
				t.Errorf("took %v with reply %q, want %v", took, r.Text, tc.took)
			}
			if forgot := len(w.live(w.ann)) == 1; forgot != tc.forgot {
				t.Errorf("forgotten: %v, want %v", forgot, tc.forgot)
			}
		})
	}
}

// Only words that are plainly an answer count, and only the owner's own.
func TestWhatIsNoAnswer(t *testing.T) {
	yes := func(p nacre.Provenance) nacre.Segment { return nacre.Segment{Provenance: p, Text: "yes"} }
	cases := map[string]func(c *chat) nacre.Inbound{
		"a forwarded yes":      func(c *chat) nacre.Inbound { return c.put(yes(nacre.Forwarded)) },
		"a prefilled yes":      func(c *chat) nacre.Inbound { return c.put(yes(nacre.Prefill)) },
		"a yes that was heard": func(c *chat) nacre.Inbound { return c.put(yes(nacre.ByVoice)) },
		"a yes to another text": func(c *chat) nacre.Inbound {
			return c.put(nacre.Segment{Provenance: nacre.Quoted, Text: "Shall I book it?"}, yes(nacre.ByOwner))
		},
		"the button of another question": func(c *chat) nacre.Inbound {
			return c.store(nacre.Message{ID: nacre.MessageID(nacre.NewID(time.Now())), External: "press/q", Segments: []nacre.Segment{
				{Provenance: nacre.Quoted, Text: "Shall I forget your bike?"}, {Provenance: nacre.Prefill, Text: "Forget it"}}})
		},
	}
	for name, say := range cases {
		t.Run(name, func(t *testing.T) {
			w, c, ask := asked(t)
			if _, took := c.answers(say(c)); took {
				t.Error("it was taken")
			}
			w.wantLive(bike, dog)
			if _, took := c.presses(ask, "Forget it"); !took {
				t.Error("the button works no more")
			}
			w.wantLive(bike)
		})
	}
}

func TestReplyToTheQuestionIsAnAnswer(t *testing.T) {
	w, c, ask := asked(t)
	if _, took := c.answers(c.put(nacre.Segment{Provenance: nacre.Quoted, Text: "All right.\n" + ask.Question}, c.typed("yes"))); !took {
		t.Error("it was not taken")
	}
	w.wantLive(bike)
}

// What a turn asked that failed before the person saw it is not answered by what
// they type; a button under it would be.
func TestUnseenQuestion(t *testing.T) {
	w, c, ask := asked(t)
	w.asked = "Which size?"
	if _, took := c.types("yes"); took {
		t.Error("yes was taken for an answer to what nobody saw")
	}
	w.wantLive(bike, dog)
	if _, took := c.presses(ask, ask.Options[0]); !took {
		t.Error("its button does nothing")
	}
	w.wantLive(bike)
}

// Other words end the waiting for typed ones and not for the button.
func TestOtherWordsBetween(t *testing.T) {
	w, c, ask := asked(t)
	if _, took := c.types("What is the weather like?"); took {
		t.Fatal("a question was taken for an answer")
	}
	w.restart()
	if _, took := c.types("yes"); took {
		t.Error("a yes to something else was taken")
	}
	w.wantLive(bike, dog)
	if _, took := c.presses(ask, "Forget it"); !took {
		t.Error("the button works no more")
	}
	w.wantLive(bike)
}

func TestEditsAndReactionsAnswerNothing(t *testing.T) {
	w, c, _ := asked(t)
	for name, m := range map[string]nacre.Message{"an edit": {Revision: 1}, "a reaction": {Quiet: true}} {
		m.ID, m.External, m.Segments = nacre.MessageID(nacre.NewID(time.Now())), nacre.ExternalID(name), []nacre.Segment{c.typed("yes")}
		if _, took := c.answers(c.store(m)); took {
			t.Errorf("%s was taken", name)
		}
	}
	w.wantLive(bike, dog)
	if _, took := c.types("yes"); !took {
		t.Error("yes was not taken")
	}
}

func TestQuestionsSurviveARestartAndExpire(t *testing.T) {
	w, c, ask := asked(t)
	w.restart()
	if _, took := c.types("yes"); !took {
		t.Fatal("the question was lost")
	}
	w.wantLive(bike)
	if _, took := c.presses(ask, "Forget it"); took {
		t.Error("it was answered twice")
	}
}

func TestQuestionsExpire(t *testing.T) {
	for _, tc := range []struct {
		after time.Duration
		took  bool
	}{{23 * time.Hour, true}, {25 * time.Hour, false}} {
		synctest.Test(t, func(t *testing.T) {
			w, c, ask := asked(t)
			time.Sleep(tc.after)
			if _, took := c.presses(ask, "Forget it"); took != tc.took {
				t.Errorf("after %s it was taken: %v, want %v", tc.after, took, tc.took)
			}
			w.ledger.Close()
		})
	}
}

func TestChangedNoteIsLookedAtAgain(t *testing.T) {
	w := newWorld(t)
	c := w.private()
	w.learner.script = waiting("always recommend zqx-one", true)
	r := w.must(c.says("Remember: always recommend zqx-one"), "memory_learn", `{}`)
	wait := w.state(w.ann).Select(memory.Query{Statuses: []memory.Status{memory.Candidate}})
	edit := memory.Proposal{Writer: memory.ByPage, Do: memory.Edit, Note: wait[0].ID, Draft: memory.Draft{Text: "likes zqx-two"}}
	if out, err := w.library.Book(w.ann).Propose(t.Context(), edit); err != nil || out[0].Refused != "" {
		t.Fatalf("%+v, %v", out, err)
	}
	reply, took := c.presses(r.Ask, "Yes, remember it")
	if !took || strings.Contains(reply.Text, "Remembered") {
		t.Errorf("the reply is %q", reply.Text)
	}
	w.wantLive("likes zqx-two")
}

func TestConflict(t *testing.T) {
	for label, want := range map[string][]string{
		"Replace":   {"always recommend zqx-two hotels"},
		"Keep both": {"always recommend zqx-two hotels", "likes zqx-one hotels"},
		"No":        {"likes zqx-one hotels"},
	} {
		t.Run(label, func(t *testing.T) {
			w := newWorld(t)
			c := w.private()
			w.note(w.ann, memory.Private, "preferences/hotel", "likes zqx-one hotels")
			w.learner.script = waiting("always recommend zqx-two hotels", true)
			r := w.must(c.says("Remember: always recommend zqx-two hotels"), "memory_learn", `{}`)
			if r.Ask == nil {
				t.Fatalf("nobody is asked: %q", r.Text)
			}
			wantText(t, r.Ask.Question, "zqx-one", "zqx-two")
			c.presses(r.Ask, label)
			w.wantLive(want...)
		})
	}
}

// One owner's question is no other's, and neither is that of another chat.
func TestQuestionsStayInTheirSession(t *testing.T) {
	w, _, _ := asked(t)
	for name, c := range map[string]*chat{"the group": w.group(), "another owner": w.bobs()} {
		if _, took := c.types("yes"); took {
			t.Errorf("%s answered", name)
		}
	}
	w.wantLive(bike, dog)
}
