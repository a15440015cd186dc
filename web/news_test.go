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
		slow.want(frame{T: frameReady})
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
