package web

import (
	"testing"
	"time"

	"nacre"
)

// What was forgotten goes from a chat with all that the history does not have, also
// where the page hears of it late; what was typed stays, and so do commands as long as
// nothing was forgotten.
func TestBrowserForgets(t *testing.T) {
	desk := newPastDesk()
	desk.past.add(talks(30)...)
	b := browse(t, desk)
	b.logIn()
	b.Sees("#log", "Answer 29.")
	forgets := func(how func()) {
		t.Helper()
		b.say("/memory")
		b.send(nacre.NewID(time.Now()), nacre.Part{Text: "What I know of you."})
		b.Sees("#log", "What I know of you.")
		b.lose() // which is no reason to let go of it
		b.Until(`document.documentElement.dataset.link === "away"`)
		b.connected()
		b.Sees("#log", "What I know of you.")
		b.Fill("Message", "not said")
		how()
		b.SeesNot("#log", "What I know of you.")
		b.SeesNot("#log", "/memory")
		b.Until(`document.querySelector("#words").value === "not said"`)
		b.Sees("#log", "Answer 29.")
		b.Fill("Message", " ")
	}
	forgets(func() { b.chat.Changed(ann, TopicForgotten) })
	forgets(func() {
		b.lose(func() { b.deaf.Store(true) })
		b.Sees("#banner", "Nacre is away.")
		b.chat.Changed(ann, TopicForgotten)
		b.deaf.Store(false)
	})
}
