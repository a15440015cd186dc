package notebook

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/phrase"
	"nacre/memory"
	"nacre/memory/render"
)

func forgetSpec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "memory_forget",
		Description: "Forgets something for good when the person asks for it. Not for corrections: those are learned.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"about":{"type":"string","minLength":1,"maxLength":200,"description":"area/slug of the note, or the person's own words for it"},"size":{"type":"string","enum":["note","said","about"],"description":"only the note; also the words it rests on (usual); everything about it"}},"required":["about"],"additionalProperties":false}`),
	}
}

// request is a wish to forget something.
type request struct {
	about   string            // what, as the model or the person calls it
	words   string            // of the owner, to which about is held
	trusted bool              // the owner themselves asks for it
	of      memory.Forgetting // but for what it concerns
}

const maxAbout = 200 // characters

// forget is the tool memory_forget. It forgets at once only what the owner's own
// words ask for, and where it is clear which note they mean; else they are asked.
func (n *Notebook) forget(ctx context.Context, c nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var in struct {
		About string      `json:"about"`
		Size  memory.Size `json:"size"`
	}
	if err := agent.ReadArgs(args, &in); err != nil {
		return agent.Result{}, err
	}
	w := wishOf(c)
	if w.memory == phrase.Clear { // what it is about then is in no note
		return n.clear(ctx, c, w.asking)
	}
	in.Size = cmp.Or(in.Size, memory.SizeSaid)
	if !nameable(in.About) || in.Size != memory.SizeNote && in.Size != memory.SizeSaid && in.Size != memory.SizeAbout {
		return agent.Result{}, errUnnamed
	}
	req := request{about: in.About, words: w.forget, of: n.forgetting(c, in.Size, w.asking)}
	t := tongueOf(spaced(in.About))
	if req.trusted = shared(t.words(spaced(in.About)), t.words(w.forget)) > 0; !req.trusted {
		if err := n.decline(ctx, c, memory.Untrusted); err != nil || !attended(c) {
			return said(refused(memory.Untrusted)), err
		}
		req.words = in.About // so that they can be asked about it
	}
	r, err := n.seek(ctx, c, req)
	return asking(r), err
}

// errUnnamed is for people too: the built-in model hands it on as it is.
var errUnnamed = nacre.Errorf(nacre.Invalid, "Say in a few words what I should forget, such as: forget my bike")

// nameable reports whether a text can name what is to be forgotten.
func nameable(about string) bool {
	return utf8.RuneCountInString(about) <= maxAbout && len(tongueOf(spaced(about)).words(spaced(about))) > 0
}

func (n *Notebook) forgetting(c nacre.Caller, size memory.Size, asking []nacre.MessageID) memory.Forgetting {
	return memory.Forgetting{Writer: memory.ByCommand, Via: c.Chat.Channel, Scope: scope(c), Size: size, Asking: asking}
}

