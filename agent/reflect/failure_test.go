package reflect_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent/distill"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/reflect"
	"nacre/memory"
)

// A model that is down is asked again in the next two hours. Then the batch is set
// aside for all to see, the next is read in the same hour, and what was set aside
// can be read later.
func TestModelIsDown(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		before := w.mark()
		var last nacre.Inbound
		for range 40 {
			last = w.says("I live in Graz")
		}
		w.fails(3, llm.Overloaded)
		for range 2 {
			rep, err := w.hour()
			if err == nil || rep.Reason != "overloaded" || rep.Calls != 1 || rep.Messages != 0 {
				t.Fatalf("reported %+v, %v", rep, err)
			}
			if w.mark() != before || len(w.aside()) != 0 {
				t.Fatalf("the mark moved to %d, and %v is aside", w.mark(), w.aside())
			}
		}
		newer := w.says("My cat is called Tom")
		w.answers(note("m11", "My cat is called Tom", "about/cat")) // ten of the others are its context
		rep := w.must()
		if rep.Aside != 1 || rep.Reason != "set_aside" || rep.Learned != 1 {
			t.Errorf("reported %+v", rep)
		}
		w.wantAsked(4, "I live in Graz", "My cat is called Tom")
		w.wantNotes("tentative about/cat: My cat is called Tom")
		if w.mark() != newer.Message.Seq {
			t.Errorf("the mark is %d, want %d", w.mark(), newer.Message.Seq)
		}
		list := w.aside()
		if len(list) != 1 || list[0].First != before+1 || list[0].Through != last.Message.Seq || list[0].Reason != "overloaded" || list[0].Failures != 3 {
			t.Fatalf("aside is %+v", list)
		}
		if rep := w.must(); rep != (reflect.Report{}) {
			t.Errorf("the hour after: %+v", rep)
		}
		w.wantAsked(0)

		w.fails(1, llm.Network)
		if rep, err := w.reflector.Again(t.Context(), w.ann); err == nil || rep.Reason != "network" {
			t.Errorf("again while it is down: %+v, %v", rep, err)
		}
		if list := w.aside(); len(list) != 1 || list[0].Reason != "overloaded" || list[0].Failures != 3 {
			t.Errorf("aside is %+v", list)
		}
		w.answers(note("m40", "I live in Graz", "about/home"))
		if rep, err := w.reflector.Again(t.Context(), w.ann); err != nil || rep.Learned != 1 {
			t.Errorf("again: %+v, %v", rep, err)
		}
		w.wantNotes("tentative about/cat: My cat is called Tom", "tentative about/home: I live in Graz")
		if len(w.aside()) != 0 || w.mark() != newer.Message.Seq {
			t.Errorf("aside is %+v, the mark %d", w.aside(), w.mark())
		}
	})
}

// One good hour between two bad ones begins the count anew.
func TestFailuresInARow(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		for range 3 {
			w.says("I live in Graz")
			w.fails(2, llm.Overloaded)
			w.answers()
			for i := range 3 {
				if _, err := w.hour(); (err == nil) != (i == 2) {
					t.Fatalf("hour %d: %v", i, err)
				}
			}
		}
		if list := w.aside(); len(list) != 0 {
			t.Errorf("aside is %+v", list)
		}
		if all, err := w.ledger.Batches(t.Context(), w.ann); len(all) != 0 || err != nil {
			t.Errorf("left are %+v, %v", all, err)
		}
	})
}

// What was set aside is tried again by itself once a day, and ten times in all.
func TestRetriesOnceADay(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		w.fails(10, llm.Flagged)
		for range 24 * 20 {
			w.hour()
		}
		w.wantAsked(10)
		if list := w.aside(); len(list) != 1 || list[0].Failures != 10 {
			t.Fatalf("aside is %+v", list)
		}
	})
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		w.fails(3, llm.Flagged)
		for range 3 {
			w.hour()
		}
		w.wantAsked(3)
		w.set(memory.Saving, false)
		for range 48 {
			w.must()
		}
		if w.wantAsked(0); len(w.aside()) != 1 {
			t.Errorf("while saving is off: %+v", w.aside())
		}
		w.set(memory.Saving, true)
		w.fails(1, llm.Flagged)
		w.must()
		w.wantAsked(1)
		w.answers(note("m1", "I live in Graz", "about/home"))
		for range 23 {
			w.must()
		}
		w.wantAsked(0)
		w.must()
		w.wantAsked(1)
		w.wantNotes("tentative about/home: I live in Graz")
		if list := w.aside(); len(list) != 0 {
			t.Errorf("aside is %+v", list)
		}
	})
}

