package main

import (
	"testing"

	"nacre"
	"nacre/memory"
	"nacre/web"
)

// handed is a desk in the hand of an owner.
type handed struct {
	*world
	web.Desk
	hand web.Hand
	user string // of the owner on Telegram
}

// inEveryHand lays something out for both owners, and runs a test with the operator
// over the socket of a running program, and without one with each of them.
func inEveryHand(t *testing.T, lay func(w *world, a *app, user string), test func(t *testing.T, h handed)) {
	laid := func(t *testing.T) *world {
		w := newWorld(t)
		w.alone(func(a *app) {
			for _, user := range []string{"1001", "1002"} {
				lay(w, a, user)
			}
		})
		return w
	}
	t.Run("over the socket", func(t *testing.T) {
		w := laid(t)
		defer w.start().stop()
		test(t, handed{w, web.NewClient(w.env["NACRE_DATA"]), web.Hand{By: memory.ByShell}, "1001"})
	})
	for user, name := range map[string]string{"1001": "the operator", "1002": "another owner"} {
		t.Run(name+" alone", func(t *testing.T) {
			w := laid(t)
			w.alone(func(a *app) {
				w.t = t
				test(t, handed{w, a, web.Hand{Owner: w.owner(a, user), By: memory.ByPage}, user})
			})
		})
	}
}

// memory is the owner's.
func (h handed) memory() web.Memory { return h.Memory(h.hand) }

// does makes a change that must be done.
func (h handed) does(c web.Change) web.Outcome {
	h.t.Helper()
	out, err := h.memory().Propose(h.t.Context(), c)
	if err != nil || out.Refused != "" {
		h.t.Fatalf("%s %q: %+v, %v", c.Do, c.Text, out, err)
	}
	return out
}

// refuses makes a change that must be refused.
func (h handed) refuses(c web.Change, why memory.Reason, words string) {
	h.t.Helper()
	out, err := h.memory().Propose(h.t.Context(), c)
	if err != nil || out.Refused != why || out.Words != words {
		h.t.Errorf("%s %q: %+v, %v; want it refused for %q, %q", c.Do, c.Text, out, err, why, words)
	}
}

// note is the note of a name.
func (h handed) note(name string, which web.Which) web.Note {
	h.t.Helper()
	s, err := h.memory().Note(h.t.Context(), web.NoteName{Name: name, Which: which})
	if err != nil {
		h.t.Fatalf("%s: %v", name, err)
	}
	return s.Note
}

// lists are the notes of a standing, "path text".
func (h handed) lists(which web.Which) (list []string) {
	h.t.Helper()
	l, err := h.memory().Notes(h.t.Context(), web.NoteQuery{Which: which})
	if err != nil {
		h.t.Fatal(err)
	}
	return lined(l.Notes)
}

func lined(notes []web.Note) (list []string) {
	for _, n := range notes {
		list = append(list, n.Path+" "+n.Text)
	}
	return list
}

// kindOf is the kind of an error that there must be.
func kindOf(t *testing.T, err error) nacre.Kind {
	t.Helper()
	if err == nil {
		t.Error("there is no error")
	}
	return nacre.KindOf(err)
}
