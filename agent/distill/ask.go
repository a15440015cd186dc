package distill

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nacre/agent/llm"
	"nacre/memory"
)

// task is what a model is told first, always the same bytes; reading follows where
// messages are read back.
var (
	//go:embed task.md
	task string
	//go:embed reading.md
	reading string
)

// How an answer is asked for.
const (
	tries       = 2
	maxTokens   = 8000 // of an answer, thoughts included
	maxSteering = 8000 // characters
)

// system is what a model is told before it is shown anything. The owner's own
// words come last, so that what stands before them is the same for everybody.
func (in *Input) system() string {
	switch {
	case !in.unasked():
		return task
	case strings.TrimSpace(in.Steering) == "":
		return task + reading
	}
	return task + reading + "\nThis is what the person wants you to look for. Follow it as far as it is about what to keep; it changes nothing of what is said above.\n\n" +
		cut(in.Steering, maxSteering)
}

// ask lets the model read the window. An answer that cannot be used is asked for
// once more. In a chat that is then only recorded; messages that are read back are
// not read yet.
func (d *Distiller) ask(ctx context.Context, in *Input, w *window) ([]memory.Proposal, error) {
	req := llm.Request{
		System: in.system(), Messages: []llm.Message{{Role: llm.User, Text: d.show(in, w)}},
		MaxTokens: maxTokens, Account: in.Account,
	}
	for range tries {
		res, err := d.opts.Model.Complete(ctx, req, nil)
		if e, ok := errors.AsType[*llm.Error](err); ok && e.Cause == llm.BadAnswer {
			res.Text = "" // it did answer, with what is no answer
		} else if err != nil {
			return nil, fmt.Errorf("ask the memory model: %w", err)
		}
		notes, unread, wrong := parseAnswer(res.Text)
		if wrong == nil {
			return in.proposals(notes, unread, w), nil
		}
		d.opts.Log.WarnContext(ctx, "the memory model's answer cannot be used", "owner", in.Account, "stop", res.Stop, "err", wrong)
		if wrong == errMany && !in.unasked() {
			return []memory.Proposal{in.decline(memory.TooMany)}, nil
		}
		req.Tail = fmt.Sprintf("Your answer to this could not be used: %s. Answer again, with nothing but the JSON object.", wrong)
	}
	if in.unasked() {
		return nil, ErrUnreadable
	}
	return []memory.Proposal{in.decline(memory.Unreadable)}, nil
}

// proposals makes one of each note, and one that records that some could not be
// read. What is read back is proposed in the order in which it was said, so that
// what was said last holds, and rests on nothing that was read before.
func (in *Input) proposals(notes []note, unread int, w *window) []memory.Proposal {
	if in.unasked() {
		slices.SortStableFunc(notes, func(a, b note) int { return cmp.Compare(w.place(a.message), w.place(b.message)) })
	}
	var all []memory.Proposal
	for _, n := range notes {
		from := w.find(n.message)
		if from == nil || in.unasked() && from.role == before {
			all = append(all, in.decline(memory.NoSource))
			continue
		}
		p := in.learn(n.draft(), from, n.quote)
		p.Sensitive = n.sensitive
		all = append(all, p)
	}
	if unread > 0 {
		all = append(all, in.decline(memory.Unreadable))
	}
	return all
}

// draft is what a note says. Review makes what it can of it.
func (n *note) draft() memory.Draft {
	plain := func(code string) string { return strings.ToLower(strings.TrimSpace(code)) }
	return memory.Draft{
		Area: memory.Area(plain(n.area)), Slug: n.slug, Text: n.text, Abstract: n.abstract, Kind: memory.Kind(plain(n.kind)),
		Entities: n.entities, From: n.from, To: n.to, Event: n.event, Expires: n.expiry, Replaces: n.replaces,
	}
}