// Why a batch cannot be read, and whether that counts.
func TestReasonsOfFailures(t *testing.T) {
	prose := llmtest.Step{Text: "I have noted it."}
	many := llmtest.Step{Text: `{"notes":[` + strings.Repeat(note("m1", "I live in Graz", "about/home")+",", 20) + note("m1", "I live in Graz", "about/home") + `]}`}
	down := func(cause llm.Cause) llmtest.Step { return llmtest.Step{Err: &llm.Error{Cause: cause}} }
	for _, tt := range []struct {
		name   string
		steps  []llmtest.Step // of one hour
		reason string
		counts bool
	}{
		{"overloaded (control)", []llmtest.Step{down(llm.Overloaded)}, "overloaded", true},
		{"no connection", []llmtest.Step{down(llm.Network)}, "network", true},
		{"a code of two words", []llmtest.Step{down(llm.TooLong)}, "too_long", true},
		{"prose, twice", []llmtest.Step{prose, prose}, "unreadable", true},
		{"too many notes, twice", []llmtest.Step{many, many}, "unreadable", true},
		{"it hangs", []llmtest.Step{{Gate: llmtest.NewGate()}}, "deadline", true},
		{"no money", []llmtest.Step{down(llm.Spent)}, "budget", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hours(t, func(t *testing.T, w *world) {
				before := w.mark()
				w.says("I live in Graz")
				for i := range 4 {
					if tt.steps[0].Gate != nil {
						tt.steps[0].Gate = llmtest.NewGate()
					}
					w.model.Push(tt.steps...)
					rep, err := w.hour()
					wantErr := tt.counts && i < 2
					if want := map[bool]string{true: tt.reason, false: "set_aside"}[wantErr || !tt.counts]; (err != nil) != wantErr || rep.Reason != want {
						t.Fatalf("hour %d: %+v, %v; want %s", i, rep, err, want)
					}
					if tt.counts && i == 2 {
						break
					}
				}
				switch list := w.aside(); {
				case tt.counts && (len(list) != 1 || list[0].Reason != tt.reason):
					t.Errorf("aside is %+v", list)
				case !tt.counts && (len(list) != 0 || w.mark() != before):
					t.Errorf("aside is %+v, the mark %d", list, w.mark())
				}
				w.wantNotes()
			})
		})
	}
}

// A process that is told to end counts nothing, and reads the batch next time.
func TestEndOfTheProcess(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		for range 4 {
			ctx, end := context.WithCancel(t.Context())
			w.learn = func(ctx context.Context, in distill.Input) ([]memory.Proposal, error) {
				end()
				return nil, ctx.Err()
			}
			time.Sleep(time.Hour)
			if _, err := w.reflector.Reflect(ctx, w.ann); err == nil {
				t.Fatal("it did not fail")
			}
		}
		if all, err := w.ledger.Batches(t.Context(), w.ann); len(all) != 0 || err != nil {
			t.Errorf("counted %+v, %v", all, err)
		}
		w.learn = nil
		w.answers(note("m1", "I live in Graz", "about/home"))
		w.must()
		w.wantNotes("tentative about/home: I live in Graz")
	})
}

// A process that dies between the answer and the transaction asks again, one that
// dies after it does not; nothing is kept twice.
func TestCrash(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		w.answers(note("m1", "I live in Graz", "about/home"))
		w.learn = func(ctx context.Context, in distill.Input) ([]memory.Proposal, error) {
			w.learn = nil
			defer w.ledger.Close()
			return w.Learn(ctx, in)
		}
		if _, err := w.hour(); err == nil {
			t.Fatal("it did not fail")
		}
		w.wantAsked(1)
		w.open()
		w.wantNotes()

		w.answers(note("m1", "I live in Graz", "about/home"))
		w.must()
		w.wantAsked(1)
		w.restart()
		w.must()
		w.wantAsked(0)
		w.wantNotes("tentative about/home: I live in Graz")
		if n := len(w.state().Select(memory.Query{})[0].Evidence); n != 1 {
			t.Errorf("it rests on %d messages", n)
		}
	})
}

