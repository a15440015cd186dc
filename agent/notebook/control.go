package notebook

import (
	"context"
	"encoding/json"
	"strings"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/phrase"
	"nacre/memory"
)

func controlSpec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "memory_control",
		Description: "When the person asks for it: stops saving anything new, resumes it, or clears all that is kept.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"do":{"type":"string","enum":["stop","resume","clear"]}},"required":["do"],"additionalProperties":false}`),
	}
}

// control is the tool memory_control. It does what the owner's own words plainly
// ask for; clearing is asked once more, and never offered unasked.
func (n *Notebook) control(ctx context.Context, c nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var in struct {
		Do string `json:"do"`
	}
	if err := agent.ReadArgs(args, &in); err != nil {
		return agent.Result{}, err
	}
	do := wishNamed(in.Do)
	switch w := wishOf(c); {
	case do == phrase.NoWish:
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "\"do\" is stop, resume or clear")
	case !c.Private:
		return said(onlyPrivate), nil
	case w.memory != do:
		return n.controlUnasked(ctx, c, do)
	case do == phrase.Clear:
		return n.clear(ctx, c, w.asking)
	}
	return n.propose(ctx, c, answer{Propose: []memory.Proposal{setSaving(c, do)}})
}

func setSaving(c nacre.Caller, do phrase.Wish) memory.Proposal {
	p := proposal(c, memory.Set)
	p.Setting, p.On = memory.Saving, do == phrase.Resume
	return p
}

// controlUnasked refuses what the owner's words do not ask for. Whether to save
// they can be asked.
func (n *Notebook) controlUnasked(ctx context.Context, c nacre.Caller, do phrase.Wish) (agent.Result, error) {
	if err := n.decline(ctx, c, memory.Untrusted); err != nil || do == phrase.Clear || !attended(c) {
		return said(refused(memory.Untrusted)), err
	}
	ask := "Shall I stop remembering new things?"
	if do == phrase.Resume {
		ask = "Shall I remember new things again?"
	}
	r, err := n.askOr(ctx, c, question{Text: ask, Yes: 0, No: 1,
		Answers: []answer{{Label: "Yes", Propose: []memory.Proposal{setSaving(c, do)}}, no("No", unchanged)}})
	return asking(r), err
}

// wishNamed reads what a model wants of memory as a whole.
func wishNamed(do string) phrase.Wish {
	for w := phrase.Stop; w <= phrase.Clear; w++ {
		if strings.EqualFold(do, w.String()) {
			return w
		}
	}
	return phrase.NoWish
}

const onlyPrivate = "Refused: that can only be asked for in a private chat; in a group there is /memory group on or off."

// clear is a tool's call where the owner's own words ask to forget everything.
func (n *Notebook) clear(ctx context.Context, c nacre.Caller, by []nacre.MessageID) (agent.Result, error) {
	if !c.Private {
		return said(onlyPrivate), nil
	}
	r, err := n.askClear(ctx, c, by)
	return asking(r), err
}

// askClear asks whether to forget everything.
func (n *Notebook) askClear(ctx context.Context, c nacre.Caller, by []nacre.MessageID) (agent.Result, error) {
	f := n.forgetting(c, memory.SizeAll, by)
	return n.askOr(ctx, c, question{
		Text:    "Shall I forget everything: all notes and all that we ever said, in every chat? Nobody can bring it back.",
		Answers: []answer{{Label: "Forget everything", Forget: &f}, no("No", unchanged)},
		Yes:     0, No: 1,
	})
}

// asking tells the model that a question went out, if one did.
func asking(r agent.Result) agent.Result {
	if r.Ask != nil {
		r.Text = "Nothing is done yet. The person is asked now."
	}
	return r
}
