package notebook

import (
	"context"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/distill"
	"nacre/agent/phrase"
	"nacre/memory"
	"nacre/memory/render"
)

// rememberCommand is /remember: the note is what the owner wrote, and rests on
// the command itself. Where it belongs is worked out by rules, without a model.
func (n *Notebook) rememberCommand(ctx context.Context, c nacre.Caller, args string) (agent.Result, error) {
	if args == "" || !c.Typed(args) {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "Write behind it what I should remember, such as: /remember my bike is green")
	}
	st, err := n.book(c).State(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	drafts, err := n.drafts(ctx, c, st, args)
	if err != nil {
		return agent.Result{}, err
	}
	var a answer
	for _, d := range drafts {
		p := proposal(c, memory.Learn)
		p.Draft, p.Asked, p.Cites = d, true, []memory.Cite{{Message: newest(c).ID, Quote: d.Text}}
		a.Propose = append(a.Propose, p)
	}
	return n.propose(ctx, c, a)
}

// drafts are the notes that a text comes to: those that the rules make of it, or
// one with the whole of it.
func (n *Notebook) drafts(ctx context.Context, c nacre.Caller, st *memory.State, text string) ([]memory.Draft, error) {
	m, now := newest(c), time.Now()
	how := nacre.Segment{Provenance: nacre.ByOwner, Text: "remember: " + text}
	if !c.Private {
		how.Provenance = nacre.InGroup
	}
	byRules := distill.New(distill.Options{Simple: true, Log: n.opts.Logger})
	proposals, err := byRules.Learn(ctx, distill.Input{
		Account: string(c.Owner), Notes: visible(st, c, now), Scope: scope(c), Via: c.Chat.Channel, Now: now.In(n.opts.Zone(c.Owner)),
		Current: []memory.Source{{ID: m.ID, Chat: c.Chat, Private: c.Private, Sent: m.Sent, Seq: m.Seq, Segments: []nacre.Segment{how}}},
	})
	if err != nil {
		return nil, err
	}
	var list []memory.Draft
	for _, p := range proposals {
		if p.Do == memory.Learn {
			list = append(list, p.Draft)
		}
	}
	if list == nil {
		list = []memory.Draft{{Area: memory.About, Text: text}}
	}
	return list, nil
}

// newest is the message that a command stands in.
func newest(c nacre.Caller) nacre.Message {
	if len(c.Said) == 0 {
		return nacre.Message{}
	}
	return c.Said[len(c.Said)-1]
}

// sizes explains what can be forgotten.
const sizes = `Say what I should forget, and how much of it:

/forget my bike – the note, and the words of yours that it rests on
/forget note my bike – only the note; our conversation stays as it is
/forget about my bike – everything that speaks of it; I show you first what that is
/forget all – everything that I keep of you

What is forgotten is gone: /undo does not bring it back.`

// forgetCommand is /forget. It is the owner's own word, so it needs no other
// trust.
func (n *Notebook) forgetCommand(ctx context.Context, c nacre.Caller, args string) (agent.Result, error) {
	about, size := sized(args)
	switch {
	case args == "" || !c.Typed(args):
		return said(sizes), nil
	case !c.Private && (size == memory.SizeAll || size == memory.SizeAbout):
		return agent.Result{}, errPrivate
	case size == memory.SizeAll:
		return n.askClear(ctx, c, []nacre.MessageID{newest(c).ID})
	case !nameable(about):
		return agent.Result{}, errUnnamed
	}
	f := n.forgetting(c, size, []nacre.MessageID{newest(c).ID})
	return n.seek(ctx, c, request{about: about, words: about, trusted: true, of: f})
}

// sized reads the words behind /forget.
func sized(args string) (about string, size memory.Size) {
	if strings.EqualFold(strings.TrimRight(args, ".!"), "all") || phrase.Wished("forget "+args) == phrase.Clear {
		return "", memory.SizeAll
	}
	first, rest, _ := strings.Cut(args, " ")
	switch strings.ToLower(first) {
	case "note":
		return strings.TrimSpace(rest), memory.SizeNote
	case "about":
		return strings.TrimSpace(rest), memory.SizeAbout
	}
	return args, memory.SizeSaid
}

// undoCommand is /undo: it takes back the owner's last change of memory. What it
// did is told by what is different then.
func (n *Notebook) undoCommand(ctx context.Context, c nacre.Caller, _ string) (agent.Result, error) {
	if !c.Private {
		return agent.Result{}, errPrivate
	}
	before, err := n.book(c).State(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	outcomes, err := n.book(c).Propose(ctx, proposal(c, memory.TakeBack))
	if err != nil {
		return agent.Result{}, err
	}
	switch outcomes[0].Refused {
	case "":
	case memory.NothingToUndo:
		return said("There is nothing to take back."), nil
	case memory.NotUndone:
		return said("The last thing was to forget something, and that cannot be taken back: there is nothing left of it."), nil
	default:
		return said(told(proposal(c, memory.TakeBack), outcomes[0])), nil
	}
	after, err := n.book(c).State(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	return said(strings.Join(append([]string{"Taken back."}, render.Differences(before, after, func(text string) string { return render.Literal(clip(text, maxShort)) })...), "\n")), nil
}

// all lists the notes of every scope and status, for the owner's own eyes.
func all(st *memory.State) []*memory.Note {
	return st.Select(memory.Query{Everywhere: true, Hidden: true, Statuses: []memory.Status{
		memory.Candidate, memory.Tentative, memory.Observed, memory.Stated, memory.Archived, memory.Rejected,
	}})
}

// exportCommand is /export: all of memory as one file.
func (n *Notebook) exportCommand(ctx context.Context, c nacre.Caller, _ string) (agent.Result, error) {
	if !c.Private {
		return agent.Result{}, errPrivate
	}
	st, err := n.book(c).State(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	now := time.Now().In(n.opts.Zone(c.Owner))
	a := render.Archive{Notes: all(st), Quotes: map[nacre.NoteID][]memory.Quoted{}, Sensitive: st.On(memory.Sensitive), At: now}
	for _, note := range a.Notes {
		if a.Quotes[note.ID], err = n.book(c).Quotes(ctx, note); err != nil {
			return agent.Result{}, err
		}
	}
	return agent.Result{
		Text:  "Here is everything that I remember of you, with your own words that it rests on.",
		Files: []nacre.File{{Name: "memory-" + now.Format(time.DateOnly) + ".md", MIME: "text/markdown; charset=utf-8", Data: []byte(render.Export(a))}},
	}, nil
}
