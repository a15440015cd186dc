package reflect

import (
	"context"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent/distill"
	"nacre/memory"
)

// learn lets the model read a batch, one scope after the other so that none sees
// another. It is not asked where there is nothing to read.
func (r *Reflector) learn(ctx context.Context, rep *Report, b *batch) ([]memory.Proposal, error) {
	list := worth(b.state, b.sources)
	if len(list) == 0 {
		return nil, nil
	}
	steering, err := r.opts.Steering(b.owner)
	if err != nil {
		return nil, err
	}
	earlier, _, err := r.opts.Log.Between(ctx, b.owner, b.after-nearby, b.after, nearby)
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	var all []memory.Proposal
	for _, s := range list {
		in := b.input(s, worth(b.state, earlier), time.Now().In(r.opts.Zone(b.owner)))
		in.Steering = steering
		found, err := r.ask(ctx, rep, in)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// input is what the model goes by. Of what was said before it sees the same
// scope.
func (b *batch) input(s said, earlier []said, now time.Time) distill.Input {
	in := distill.Input{
		Writer: memory.ByReflect, Account: string(b.owner), Current: s.sources, Scope: s.scope,
		Notes: b.state.Select(memory.Query{Scope: s.scope, Now: now}), Now: now,
	}
	if i := slices.IndexFunc(earlier, func(o said) bool { return o.scope == s.scope }); i >= 0 {
		in.Recent = earlier[i].sources
	}
	return in
}

// ask lets the model read one scope of a batch. Its errors are unread.
func (r *Reflector) ask(ctx context.Context, rep *Report, in distill.Input) ([]memory.Proposal, error) {
	rep.Calls++
	list, err := r.opts.Distiller.Learn(ctx, in)
	if err != nil {
		return nil, unread{err}
	}
	rep.Messages += len(in.Current)
	for i := range list {
		list[i].Via = via(list[i], in.Current)
	}
	return list, nil
}

// via is the channel over which the words came that a proposal rests on.
func via(p memory.Proposal, sources []memory.Source) nacre.ChannelName {
	for _, from := range sources {
		if len(p.Cites) > 0 && from.ID == p.Cites[0].Message {
			return from.Chat.Channel
		}
	}
	return ""
}

// said is what one scope may learn from.
type said struct {
	scope   memory.Scope
	sources []memory.Source
}

// worth picks the messages that may support a note and are not small talk, by
// scope.
func worth(st *memory.State, sources []memory.Source) []said {
	var all []said
	for _, s := range sources {
		scope := memory.Private
		if !s.Private {
			scope = memory.GroupScope(s.Chat)
		}
		if closed(st, s, scope) || idle(strings.Join(distill.OwnWords(s, scope), "\n")) {
			continue
		}
		i := slices.IndexFunc(all, func(o said) bool { return o.scope == scope })
		if i < 0 {
			i, all = len(all), append(all, said{scope: scope})
		}
		all[i].sources = append(all[i].sources, s)
	}
	return all
}

// closed reports whether nothing was to be remembered of a message when it came,
// or is any more.
func closed(st *memory.State, s memory.Source, scope memory.Scope) bool {
	group := memory.GroupSetting(scope)
	return !st.SavedAt(s.Received) || scope != memory.Private && !(st.On(group) && st.OnAt(group, s.Received))
}
