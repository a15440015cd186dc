package distill

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"nacre/agent/llm"
	"nacre/memory"
)

//go:embed task.md
var task string

// How an answer is asked for.
const (
	tries     = 2
	maxTokens = 8000 // of an answer, thoughts included
)

// ask lets the model read the window. An answer that cannot be read is asked for
// once more, and then only recorded.
func (d *Distiller) ask(ctx context.Context, in *Input, w *window) ([]memory.Proposal, error) {
	req := llm.Request{
		System: task, Messages: []llm.Message{{Role: llm.User, Text: d.show(in, w)}},
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
		d.opts.Log.Warn("the memory model's answer cannot be used", "owner", in.Account, "stop", res.Stop, "err", wrong)
		if wrong == errMany {
			return []memory.Proposal{in.decline(memory.TooMany)}, nil
		}
		req.Tail = fmt.Sprintf("Your answer to this could not be used: %s. Answer again, with nothing but the JSON object.", wrong)
	}
	return []memory.Proposal{in.decline(memory.Unreadable)}, nil
}

// proposals makes one of each note, and one that records that some could not be
// read.
func (in *Input) proposals(notes []note, unread int, w *window) []memory.Proposal {
	var all []memory.Proposal
	for _, n := range notes {
		from := w.find(n.message)
		if from == nil {
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
