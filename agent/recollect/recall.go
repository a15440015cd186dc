package recollect

import (
	"context"
	"time"

	"nacre"
	"nacre/agent"
)

// Recall implements agent.Recaller. Without a model that selects it takes as long as
// a search does.
func (r *Recollector) Recall(ctx context.Context, c nacre.Caller, w agent.Window) (agent.Evidence, error) {
	r.begin(c)
	q, err := r.request(ctx, c, w)
	if err != nil || q.words.empty() {
		return agent.Evidence{}, err
	}
	all, err := r.candidates(ctx, c, w, q)
	if err != nil {
		return agent.Evidence{}, err
	}
	if idle(c) {
		return agent.Evidence{}, nil
	}
	f := r.likely(all, q)
	if r.selects() && !f.empty() {
		f = r.choose(ctx, c, w, q, all, f)
	}
	if err := r.fill(ctx, c, q, &all, &f); err != nil {
		return agent.Evidence{}, err
	}
	if err := context.Cause(ctx); err != nil {
		return agent.Evidence{}, err
	}
	text, f := r.write(c, f, q, w)
	if f.empty() {
		return agent.Evidence{}, nil
	}
	r.put(c, f.front())
	r.count(ctx, c, f)
	e := agent.Evidence{Text: text}
	if r.opts.Model != nil && r.opts.Check {
		e.Check = check{r, c, q, f.front()}.run
	}
	return e, nil
}

// count counts that notes were recalled. It is no reason to fail.
func (r *Recollector) count(ctx context.Context, c nacre.Caller, f found) {
	ids := f.front().Notes
	if len(ids) == 0 {
		return
	}
	if err := r.opts.Hits.Hit(ctx, c.Owner, time.Now().In(r.opts.Zone(c.Owner)).Format(time.DateOnly), ids); err != nil {
		r.opts.Log.WarnContext(ctx, "a recall was not counted", "err", err)
	}
}

// selects reports whether a model selects what matters.
func (r *Recollector) selects() bool { return r.opts.Model != nil && r.opts.Select }
