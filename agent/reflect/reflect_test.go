package reflect_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/agent/distill"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/reflect"
	"nacre/memory"
)

func TestReads(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		first := w.says("My dog is called Rex")
		w.answers(note("m1", "My dog is called Rex", "about/dog"))
		rep := w.must()
		if want := (reflect.Report{Batches: 1, Messages: 1, Learned: 1, Calls: 1, Reason: "read"}); rep != want {
			t.Errorf("reported %+v; want %+v", rep, want)
		}
		w.wantAsked(1, "My dog is called Rex")
		w.wantNotes("tentative about/dog: My dog is called Rex")
		n := w.state().Select(memory.Query{})[0]
		if e := n.Evidence; len(e) != 1 || e[0].Message != first.Message.ID || n.Origin != memory.FromInference || n.Decided != memory.ByReflect {
			t.Errorf("the note is %+v", n)
		}

		time.Sleep(24 * time.Hour)
		w.says("Yes, my dog is called Rex, after all.")
		w.answers(note("m2", "my dog is called Rex", "about/dog"))
		w.must()
		w.wantAsked(1, "m1 (before", "m2 (now", `about/dog: "My dog is called Rex"`)
		w.wantNotes("observed about/dog: My dog is called Rex")
	})
}

// What was said before the first start is not read, what is said after it is, also
// if there was nothing yet.
func TestBeginsFromNow(t *testing.T) {
	fromScratch(t, func(t *testing.T, w *world) {
		w.says("zqx-old is what I like")
		time.Sleep(time.Hour)
		w.begin()
		w.must()
		w.wantAsked(0)
		w.says("I live in Graz")
		w.answers(note("m1", "zqx-old is what I like", "preferences/old"), note("m2", "I live in Graz", "about/home"))
		rep := w.must()
		w.wantAsked(1, "m1 (before", "m2 (now")
		w.wantNotes("tentative about/home: I live in Graz")
		if rep.Refused != 1 {
			t.Errorf("reported %+v", rep)
		}

		w.store(w.bob, nacre.Message{Private: true, Chat: nacre.Chat{Channel: nacre.Telegram, ID: "1002"}, Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: "zqx-bob is my name"}}})
		w.answers()
		time.Sleep(time.Hour)
		if rep, err := w.reflector.Reflect(t.Context(), w.bob); err != nil || rep.Messages != 1 {
			t.Errorf("of Bob: %+v, %v", rep, err)
		}
		if list := w.wantAsked(1, "zqx-bob"); strings.Contains(list[0], "Graz") {
			t.Errorf("one owner's words are shown for another: %s", list[0])
		}
	})
}

// Who is admitted while it runs is read from their first word, also if it starts
// again before that was read.
func TestBeginsWithTheFirstWord(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		fromScratch(t, func(t *testing.T, w *world) {
			w.begin(w.bob)
			w.says("I live in Graz")
			if restarted {
				w.restart()
				w.begin(w.bob, w.ann)
			}
			w.answers(note("m1", "I live in Graz", "about/home"))
			w.must()
			w.wantNotes("tentative about/home: I live in Graz")
			w.restart()
			w.begin(w.bob, w.ann)
			w.says("My cat is called Tom")
			w.answers()
			w.must()
			w.wantAsked(2, "m2 (now")
		})
	}
}

// A first start that dies on the way is done again, whoever was begun with.
func TestBeginsAgain(t *testing.T) {
	for _, reversed := range []bool{false, true} {
		fromScratch(t, func(t *testing.T, w *world) {
			w.says("I live in Graz")
			owners := []nacre.OwnerID{w.ann, w.bob}
			if reversed {
				slices.Reverse(owners)
			}
			ctx, end := context.WithCancel(t.Context())
			w.wrap = func(l reflect.Log) reflect.Log { return dying{l, end} }
			w.restart()
			if err := w.reflector.Begin(ctx, owners); err == nil {
				t.Fatal("it did not die")
			}
			w.wrap = nil
			w.restart()
			w.begin(owners...)
			w.must()
			w.wantAsked(0)
			w.says("My cat is called Tom")
			w.answers()
			w.must()
			w.wantAsked(1)
		})
	}
}

// dying is a Log of a process that dies after the first mark is set.
type dying struct {
	reflect.Log
	die func()
}

func (d dying) StartMark(ctx context.Context, owner nacre.OwnerID, reader string, through int64) error {
	defer d.die()
	return d.Log.StartMark(ctx, owner, reader, through)
}

// A message is read ten minutes after it came, and not before.
func TestTenMinutes(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		w.answers()
		time.Sleep(10*time.Minute - time.Millisecond)
		before := w.mark()
		if _, err := w.reflector.Reflect(t.Context(), w.ann); err != nil || w.mark() != before {
			t.Errorf("moved from %d to %d: %v", before, w.mark(), err)
		}
		w.wantAsked(0)
		time.Sleep(time.Millisecond)
		if _, err := w.reflector.Reflect(t.Context(), w.ann); err != nil || w.mark() == before {
			t.Errorf("did not move from %d: %v", before, err)
		}
		w.wantAsked(1)
	})
}

var nows = regexp.MustCompile(`(?m)^m\d+ \(now, `)

// Messages are read forty at a time, until none is left; in an hour a thousand.
func TestCatchesUp(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		for i := range 95 {
			w.says(fmt.Sprintf("I have been to place %d", i))
		}
		for range 3 {
			w.answers()
		}
		rep := w.must()
		var sizes []int
		for _, r := range w.wantAsked(3, "place 0", "place 94") {
			sizes = append(sizes, len(nows.FindAllString(r, -1)))
		}
		if !slices.Equal(sizes, []int{40, 40, 15}) || rep.Messages != 95 || rep.Batches != 3 {
			t.Errorf("read %v: %+v", sizes, rep)
		}
		if rep := w.must(); rep != (reflect.Report{}) {
			t.Errorf("nothing new: %+v", rep)
		}
		w.wantAsked(0)

		w.types(1020, "I have been to Graz")
		for range 26 {
			w.answers()
		}
		if rep := w.must(); rep.Messages != 1000 || rep.Batches != 25 {
			t.Errorf("reported %+v", rep)
		}
		if rep := w.must(); rep.Messages != 20 {
			t.Errorf("the next hour: %+v", rep)
		}
	})
}

