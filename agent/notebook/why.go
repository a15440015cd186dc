package notebook

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/memory"
	"nacre/memory/render"
)

// Selected is what was found for one answer.
type Selected struct {
	Notes    []nacre.NoteID
	Messages []Saying
	Gone     int // messages that were forgotten since
}

// Saying is an earlier message.
type Saying struct {
	Who  string // "you", "I", or a name
	Sent time.Time
	Text string // or the part of it that was found
}

// maxWhy is how many notes, and how many messages, /why lists.
const maxWhy = 30

// maxQuoted bounds the characters of a quote in /why.
const maxQuoted = 160

// whyCommand is /why: the notes and the earlier messages that were in front of the
// model when it answered last, and the words that each note rests on.
func (n *Notebook) whyCommand(ctx context.Context, c nacre.Caller, _ string) (agent.Result, error) {
	st, err := n.book(c).State(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	f, known, err := n.front(ctx, c, st)
	if err != nil {
		return agent.Result{}, err
	}
	if !known {
		return said("I have answered nothing here since I was started."), nil
	}
	found, err := n.selected(ctx, c)
	if err != nil {
		return agent.Result{}, err
	}
	w := why{n: n, caller: c, zone: n.opts.Zone(c.Owner)}
	w.notes(ctx, "For my last answer I looked up these notes:", notesOf(st, found.Notes), len(found.Notes))
	w.sayings(found)
	always := slices.DeleteFunc(slices.Clone(f.shown), func(id nacre.NoteID) bool { return slices.Contains(found.Notes, id) })
	w.notes(ctx, "When I answered last, these notes were in front of me, as part of what I always see:", notesOf(st, always), len(always))
	if w.err != nil {
		return agent.Result{}, w.err
	}
	if len(w.parts) == 0 {
		return said("No note and no earlier message was in front of me when I answered."), nil
	}
	return said(strings.Join(w.parts, "\n\n")), nil
}

func (n *Notebook) selected(ctx context.Context, c nacre.Caller) (Selected, error) {
	if n.opts.Selected == nil {
		return Selected{}, nil
	}
	return n.opts.Selected(ctx, c)
}

// why is an answer to /why in the making.
type why struct {
	n      *Notebook
	caller nacre.Caller
	zone   *time.Location // where they live
	parts  []string
	err    error
}

// notes lists notes with what they rest on; of so many that there were.
func (w *why) notes(ctx context.Context, heading string, list []*memory.Note, were int) {
	if were == 0 || w.err != nil {
		return
	}
	lines := []string{heading, ""}
	for _, note := range list[:min(maxWhy, len(list))] {
		quotes, err := w.n.book(w.caller).Quotes(ctx, note)
		if err != nil {
			w.err = err
			return
		}
		lines = append(lines, w.note(note, quotes))
	}
	w.add(lines, len(list)-maxWhy, were-len(list))
}

// add makes lines a part of the answer, with how many there was no room for, and
// how many were forgotten.
func (w *why) add(lines []string, rest, gone int) {
	if rest > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more", rest))
	}
	if gone > 0 {
		lines = append(lines, fmt.Sprintf("- %d more were forgotten since", gone))
	}
	w.parts = append(w.parts, strings.Join(lines, "\n"))
}

// note is one of them: its text, and the newest words that it rests on.
func (w *why) note(note *memory.Note, quotes []memory.Quoted) string {
	line := fmt.Sprintf("- %s: %s", render.Literal(note.Slot.String()), render.Literal(note.Text))
	switch n := len(quotes); {
	case n > 0:
		q := quotes[0]
		line += fmt.Sprintf(" (you said on %s: “%s”)", q.Evidence.Sent.In(w.zone).Format(time.DateOnly), render.Literal(clip(q.Text, maxQuoted)))
	case note.Origin == memory.FromHand:
		line += " (you wrote that down yourself)"
	}
	return line
}

// sayings lists earlier messages.
func (w *why) sayings(found Selected) {
	if len(found.Messages)+found.Gone == 0 {
		return
	}
	heading := "For my last answer I looked up these earlier messages:"
	if len(w.parts) > 0 {
		heading = "And these earlier messages:"
	}
	lines := []string{heading, ""}
	for _, m := range found.Messages[:min(maxWhy, len(found.Messages))] {
		lines = append(lines, fmt.Sprintf("- on %s %s said: “%s”", m.Sent.In(w.zone).Format("2006-01-02 15:04"), render.Literal(m.Who), render.Literal(clip(m.Text, maxQuoted))))
	}
	w.add(lines, len(found.Messages)-maxWhy, found.Gone)
}
