package web

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway/live"
)

func changed(topics ...Topic) frame { return frame{T: frameChange, Topics: topics} }

func TestPagesHearWhatChanged(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		one, two, other := h.open(ann), h.open(ann), h.open(bob)
		time.Sleep(newsEvery) // each login was news
		begin := time.Now()
		h.chat.Changed(ann, TopicMemory)
		one.want(changed(TopicMemory))
		two.want(changed(TopicMemory))
		other.wantNone()
		if took := time.Since(begin); took != 0 {
			t.Errorf("the first change was told after %v", took)
		}
		h.chat.Changed("", TopicChannels) // everybody
		for _, p := range []*tab{one, two, other} {
			p.want(changed(TopicChannels))
		}
		h.chat.Changed("owner-nobody", TopicMemory)
		other.wantNone()
	})
}

// However many changes there are, a page gets few frames, is not dropped, and
// knows at the end what is different.
func TestBurstOfChangesIsFewFrames(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		p := h.open(ann)
		const burst, lasts = 1000, 200 * time.Millisecond
		begin := time.Now()
		for i := range burst {
			h.chat.Changed(ann, []Topic{TopicMemory, TopicJobs, TopicFiles}[i%3])
			if i%10 == 0 {
				time.Sleep(lasts / (burst / 10))
			}
		}
		last := time.Now()
		time.Sleep(newsEvery)
		synctest.Wait()
		frames := len(p.frames)
		if most := int(last.Sub(begin)/newsEvery) + 2; frames < 2 || frames > most {
			t.Errorf("%d changes in %v became %d frames, want 2 to %d", burst, last.Sub(begin), frames, most)
		}
		for range frames - 1 {
			<-p.frames
		}
		end := <-p.frames
		slices.Sort(end.Topics)
		if !slices.Equal(end.Topics, []Topic{TopicFiles, TopicJobs, TopicMemory}) {
			t.Errorf("the last frame tells of %v", end.Topics)
		}
		p.say("a-1", "still here")
		p.want(frame{T: frameStored, ID: "a-1"})
	})
}

// A page whose connection takes nothing for a while is told afterwards, and keeps
// nobody waiting meanwhile.
func TestSlowPageHearsLater(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		slow, quick := h.deaf(h.logIn(ann)), h.open(ann)
		begin := time.Now()
		for range 2 * live.Queue {
			h.chat.Changed(ann, TopicMemory)
			quick.want(changed(TopicMemory))
			time.Sleep(newsEvery)
		}
		h.chat.Changed(ann, TopicJobs)
		quick.want(changed(TopicJobs))
		if took := time.Since(begin); took > 2*live.Queue*newsEvery {
			t.Errorf("the changes took %v, want that nobody waited", took)
		}
		go slow.listen()
		slow.wantReady(ann)
		heard := map[Topic]bool{}
		for !heard[TopicJobs] {
			select {
			case f := <-slow.frames:
				for _, topic := range f.Topics {
					heard[topic] = true
				}
			case <-time.After(time.Minute):
				t.Fatalf("the slow page heard of %v alone", heard)
			}
		}
		if !heard[TopicMemory] {
			t.Error("the slow page did not hear of memory")
		}
	})
}

// Who comes back finds another mark where something of theirs was forgotten meanwhile,
// and only there.
func TestMarkTellsOfForgetting(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		mark := func(owner nacre.OwnerID) string {
			p := h.deaf(h.logIn(owner))
			go p.listen()
			return p.wantReady(owner)
		}
		before, others := mark(ann), mark(bob)
		h.chat.Changed(ann, TopicMemory)
		if got := mark(ann); got != before {
			t.Errorf("the mark was %s and is %s though nothing was forgotten", before, got)
		}
		h.chat.Changed(ann, TopicForgotten)
		if got := mark(ann); got == before {
			t.Error("the mark is the same after a forgetting")
		}
		if got := mark(bob); got != others {
			t.Error("the mark of another is not the same")
		}
		if NewChat(nil).readers.mark(bob) == others {
			t.Error("another process has the same mark")
		}
	})
}

// What is sent after a change comes after the news of it, though pages rest between
// news: else the answer to a forgetting would go with what is forgotten.
func TestNewsComesBeforeWhatIsSentAfterIt(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		p := h.open(ann)
		for range 20 {
			h.chat.Changed(ann, TopicMemory)
			p.want(changed(TopicMemory))
			h.chat.Changed(ann, TopicForgotten)
			h.chat.Typing(t.Context(), chatOf(ann))
			p.want(changed(TopicForgotten))
			p.want(frame{T: frameTyping})
		}
	})
}

func TestPagesThatAreGoneAreForgotten(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		p := h.open(ann)
		h.open(bob)
		p.conn.Close()
		p.wantEnd()
		synctest.Wait()
		if n := len(h.chat.readers.all); n != 1 {
			t.Errorf("%d owners have readers, want 1", n)
		}
		h.chat.Changed(ann, TopicMemory)
	})
}

// One who changes something never waits for pages, not even for hundreds.
func BenchmarkChanged(b *testing.B) {
	c := NewChat(nil)
	for i := range 200 {
		c.readers.add(nacre.OwnerID("owner-" + string(rune('a'+i%4))))
	}
	for b.Loop() {
		c.Changed("", TopicMemory)
	}
}