// Long messages are read fewer at a time, each once.
func TestLongMessages(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.store(w.ann, nacre.Message{Private: true, Segments: []nacre.Segment{
			{Provenance: nacre.ByOwner, Text: "I live in Graz"}, {Provenance: nacre.Forwarded, Text: strings.Repeat("x", 50_000)}}})
		for i := range 20 {
			w.says(fmt.Sprintf("I have been to place %d%s", i, strings.Repeat(" and on", 500)))
		}
		for range 4 {
			w.answers()
		}
		if rep := w.must(); rep.Messages != 21 || rep.Batches != 4 {
			t.Errorf("reported %+v", rep)
		}
		var sizes []int
		for _, r := range w.wantAsked(4, "I live in Graz", "place 0 ", "place 19 ") {
			sizes = append(sizes, len(nows.FindAllString(r, -1)))
		}
		if !slices.Equal(sizes, []int{1, 9, 9, 2}) {
			t.Errorf("read %v", sizes)
		}
	})
}

// Where there is nothing new, nothing is asked and nothing written.
func TestNothingNew(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		w.answers()
		w.must()
		w.wantAsked(1)
		mark, version := w.mark(), w.state().Version
		for range 24 {
			if rep := w.must(); rep != (reflect.Report{}) {
				t.Fatalf("reported %+v", rep)
			}
		}
		if w.wantAsked(0); w.mark() != mark || w.state().Version != version {
			t.Errorf("the mark is %d, was %d", w.mark(), mark)
		}
	})
}

// A reader of an owner's messages is alone; those of others go on.
func TestOneAtATime(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		inside, leave := make(chan struct{}), make(chan struct{})
		w.learn = func(context.Context, distill.Input) ([]memory.Proposal, error) {
			close(inside)
			<-leave
			return nil, nil
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			if rep := w.must(); rep.Calls != 1 {
				t.Errorf("the first one: %+v", rep)
			}
		})
		<-inside
		if rep, err := w.reflector.Reflect(t.Context(), w.ann); err != nil || rep != (reflect.Report{}) {
			t.Errorf("beside it: %+v, %v", rep, err)
		}
		if err := w.reflector.Flush(t.Context(), nacre.Caller{Owner: w.ann, Said: []nacre.Message{{Seq: 99}}}, nil); err != nil {
			t.Error(err)
		}
		if _, err := w.reflector.Again(t.Context(), w.ann); nacre.KindOf(err) != nacre.Conflict {
			t.Errorf("again: %v", err)
		}
		if rep, err := w.reflector.Reflect(t.Context(), w.bob); err != nil || rep != (reflect.Report{}) {
			t.Errorf("of Bob: %+v, %v", rep, err)
		}
		close(leave)
		wg.Wait()
		if n := len(w.inputs); n != 1 {
			t.Errorf("asked %d times", n)
		}
		if _, err := w.reflector.Again(t.Context(), w.ann); err != nil {
			t.Errorf("after it: %v", err)
		}
	})
}

// Before a summary takes their place messages are read at once, but for those of
// the turn in progress.
func TestFlush(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		now := w.says("My dog is called Rex")
		caller := nacre.Caller{Owner: w.ann, Said: []nacre.Message{now.Message}}
		w.answers(note("m1", "I live in Graz", "about/home"))
		if err := w.reflector.Flush(t.Context(), caller, []llm.Message{{Text: "zqx-going"}}); err != nil {
			t.Fatal(err)
		}
		list := w.wantAsked(1, "I live in Graz")
		if strings.Contains(list[0], "Rex") || strings.Contains(list[0], "zqx-going") {
			t.Errorf("the model sees %s", list[0])
		}
		w.wantNotes("tentative about/home: I live in Graz")
		if err := w.reflector.Flush(t.Context(), caller, nil); err != nil {
			t.Fatal(err)
		}
		w.wantAsked(0)
		w.answers(note("m2", "My dog is called Rex", "about/dog"))
		w.must()
		w.wantAsked(1, "m2 (now", "My dog is called Rex")
	})
}

// A flush that fails or hangs counts nothing: the hours do.
func TestFlushThatFails(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("I live in Graz")
		caller := nacre.Caller{Owner: w.ann, Said: []nacre.Message{w.says("And you?").Message}}
		for range 5 {
			w.fails(1, llm.Overloaded)
			if err := w.reflector.Flush(t.Context(), caller, nil); err == nil {
				t.Fatal("it did not fail")
			}
		}
		w.fails(1, llm.Spent)
		if err := w.reflector.Flush(t.Context(), caller, nil); err != nil {
			t.Errorf("a spent budget: %v", err)
		}
		w.model.Push(llmtest.Step{Gate: llmtest.NewGate()})
		ctx, end := context.WithTimeout(t.Context(), 20*time.Second)
		defer end()
		begun := time.Now()
		if err := w.reflector.Flush(ctx, caller, nil); err == nil || time.Since(begun) != 20*time.Second {
			t.Errorf("a model that hangs: %v after %v", err, time.Since(begun))
		}
		w.requests()
		w.answers(note("m1", "I live in Graz", "about/home"))
		w.must()
		w.wantNotes("tentative about/home: I live in Graz")
	})
}
