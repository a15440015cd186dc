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

// memoryCommand is /memory: a digest, more about one place, the notes that wait,
// and the switches.
func (n *Notebook) memoryCommand(ctx context.Context, c nacre.Caller, args string) (agent.Result, error) {
	if !c.Typed(args) {
		args = ""
	}
	fields := strings.Fields(strings.ToLower(args))
	switch {
	case len(fields) == 1 && fields[0] == "review":
		return n.reviewNext(ctx, c, nil)
	case len(fields) == 1 && isSwitch(fields[0]):
		return n.set(ctx, c, memory.Saving, fields[0])
	case len(fields) == 2 && slices.Contains([]string{memory.Sensitive, memory.Checkpoints}, fields[0]) && isSwitch(fields[1]):
		return n.set(ctx, c, fields[0], fields[1])
	case len(fields) == 2 && fields[0] == "group" && isSwitch(fields[1]):
		return n.setGroup(ctx, c, fields[1])
	case len(fields) > 1:
		return agent.Result{}, errMemoryArgs
	}
	st, err := n.book(c).State(ctx)
	switch {
	case err != nil:
		return agent.Result{}, err
	case closed(st, c):
		return said("This group has no memory. /memory group on gives it one of its own, which stays here."), nil
	case len(fields) == 1:
		return n.place(ctx, c, st, fields[0])
	}
	q := memory.Query{Scope: scope(c), Now: time.Now(), Statuses: []memory.Status{memory.Candidate, memory.Tentative, memory.Observed, memory.Stated}}
	return said(strings.TrimSpace(render.Digest(st.Select(q))) + more(st, c)), nil
}

var errMemoryArgs = nacre.Errorf(nacre.Invalid, "I know /memory alone, and behind it: an area such as people, a note such as people/dog, review, on, off, sensitive on, sensitive off, checkpoints on, checkpoints off and, in a group, group on and group off.")

// more says what else there is to know, and to do.
func more(st *memory.State, c nacre.Caller) string {
	var lines []string
	if !st.On(memory.Saving) {
		lines = append(lines, "Saving is off: /memory on")
	}
	if waits := st.Select(memory.Query{Scope: scope(c), Statuses: []memory.Status{memory.Candidate}}); len(waits) > 0 {
		lines = append(lines, "What waits for you: /memory review")
	}
	if len(lines) == 0 {
		return ""
	}
	return "\n\n" + strings.Join(lines, "\n")
}

func isSwitch(word string) bool { return word == "on" || word == "off" }

// set switches a setting that holds in all chats.
func (n *Notebook) set(ctx context.Context, c nacre.Caller, setting, to string) (agent.Result, error) {
	if !c.Private {
		return agent.Result{}, errPrivate
	}
	p := proposal(c, memory.Set)
	p.Setting, p.On = setting, to == "on"
	r, err := n.propose(ctx, c, answer{Propose: []memory.Proposal{p}})
	if err != nil || setting != memory.Sensitive || p.On {
		return r, err
	}
	return n.hidden(ctx, c, r)
}

// hidden asks what is to become of the notes that a switch has hidden.
func (n *Notebook) hidden(ctx context.Context, c nacre.Caller, r agent.Result) (agent.Result, error) {
	st, err := n.book(c).State(ctx)
	if err != nil || st.Hidden() == 0 {
		return r, err
	}
	f := n.forgetting(c, memory.SizeHidden, nil)
	q := question{
		Text:    fmt.Sprintf("%d of my notes are about sensitive topics. Shall I keep them hidden, or erase them for good?", st.Hidden()),
		Answers: []answer{no("Keep them hidden", "They stay hidden."), {Label: "Erase them", Forget: &f}},
		Yes:     -1, No: 0,
	}
	if st.Hidden() == 1 {
		q.Text = "One of my notes is about a sensitive topic. Shall I keep it hidden, or erase it for good?"
		q.Answers = []answer{no("Keep it hidden", "It stays hidden."), {Label: "Erase it", Forget: &f}}
	}
	ask, asked, err := n.ask(ctx, c, q)
	if asked && err == nil {
		ask.Text, r = r.Text, ask
	}
	return r, err
}

