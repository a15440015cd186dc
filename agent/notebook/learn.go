package notebook

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/distill"
	"nacre/agent/llm"
	"nacre/memory"
)

func learnSpec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "memory_learn",
		Description: "Has what the person said noted for later: who they are, what they like, whom they know, plans. You only point at it; the notes are made of their own words. Call it when they ask to remember something or say something lasting. Do not mention that you saved.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"messages":{"type":"array","items":{"type":"string","maxLength":64},"maxItems":20,"description":"ids of older messages of theirs; leave out for the present ones"}},"additionalProperties":false}`),
	}
}

// Limits of a save.
const (
	maxNamed = 20 // messages that the model names
	recent   = 10 // messages before this turn that are read for context
)

// learn is the tool memory_learn. The model names messages; what is noted of them
// a Distiller finds in the owner's own words, and Review decides.
func (n *Notebook) learn(ctx context.Context, c nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var in struct {
		Messages []nacre.MessageID `json:"messages"`
	}
	if err := agent.ReadArgs(args, &in); err != nil {
		return agent.Result{}, err
	}
	if len(in.Messages) > maxNamed {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "at most %d messages can be named", maxNamed)
	}
	st, err := n.book(c).State(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	input, why, err := n.gather(ctx, c, st, in.Messages)
	if err != nil {
		return agent.Result{}, err
	}
	if why != "" {
		return said(refused(why)), n.decline(ctx, c, why)
	}
	return n.save(ctx, c, input)
}

// gather reads what a save goes by, or says why there can be none.
func (n *Notebook) gather(ctx context.Context, c nacre.Caller, st *memory.State, named []nacre.MessageID) (in distill.Input, why memory.Reason, err error) {
	switch {
	case !attended(c):
		return in, memory.Untrusted, nil
	case closed(st, c):
		return in, memory.GroupOff, nil
	case !st.On(memory.Saving):
		return in, memory.Paused, nil
	}
	now := time.Now()
	in = distill.Input{Account: string(c.Owner), Notes: visible(st, c, now), Scope: scope(c), Via: c.Chat.Channel, Now: now.In(n.opts.Zone(c.Owner))}
	var current []nacre.MessageID
	for _, m := range c.Said {
		current = append(current, m.ID)
	}
	if in.Current, err = n.sources(ctx, c, current); err != nil {
		return in, "", err
	}
	if in.Named, err = n.sources(ctx, c, named); err != nil {
		return in, "", err
	}
	if len(in.Named) < len(named) {
		return in, memory.NoSource, nil
	}
	in.Recent, err = n.opts.Log.Recent(ctx, session(c), c.Said[0].Seq, recent)
	return in, "", err
}

// sources reads messages of the owner, in the given order; what is not theirs is
// missing.
func (n *Notebook) sources(ctx context.Context, c nacre.Caller, ids []nacre.MessageID) ([]memory.Source, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := n.opts.Log.Sources(ctx, c.Owner, ids)
	if err != nil {
		return nil, err
	}
	var list []memory.Source
	for _, id := range ids {
		if s, ok := found[id]; ok {
			list = append(list, s)
		}
	}
	return list, nil
}

// save has notes made of messages, and says what became of them.
func (n *Notebook) save(ctx context.Context, c nacre.Caller, in distill.Input) (agent.Result, error) {
	proposals, err := n.opts.Distiller.Learn(ctx, in)
	if err != nil {
		n.opts.Logger.Warn("the memory model cannot be asked", "session", c.Session, "err", err)
		return agent.Result{}, nacre.Errorf(nacre.Transient, "the memory model cannot be asked now, so nothing was saved")
	}
	if len(proposals) == 0 {
		return said("There is nothing in it to remember."), nil
	}
	outcomes, err := n.book(c).Propose(ctx, proposals...)
	if err != nil {
		return agent.Result{}, err
	}
	var r agent.Result
	var lines []string
	for i, o := range outcomes {
		line := noted(o)
		if q, ok := n.doubt(ctx, c, proposals[i], o); ok && r.Ask == nil {
			asked, ok, err := n.ask(ctx, c, q)
			if err != nil {
				return agent.Result{}, err
			}
			if ok {
				r, line = asked, line+" The person is asked now."
			}
		}
		lines = append(lines, line)
	}
	r.Text = strings.Join(lines, "\n")
	return r, nil
}
