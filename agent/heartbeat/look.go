package heartbeat

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"nacre"
	"nacre/agent"
)

//go:embed look.md
var task string

// allowed are the tools of a look: those that tell what is the case. None of them
// changes anything, or reads what strangers put in the world.
var allowed = []string{"now", "calc", "memory_read", "memory_find", "history_search"}

// look lets a model look at what there is, in at most so many calls.
func (h *Heartbeat) look(ctx context.Context, where nacre.SessionInfo, run nacre.Run, v view, calls int) (text, reason string, strange bool, err error) {
	var d decision
	r, err := h.opts.Run(ctx, agent.Errand{Info: where, Run: run, Text: v.task(), Tools: allowed, Extra: []agent.Tool{&d},
		Steps: min(mostSteps, calls), Silent: true})
	if err != nil {
		return "", "", false, err
	}
	h.looked(where.Owner, v.seen)
	used := slices.ContainsFunc(r.Called, func(name string) bool { return !d.made || name != d.Spec().Name })
	text, reason = d.outcome(r.Text, used)
	h.opts.Log.Debug("looked after an owner", "owner", where.Owner, "reason", reason)
	return text, reason, r.Strange, nil
}

// task is what the model is to do.
func (v view) task() string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(task))
	section(&b, "What they want looked after:", v.wishes)
	section(&b, "Plans that are due:", list(v.plans))
	section(&b, "Reminders that come soon:", list(v.soon))
	return b.String()
}

func section(b *strings.Builder, title, text string) {
	if text != "" {
		b.WriteString("\n\n" + title + "\n" + text)
	}
}

func list(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "- " + strings.Join(lines, "\n- ")
}
