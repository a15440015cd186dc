package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/llm/offline"
)

// reader is a model that knows nothing but its prompt: the offline one, watched.
type reader struct {
	mu   sync.Mutex
	asks []llm.Request // guarded by mu
}

// Complete implements llm.Model.
func (r *reader) Complete(ctx context.Context, req llm.Request, emit func(string)) (llm.Response, error) {
	r.mu.Lock()
	r.asks = append(r.asks, req)
	r.mu.Unlock()
	return offline.Model{}.Complete(ctx, req, emit)
}

// newest is what was sent last.
func (r *reader) newest() llm.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asks[len(r.asks)-1]
}

// readBy runs f with a reader in the place of the chat model.
func readBy(t *testing.T, f func(b *bubble, r *reader), env ...string) {
	r := &reader{}
	liveWith(t, nil, func(b *bubble) {
		b.stop()
		b.beyond = func(o *outside) {
			o.chat = []supplier{{name: "reader", model: r, window: unknownWindow, blind: true, simple: true}}
		}
		b.start()
		f(b, r)
	}, env...)
}

// last is what a user reads last.
func (b *bubble) last(user int64) string {
	b.t.Helper()
	texts := b.texts(user)
	if len(texts) == 0 {
		b.t.Fatalf("user %d was told nothing", user)
	}
	return texts[len(texts)-1]
}

// A conversation of long ago changes what is sent to the model and what the person
// reads; without it, and for somebody else, neither is there.
func TestRecallChangesTheAnswer(t *testing.T) {
	for _, c := range []struct{ name, said, more, asked, answer string }{
		{"a fact", "I put my passport into the blue drawer.", "It rains again.", "Where did I put my passport?", "blue drawer"},
		{"other forms of the words", "We went to Lisbon and stayed at the Hotel Aurora.", "Good night.", "At which hotel did we stay when we went to Lisbon?", "Aurora"},
		{"a slip of the finger", "The violin is at the luthier in Cremona.", "I am tired.", "Where is my vioiln?", "Cremona"},
		{"German", "Unser Vermieter heißt Ottokar.", "Es regnet.", "Wie heißt unser Vermieter?", "Ottokar"},
		{"Chinese", "我把备用钥匙交给了楼下的邻居。", "今天下雨了。", "备用钥匙交给了谁？", "邻居"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, told := range []bool{true, false} {
				readBy(t, func(b *bubble, r *reader) {
					if told {
						b.say(1001, c.said)
					}
					b.say(1001, c.more)
					b.say(1001, "/new")
					b.stop()
					time.Sleep(60 * 24 * time.Hour)
					b.start()
					b.say(1001, c.asked)
					sent, read := r.newest(), b.last(1001)
					if got := strings.Contains(sent.Tail, c.answer); got != told {
						t.Errorf("told %v: the request ends with %q", told, sent.Tail)
					}
					if strings.Contains(sent.System+fmt.Sprint(sent.Messages), c.answer) {
						t.Errorf("told %v: it stands in what later requests repeat", told)
					}
					if got := strings.Contains(read, c.answer); got != told {
						t.Errorf("told %v: the person reads %q", told, read)
					}
					b.say(1002, c.asked)
					if sent, read := r.newest(), b.last(1002); strings.Contains(sent.Tail, c.answer) || strings.Contains(read, c.answer) {
						t.Errorf("another owner is told: %q, %q", sent.Tail, read)
					}
				})
			}
		})
	}
}

// What was said a moment before a fresh start is found at once.
func TestRecallRightAfterAFreshStart(t *testing.T) {
	readBy(t, func(b *bubble, r *reader) {
		b.say(1001, "Hello.")
		b.say(1001, "I parked the car on level 3 of the garage.")
		b.say(1001, "/new")
		b.say(1001, "Where did I park the Volkswagen?")
		if read := b.last(1001); !strings.Contains(read, "level 3") {
			t.Errorf("the person reads %q, of %q", read, r.newest().Tail)
		}
	})
}

// What is in the window is not repeated, what was forgotten is not found, and a
// restart changes nothing of that.
func TestRecallOverTime(t *testing.T) {
	readBy(t, func(b *bubble, r *reader) {
		const asked = "Where did I put my passport?"
		b.say(1001, "I put my passport into the blue drawer.")
		b.say(1001, asked)
		if tail := r.newest().Tail; strings.Contains(tail, "blue drawer") {
			t.Errorf("what is in the window is repeated: %q", tail)
		}
		b.say(1001, "/new")
		b.stop()
		b.start()
		b.say(1001, asked)
		if read := b.last(1001); !strings.Contains(read, "blue drawer") {
			t.Errorf("after a restart: %q", read)
		}
		b.say(1001, "/why")
		if read := b.last(1001); !strings.Contains(read, "you said: “I put my passport into the blue drawer.”") {
			t.Errorf("why: %q", read)
		}
		b.say(1001, "/remember my passport lies in the blue drawer")
		b.say(1001, "/forget about passport")
		b.api.Press(1001, 1001, b.api.Sent()[len(b.api.Sent())-1].ID, firstButton(b))
		b.pass(time.Second)
		b.say(1001, "/why")
		if read := b.last(1001); strings.Contains(read, "drawer") {
			t.Errorf("why, when it was forgotten: %q", read)
		}
		b.say(1001, "/new")
		b.say(1001, asked)
		if sent, read := r.newest(), b.last(1001); strings.Contains(sent.Tail, "drawer") || strings.Contains(read, "drawer") {
			t.Errorf("when it was forgotten: %q, %q", sent.Tail, read)
		}
	})
}

// firstButton is what the first button of the newest message sends.
func firstButton(b *bubble) string {
	b.t.Helper()
	s := b.api.Sent()[len(b.api.Sent())-1]
	if len(s.Buttons) == 0 {
		b.t.Fatalf("there is no button under %q", s.Text)
	}
	return s.Buttons[0][0].Data
}

// The model finds by itself, through the program as it is wired, and only in the
// chats of the session's own scope.
func TestHistorySearchTool(t *testing.T) {
	live(t, func(b *bubble) {
		b.api.Know(1001, 1002, -100777)
		b.say(1001, "The ferry to Naxos left at nine.")
		b.say(1002, "My ferry was yellow.")
		b.say(1001, "/new")
		b.model.Push(llmtest.Step{Calls: []llm.ToolCall{{ID: "a", Name: "history_search", Args: []byte(`{"words":"ferries"}`)}}}, llmtest.Step{Text: "At nine."})
		b.say(1001, "Hm?")
		requests := b.model.Requests()
		m := requests[len(requests)-1].Messages
		result := m[len(m)-1]
		if result.Role != llm.Tool || !strings.Contains(result.Text, "The ferry to Naxos left at nine.") || !strings.Contains(result.Text, `"complete":true`) || strings.Contains(result.Text, "yellow") {
			t.Errorf("the tool says %q", result.Text)
		}
	})
}
