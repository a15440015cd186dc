package notebook

import (
	"context"
	"fmt"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
)

// noted says what became of a save, for the model: places and reasons, and
// nothing of the words.
func noted(o memory.Outcome) string {
	why, waits := o.Waits()
	switch {
	case o.Refused != "":
		return refused(o.Refused)
	case waits:
		return fmt.Sprintf("Waits to be confirmed, see /memory review: %s (%s).", o.Note.Slot, render.Why(why))
	case o.Same:
		return fmt.Sprintf("Known already: %s.", o.Note.Slot)
	}
	return fmt.Sprintf("Saved: %s.", o.Note.Slot)
}

// refused is a refusal, for the model.
func refused(why memory.Reason) string { return "Refused: " + render.Why(why) + "." }

// told says what became of what the person wanted, for them.
func told(p memory.Proposal, o memory.Outcome) string {
	why, waits := o.Waits()
	switch {
	case o.Refused == memory.Stale:
		return stale
	case o.Refused != "":
		return "I did not do that: " + render.Why(o.Refused) + "."
	case p.Do == memory.Set:
		return switched(p)
	case p.Do == memory.Reject:
		return "All right, I do not remember it."
	case waits:
		return "It waits for you in /memory review: " + render.Why(why) + "."
	case o.Same:
		return "I know that already: " + shortly(o.Note)
	}
	return "Remembered: " + shortly(o.Note)
}

// switched says what a setting means from now on.
func switched(p memory.Proposal) string {
	switch {
	case p.Setting == memory.Saving && p.On:
		return "I remember new things again."
	case p.Setting == memory.Saving:
		return "I remember nothing new until you switch it on again with /memory on. What I know already stays."
	case p.Setting == memory.Sensitive && p.On:
		return "I may remember sensitive topics from now on."
	case p.Setting == memory.Sensitive:
		return "I remember nothing about sensitive topics any more. What I knew about them is hidden and not erased; it comes back with /memory sensitive on."
	case p.Setting == memory.Checkpoints && p.On:
		return "Once a day I send a checkpoint of my memory's log here. Keep these messages: nacre verify proves with them that nothing in the log was changed since."
	case p.Setting == memory.Checkpoints:
		return "I send no checkpoints any more."
	case p.On:
		return "This group has a memory of its own from now on. What is said here stays here."
	}
	return "This group has no memory any more. What I knew here is hidden and not erased."
}

// doubt is what to ask the person about a wish of theirs that was not carried out
// as it is; false if there is nothing to ask.
func (n *Notebook) doubt(ctx context.Context, c nacre.Caller, p memory.Proposal, o memory.Outcome) (question, bool) {
	if p.Do != memory.Learn || !p.Asked && !p.Writer.Owner() {
		return question{}, false
	}
	if _, waits := o.Waits(); waits {
		st, err := n.book(c).State(ctx)
		if err != nil {
			return question{}, false
		}
		return decision(st, c, o.Note), true
	}
	switch o.Refused {
	case memory.IsSensitive:
		allow := proposal(c, memory.Set)
		allow.Setting, allow.On = memory.Sensitive, true
		just := p
		just.Consent.Sensitive = true
		return question{
			Text: "That touches a sensitive topic, and I remember nothing about those unless you want it. Shall I remember it?\n\n" + render.Literal(p.Draft.Text),
			Answers: []answer{
				{Label: "Just this", Propose: []memory.Proposal{just}},
				{Label: "Allow such topics", Propose: []memory.Proposal{allow, p}},
				no("No", "All right, I do not remember it."),
			},
			Yes: 0, No: 2,
		}, true
	case memory.Forgotten:
		again := p
		again.Consent.Forgotten = true
		return question{
			Text:    "You asked me to forget this. Remember it now?\n\n" + render.Literal(p.Draft.Text),
			Answers: []answer{{Label: "Remember it again", Propose: []memory.Proposal{again}}, no("No", "All right, it stays forgotten.")},
			Yes:     0, No: 1,
		}, true
	}
	return question{}, false
}

// decision is what to ask about a note that waits.
func decision(st *memory.State, c nacre.Caller, note *memory.Note) question {
	do := func(label string, v memory.Verb) answer {
		p := proposal(c, v)
		p.Note, p.Hash = note.ID, note.Hash()
		return answer{Label: label, Propose: []memory.Proposal{p}, Shown: shown(note)}
	}
	q := question{Text: "Shall I remember this? I ask because " + render.Why(note.Waits) + ".\n\n" + render.Literal(note.Text), Yes: 0, No: 1,
		Answers: []answer{do("Yes, remember it", memory.Confirm), do("No", memory.Reject)}}
	if old := st.Note(note.Against); old != nil && old.Status.Live() {
		q.Text = fmt.Sprintf("I remember this already:\n\n%s\n\nShall this take its place?\n\n%s", render.Literal(old.Text), render.Literal(note.Text))
		q.Answers, q.No = []answer{do("Replace", memory.Confirm), do("Keep both", memory.Keep), do("No", memory.Reject)}, 2
		for i := range q.Answers {
			q.Answers[i].Shown = shown(note, old)
		}
	}
	return q
}
