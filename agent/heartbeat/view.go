package heartbeat

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"nacre"
)

// How much of plans and reminders is looked at.
const (
	maxLines = 30
	maxLine  = 300 // characters
)

// view is what there is to look at.
type view struct {
	wishes string   // of HEARTBEAT.md
	plans  []string // that are due
	soon   []string // reminders that come soon
	seen   seen
}

// seen tells what plans and reminders were looked at on which day, without their
// words. It lasts as long as the process: after a start they are looked at again.
type seen struct {
	day string
	sum [sha256.Size]byte
}

// view gathers what there is to look at, or the reason for which there is nothing.
// Wishes are looked at every time, plans and reminders alone once a day, unless
// they change.
func (h *Heartbeat) view(ctx context.Context, owner nacre.OwnerID, now time.Time) (v view, reason string, err error) {
	text, err := h.opts.Text(owner)
	if err != nil {
		return v, "", fmt.Errorf("read HEARTBEAT.md: %w", err)
	}
	v.wishes = wishes(text)
	if v.plans, err = lines(h.opts.Plans(ctx, owner, now)); err != nil {
		return v, "", fmt.Errorf("read plans: %w", err)
	}
	if v.soon, err = lines(h.opts.Soon(ctx, owner, now)); err != nil {
		return v, "", fmt.Errorf("read reminders: %w", err)
	}
	v.seen = seen{now.Format(time.DateOnly), sha256.Sum256([]byte(fmt.Sprintf("%q %q", v.plans, v.soon)))}
	switch {
	case v.wishes != "":
		return v, "", nil
	case len(v.plans)+len(v.soon) == 0:
		return v, Nothing, nil
	case h.saw(owner) == v.seen:
		return v, Same, nil
	}
	return v, "", nil
}

// lines makes one line each of a list, and cuts what is too much.
func lines(list []string, err error) ([]string, error) {
	var out []string
	for _, text := range list {
		text = strings.Join(strings.Fields(text), " ")
		if utf8.RuneCountInString(text) > maxLine {
			text = string([]rune(text)[:maxLine]) + " …"
		}
		if text != "" {
			out = append(out, text)
		}
	}
	if n := len(out) - maxLines; n > 0 {
		out = append(out[:maxLines], fmt.Sprintf("… and %d more", n))
	}
	return out, err
}

// saw is what was looked at last.
func (h *Heartbeat) saw(owner nacre.OwnerID) seen {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last[owner]
}

// looked notes what was looked at.
func (h *Heartbeat) looked(owner nacre.OwnerID, s seen) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last[owner] = s
}