// setGroup gives a group a memory, or takes it away.
func (n *Notebook) setGroup(ctx context.Context, c nacre.Caller, to string) (agent.Result, error) {
	if c.Private {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "Send that in the group that you mean.")
	}
	p := proposal(c, memory.Set)
	p.Setting, p.On = memory.GroupSetting(scope(c)), to == "on"
	return n.propose(ctx, c, answer{Propose: []memory.Proposal{p}})
}

// place shows the notes of an area, or one note with the words that it rests on.
func (n *Notebook) place(ctx context.Context, c nacre.Caller, st *memory.State, path string) (agent.Result, error) {
	area, slug, one := strings.Cut(path, "/")
	var found []*memory.Note
	for _, note := range visible(st, c, time.Now()) {
		if string(note.Slot.Area) == area && (!one || note.Slot.Slug == slug) {
			found = append(found, note)
		}
	}
	switch {
	case len(found) == 0 && !slices.Contains(memory.Areas, memory.Area(area)):
		return agent.Result{}, errMemoryArgs
	case len(found) == 0:
		return said("There is nothing there."), nil
	case !one:
		return said(strings.TrimSpace(listing(found, maxListed))), nil
	}
	return n.about(ctx, c, found[0])
}

// about tells people all about a note.
func (n *Notebook) about(ctx context.Context, c nacre.Caller, note *memory.Note) (agent.Result, error) {
	quotes, err := n.book(c).Quotes(ctx, note)
	if err != nil {
		return agent.Result{}, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s, since %s.", render.Literal(note.Slot.String()), render.Literal(note.Text), render.Status(note.Status), n.day(c, note.Recorded.From))
	for _, q := range quotes {
		fmt.Fprintf(&b, "\nYou said on %s: “%s”", n.day(c, q.Evidence.Sent), render.Literal(q.Text))
	}
	return said(b.String()), nil
}

// reviewNext shows the oldest note that waits for the owner, and asks. Lines stand
// before it.
func (n *Notebook) reviewNext(ctx context.Context, c nacre.Caller, lines []string) (agent.Result, error) {
	st, err := n.book(c).State(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	waits := st.Select(memory.Query{Scope: scope(c), Hidden: c.Private, Statuses: []memory.Status{memory.Candidate}})
	if len(waits) == 0 {
		return said(strings.Join(append(lines, "Nothing waits for you."), "\n")), nil
	}
	q := decision(st, c, waits[0])
	q.Text = fmt.Sprintf("%d waiting. %s", len(waits), q.Text)
	for i := range q.Answers {
		q.Answers[i].Review = true
	}
	q.Answers = append(q.Answers, no("Later", "The rest waits until you send /memory review again."))
	r, _, err := n.ask(ctx, c, q)
	r.Text = strings.Join(lines, "\n")
	return r, err
}

// contextCommand is /context: what is in front of the model in this conversation.
func (n *Notebook) contextCommand(ctx context.Context, c nacre.Caller, _ string) (agent.Result, error) {
	st, err := n.book(c).State(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	f, _, err := n.front(ctx, c, st)
	if err != nil {
		return agent.Result{}, err
	}
	voice := "the built-in one"
	if f.voice > 0 {
		voice = fmt.Sprintf("your own, %d characters", f.voice)
	}
	pinned := 0
	for _, note := range notesOf(st, f.shown) {
		if note.Pinned {
			pinned++
		}
	}
	lines := []string{
		"What I always have before me in this conversation:", "",
		"- Voice: " + voice,
		fmt.Sprintf("- Pinned notes: %d", pinned),
		fmt.Sprintf("- Other notes: %d", len(f.shown)-pinned),
		fmt.Sprintf("- All of them take %d of %d characters", f.notes, render.PinnedBudget+render.IndexBudget),
	}
	if f.named {
		lines = append(lines, "- Your name or your language, from /settings")
	}
	if len(f.left) > 0 {
		lines = append(lines, fmt.Sprintf("- Left out for want of space: %d, which I look up when I need them", len(f.left)))
	}
	return said(strings.Join(lines, "\n")), nil
}

// notesOf are the notes of some ids that are still there.
func notesOf(st *memory.State, ids []nacre.NoteID) []*memory.Note {
	var list []*memory.Note
	for _, id := range ids {
		if note := st.Note(id); note != nil && note.Status != memory.Erased {
			list = append(list, note)
		}
	}
	return list
}