// A batch that was read again, and whose process died before it was dropped, gives
// nothing new the next time.
func TestCrashAfterReadingAgain(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		w.fails(3, llm.Overloaded)
		for range 3 {
			w.hour()
		}
		old := w.aside()[0]
		w.answers(note("m1", "I live in Graz", "about/home"))
		if _, err := w.reflector.Again(t.Context(), w.ann); err != nil {
			t.Fatal(err)
		}
		w.ledger.Failed(t.Context(), w.ann, reflect.Reader, old.First, old.Through, "")
		w.ledger.SetAside(t.Context(), w.ann, reflect.Reader, old.First)
		w.answers(note("m1", "I live in Graz", "about/home"), note("m1", "live in Graz", "about/home"))
		rep, err := w.reflector.Again(t.Context(), w.ann)
		if err != nil || rep.Learned != 0 || rep.Waiting != 0 || rep.Calls != 1 {
			t.Errorf("again: %+v, %v", rep, err)
		}
		w.wantNotes("tentative about/home: I live in Graz")
		w.wantWaiting()
	})
}

// Who calls with too little time, such as a turn, counts nothing; the Reflector's
// own patience does.
func TestCallersDeadline(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		for _, c := range []struct {
			patience time.Duration
			failures int
		}{{2 * time.Minute, 0}, {2 * time.Minute, 0}, {2 * time.Minute, 0}, {25 * time.Minute, 1}} {
			w.model.Push(llmtest.Step{Gate: llmtest.NewGate()})
			time.Sleep(time.Hour)
			ctx, end := context.WithTimeout(t.Context(), c.patience)
			rep, err := w.reflector.Reflect(ctx, w.ann)
			end()
			if err == nil || rep.Reason != "deadline" {
				t.Errorf("with %v: %+v, %v", c.patience, rep, err)
			}
			if n := w.failures(); n != c.failures {
				t.Errorf("with %v: %d failures; want %d", c.patience, n, c.failures)
			}
		}
	})
}

// A model that is slow with every scope of a batch is one failure an hour, too.
func TestSlowWithEveryScope(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		for _, id := range []nacre.ChatID{"-1", "-2", "-3"} {
			chat := nacre.Chat{Channel: nacre.Telegram, ID: id}
			w.set(memory.GroupSetting(memory.GroupScope(chat)), true)
			w.store(w.ann, nacre.Message{Chat: chat, Segments: []nacre.Segment{{Provenance: nacre.InGroup, Text: "I live in Graz"}}})
		}
		w.learn = func(ctx context.Context, _ distill.Input) ([]memory.Proposal, error) {
			select {
			case <-time.After(9 * time.Minute):
				return nil, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		time.Sleep(time.Hour)
		ctx, end := context.WithTimeout(t.Context(), 30*time.Minute)
		defer end()
		if rep, err := w.reflector.Reflect(ctx, w.ann); err == nil || rep.Calls != 3 || w.failures() != 1 {
			t.Errorf("%+v, %v, %d failures", rep, err, w.failures())
		}
	})
}

// By hand everything is read, however often it fails: only the hours count that.
func TestByHand(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		w.fails(3, llm.Overloaded)
		for range 3 {
			w.hour()
		}
		w.says("My cat is called Tom")
		time.Sleep(10 * time.Minute)
		w.fails(5, llm.Overloaded)
		for range 5 {
			if rep, err := w.reflector.Again(t.Context(), w.ann); err == nil || rep.Reason != "overloaded" {
				t.Errorf("reported %+v, %v", rep, err)
			}
		}
		if list := w.aside(); len(list) != 1 || list[0].Failures != 3 || w.failures() != 3 {
			t.Errorf("aside is %+v; %d failures", list, w.failures())
		}
		w.answers(note("m2", "My cat is called Tom", "about/cat"))
		w.answers(note("m1", "I live in Graz", "about/home"))
		if rep, err := w.reflector.Again(t.Context(), w.ann); err != nil || rep.Learned != 2 || len(w.aside()) != 0 {
			t.Errorf("reported %+v, %v; aside is %+v", rep, err, w.aside())
		}
		w.wantNotes("tentative about/cat: My cat is called Tom", "tentative about/home: I live in Graz")
	})
}

// What the owner wrote about how to read is needed to read.
func TestSteeringThatCannotBeRead(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		w.unsteered = errScripted
		for range 4 {
			if _, err := w.hour(); err == nil {
				t.Fatal("it did not fail")
			}
		}
		if w.wantAsked(0); len(w.aside()) != 0 {
			t.Errorf("aside is %+v", w.aside())
		}
		w.unsteered = nil
		w.answers()
		w.must()
		w.wantAsked(1)
	})
}
