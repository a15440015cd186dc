package recollect_test

import (
	"testing"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/llm/offline"
	"nacre/agent/prompt"
	"nacre/memory/recall"
)

// reads is what a person reads of a model that sees nothing but its prompt, asked
// with or without what was recalled.
func (c chat) reads(question string, with bool) string {
	c.w.t.Helper()
	req := prompt.Build(prompt.Input{
		Turn:   []llm.Message{{Role: llm.User, Text: question}},
		Moment: prompt.Moment{Now: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC), Channel: nacre.Telegram, Private: c.private},
	})
	if e := c.recalls(question); with && e.Text != "" {
		req.Tail = e.Text + "\n" + req.Tail
	}
	res, err := offline.Model{}.Complete(c.w.t.Context(), req, nil)
	if err != nil {
		c.w.t.Fatal(err)
	}
	return res.Text
}

// What was said months ago, and is in no prompt any more, is answered with what is
// recalled and not without it.
func TestWithAndWithout(t *testing.T) {
	w := newWorld(t)
	ann := w.private()
	ann.moreTalk()
	ann.put(recall.ByOwner, "2026-01-10 18:00", "I put the spare key under the green flowerpot")
	ann.put(recall.ByAssistant, "2026-01-10 18:01", "Your spare key is at the bank.")
	ann.put(recall.ByOwner, "2026-02-03 07:30", "The plumber is called Ferber and comes on Fridays")
	ann.put(recall.ByOwner, "2026-03-09 20:00", "Mein Fahrrad hat die Rahmennummer 7741")
	ann.put(recall.ByOwner, "2026-04-11 20:00", "我的护照放在书房的抽屉里")
	ann.note("people/niece", "My niece is called Alba.")
	for _, c := range []struct{ question, with, without string }{
		{"Where is my spare key?", "On 2026-01-10 you said: “I put the spare key under the green flowerpot”", "I find nothing about that in this conversation."},
		{"When does the plumber come?", "On 2026-02-03 you said: “The plumber is called Ferber and comes on Fridays”", "I find nothing about that in this conversation."},
		{"What is my niece called?", "I remember: “My niece is called Alba.”", "I find nothing about that in this conversation."},
		{"Welche Rahmennummer hat mein Fahrrad?", "Am 2026-03-09 hast du gesagt: „Mein Fahrrad hat die Rahmennummer 7741“", "Dazu finde ich in diesem Gespräch nichts."},
		{"我的护照在哪里？", "2026-04-11 你说过：“我的护照放在书房的抽屉里”", "在这次对话中我没有找到相关内容。"},
		{"Who wrote the Odyssey?", "I find nothing about that in this conversation.", "I find nothing about that in this conversation."},
	} {
		if got := ann.reads(c.question, true); got != c.with {
			t.Errorf("%s\nwith memory: %s\nwant:        %s", c.question, got, c.with)
		}
		if got := ann.reads(c.question, false); got != c.without {
			t.Errorf("%s\nwithout memory: %s\nwant:           %s", c.question, got, c.without)
		}
	}
	if got := w.bobs().reads("Where is my spare key?", true); got != "I find nothing about that in this conversation." {
		t.Errorf("somebody else reads %q", got)
	}
}