// seek finds what a request means, and forgets it or asks.
func (n *Notebook) seek(ctx context.Context, c nacre.Caller, req request) (agent.Result, error) {
	if req.of.Size == memory.SizeAbout {
		return n.seekAbout(ctx, c, req)
	}
	st, err := n.book(c).State(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	found, sure := meant(forgettable(st, c), req.about, req.words)
	switch {
	case len(found) == 0:
		return n.seekAbout(ctx, c, req)
	case len(found) == 1 && sure && req.trusted:
		req.of.Note = found[0].ID
		return n.erase(ctx, c, req.of, shown(found[0]))
	}
	return n.pick(ctx, c, req, found)
}

// forgettable are the notes that the owner can have forgotten in a session: those
// in use and, where none is, those that wait or were let go. The earlier versions
// of a note go with it.
func forgettable(st *memory.State, c nacre.Caller) []*memory.Note {
	list := st.Select(memory.Query{Scope: scope(c), Hidden: c.Private})
	for _, note := range st.Select(memory.Query{Scope: scope(c), Hidden: c.Private, Statuses: []memory.Status{memory.Candidate, memory.Archived, memory.Rejected}}) {
		if note.ReplacedBy == "" && st.Live(note.Slot) == nil {
			list = append(list, note)
		}
	}
	return list
}

// maxPick is how many notes there are to choose from; buttons have no room for
// more.
const maxPick = 7

// pick asks which of some notes to forget, or whether to forget the only one.
func (n *Notebook) pick(ctx context.Context, c nacre.Caller, req request, found []*memory.Note) (agent.Result, error) {
	q := question{Text: "Shall I forget this?\n", Yes: 0}
	if len(found) > 1 {
		q.Text, q.Yes = "Which of these shall I forget?\n", -1
	}
	if len(found) > maxPick {
		q.Text = fmt.Sprintf("I know %d notes that you may mean. Which of these shall I forget?\n", len(found))
		found = found[:maxPick]
	}
	for i, note := range found {
		f := req.of
		f.Note = note.ID
		label := "Forget it"
		if len(found) > 1 {
			label = fmt.Sprintf("%d %s", i+1, note.Slot.Slug)
		}
		q.Text += fmt.Sprintf("\n%d. %s: %s", i+1, render.Literal(note.Slot.String()), render.Literal(note.Text))
		q.Answers = append(q.Answers, answer{Label: clip(label, maxLabel), Forget: &f, Shown: shown(note)})
	}
	q.No = len(q.Answers)
	label := "None of them"
	if len(found) == 1 {
		label = "No"
	}
	q.Answers = append(q.Answers, no(label, unchanged))
	return n.askOr(ctx, c, q)
}

// maxLabel is how many characters of a button people can read.
const maxLabel = 40

// askOr asks, or says that one question is enough for a turn.
func (n *Notebook) askOr(ctx context.Context, c nacre.Caller, q question) (agent.Result, error) {
	r, asked, err := n.ask(ctx, c, q)
	if err == nil && !asked {
		r.Text = "The person is asked something else already; ask for this in the next turn."
	}
	return r, err
}

// seekAbout lists everything that speaks of something, and asks. It looks
// everywhere, so it is not for groups.
func (n *Notebook) seekAbout(ctx context.Context, c nacre.Caller, req request) (agent.Result, error) {
	if !c.Private {
		return n.unfound(ctx, c, req, "Nothing is noted about that in this group.")
	}
	f := req.of
	f.Size, f.Words = memory.SizeAbout, req.about
	plan, err := n.book(c).Plan(ctx, f)
	if err != nil && nacre.KindOf(err) != nacre.NotFound {
		return agent.Result{}, err
	}
	where := saying(plan.Counts, len(f.Asking))
	if err != nil || len(plan.Notes) == 0 && where == "" {
		return n.unfound(ctx, c, req, "Nothing is remembered about that, and nothing that is kept speaks of it.")
	}
	ask := "Shall I forget all of this?\n\n" + listing(plan.Notes, maxListed)
	switch {
	case len(plan.Notes) == 0:
		ask = "I have no note about that, but " + where + ". Shall I blank it out there?"
	case where != "":
		ask += "\nBesides, " + where + "."
	}
	if lost := render.Lost(plan.Counts); lost != "" {
		ask += "\n\n" + lost
	}
	return n.askOr(ctx, c, question{Text: strings.TrimSpace(ask), Yes: 0, No: 1,
		Answers: []answer{{Label: "Forget all of it", Forget: &f, Shown: shown(plan.Notes...)}, no("No", unchanged)}})
}

// erase carries a forgetting out, if it takes no notes but those that were shown.
func (n *Notebook) erase(ctx context.Context, c nacre.Caller, f memory.Forgetting, seen map[nacre.NoteID]string) (agent.Result, error) {
	for try := 1; ; try++ {
		plan, err := n.book(c).Plan(ctx, f)
		if nacre.KindOf(err) == nacre.NotFound {
			return said("There is nothing of it left to forget."), nil
		}
		if err != nil {
			return agent.Result{}, err
		}
		if f.Size == memory.SizeAbout && slices.ContainsFunc(plan.Notes, func(n *memory.Note) bool { return seen[n.ID] != look(n) }) {
			return said(stale), nil
		}
		receipt, err := n.book(c).Forget(ctx, plan)
		if nacre.KindOf(err) == nacre.Conflict && try < maxTries {
			continue // something else changed between the two
		}
		if err != nil {
			return agent.Result{}, err
		}
		return n.receipt(ctx, c, receipt)
	}
}

// receipt tells what became of a forgetting, and asks about the owner's own prose.
func (n *Notebook) receipt(ctx context.Context, c nacre.Caller, r memory.Receipt) (agent.Result, error) {
	told := said(strings.TrimSpace(render.Receipt(r)))
	if len(r.Prose) == 0 {
		return told, nil
	}
	ask, asked, err := n.ask(ctx, c, question{
		Text:    "Shall I blank it out in your own words in " + strings.Join(r.Prose, ", ") + " too?",
		Answers: []answer{{Label: "Yes, there too", Cut: true}, no("No", "I leave your own words alone.")},
		Yes:     0, No: 1,
	})
	if err != nil || !asked {
		return told, err
	}
	ask.Text = told.Text
	return ask, nil
}

const maxTries = 3
