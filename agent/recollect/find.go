package recollect

import (
	"context"
	"slices"
	"strings"

	"nacre"
	"nacre/agent"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/recall"
)

// found is what matters to a request, the best first.
type found struct {
	notes    []*memory.Note
	messages []recall.Text
	left     int // messages that matched as well, and were too many
}

func (f found) empty() bool { return len(f.notes)+len(f.messages) == 0 }

// front names what was found.
func (f found) front() Front {
	var front Front
	for _, n := range f.notes {
		front.Notes = append(front.Notes, n.ID)
	}
	for _, m := range f.messages {
		front.Messages = append(front.Messages, m.Key)
	}
	return front
}

// limits are how much is put before the model for one request.
type limits struct{ notes, messages int }

var (
	usual = limits{12, 6}
	wide  = limits{100, 100} // for totals and comparisons
)

func (q request) limits() limits {
	if q.wide {
		return wide
	}
	return usual
}

// candidates are what may matter to a request, the best first.
type candidates struct {
	cards    cards // among which the notes were found
	notes    []guess
	messages []recall.Hit
	known    map[recall.Key]bool // those of messages
	barred   map[nacre.MessageID]bool
}

// Among how many is selected.
const (
	maxCandidates = 100 // notes, and messages
	maxLooked     = 20  // messages, where words alone decide about a few
	maxPages      = 5   // of one search
)

// candidates finds them without any model.
func (r *Recollector) candidates(ctx context.Context, c nacre.Caller, w agent.Window, q request) (candidates, error) {
	all := candidates{known: map[recall.Key]bool{}}
	cards, st, err := r.cards(ctx, c)
	if err != nil {
		return all, err
	}
	all.cards, all.barred = cards, barred(st)
	all.notes = all.cards.find(q.text)
	most := maxLooked
	if q.wide || r.selects() {
		most = maxCandidates
	}
	all.messages, err = r.messages(ctx, c, w, q, most, &all)
	return all, err
}

// barred are the messages that put nothing before a model unasked: the owner has
// still to decide about what they say, or has rejected it.
func barred(st *memory.State) map[nacre.MessageID]bool {
	list := map[nacre.MessageID]bool{}
	for _, n := range st.Select(memory.Query{Everywhere: true, Hidden: true, Statuses: []memory.Status{memory.Candidate, memory.Rejected}}) {
		for _, e := range n.Evidence {
			list[e.Message] = true
		}
	}
	return list
}

// messages searches the chats of a session's scope for so many messages that are
// neither in the window nor barred nor known, and makes them known. What was
// forwarded, and what another assistant said, is found by history_search alone: words
// of strangers that nobody asked for may lie in wait for a topic.
func (r *Recollector) messages(ctx context.Context, c nacre.Caller, w agent.Window, q request, most int, all *candidates) ([]recall.Hit, error) {
	same := []string{canon.Form(q.text), canon.Form(q.after)}
	var hits []recall.Hit
	told := 0 // of them are no questions
	query := r.earlierBy(c, q.text)
	query.Here = true
	query.Except = recall.Except{Session: c.Session, Since: r.opts.Store.KeyOf(nacre.Message{Seq: w.Since})}
	query.Limit, query.Lag = min(most, recall.MaxLimit), r.opts.Lag
	for range maxPages {
		res, err := r.opts.Index.Search(ctx, c.Owner, query)
		if err != nil {
			return hits, err
		}
		for _, h := range res.Hits {
			if told == most || len(hits) == maxCandidates {
				return hits, nil
			}
			// The same question, asked before, answers nothing.
			if earlier(c, w, h.Text) && !all.known[h.Key] && !all.bars(h.Text) && !slices.Contains(same, canon.Form(h.Text.Text)) {
				all.known[h.Key] = true
				hits = append(hits, h)
				if !isQuestion(h.Text) {
					told++
				}
			}
		}
		if query.Cursor = res.Next; query.Cursor == "" {
			break
		}
	}
	return hits, nil
}

// fill fills the room for messages that what was said here leaves with the owner's own
// words to other assistants.
func (r *Recollector) fill(ctx context.Context, c nacre.Caller, q request, all *candidates, f *found) error {
	room := q.limits().messages - len(f.messages)
	if room <= 0 || !c.Private {
		return nil
	}
	hits, err := r.elsewhere(ctx, c, q, all)
	if err != nil {
		return err
	}
	r.takeLikely(f, hits, q)
	return nil
}

// elsewhere searches what the owner said to other assistants, as messages does what was
// said here.
func (r *Recollector) elsewhere(ctx context.Context, c nacre.Caller, q request, all *candidates) ([]recall.Hit, error) {
	query := r.earlierBy(c, q.text)
	query.Away, query.Lag = true, r.opts.Lag
	most := max(maxLooked, q.limits().messages)
	var hits []recall.Hit
	for range maxPages {
		res, err := r.opts.Index.Search(ctx, c.Owner, query)
		if err != nil {
			return nil, err
		}
		for _, h := range res.Hits {
			if h.Author == recall.ByOwner && !all.bars(h.Text) && len(hits) < most {
				hits = append(hits, h)
			}
		}
		if query.Cursor = res.Next; query.Cursor == "" || len(hits) == most {
			break
		}
	}
	return hits, nil
}

// bars reports whether a message is barred, or an answer to one: a turn has the id of
// its first message.
func (all *candidates) bars(t recall.Text) bool {
	return t.Strange || all.barred[t.Message] || all.barred[nacre.MessageID(t.Turn)]
}

// earlier reports whether a message was dealt with and is not in the window.
func earlier(c nacre.Caller, w agent.Window, t recall.Text) bool {
	return t.Turn != "" && !slices.Contains(w.Turns, t.Turn) && !present(c, t)
}

// What else counts as a match where no model judges.
const (
	minSure  = 0.5 // of a note, as package keys is sure of it
	minScore = 0.3 // of the score of the best message that tells something
)

// likely selects without a model.
func (r *Recollector) likely(all candidates, q request) found {
	var f found
	most := q.limits()
	for _, g := range all.notes {
		share, count := r.shared(noteWords(g.note), q.words)
		if len(f.notes) < most.notes && (count > 0 && g.sure >= minSure || q.words.enough(share, count)) {
			f.notes = append(f.notes, g.note)
		}
	}
	r.takeLikely(&f, all.messages, q)
	return f
}

// takeLikely takes the messages of a search that are likely to be meant.
func (r *Recollector) takeLikely(f *found, hits []recall.Hit, q request) {
	most, bar := q.limits().messages, minScore*best(hits)
	f.take(hits, most, func(h recall.Hit) bool { return h.Meant || h.Score >= bar && r.fit(h.Text.Text, q.words) })
	if q.asks && q.words.dated && len(f.messages) == 0 { // it asks what was then
		f.take(hits, most, func(h recall.Hit) bool { return h.Dated })
	}
}

// take takes the messages that are wanted: first those that tell something, then what
// was only asked.
func (f *found) take(hits []recall.Hit, most int, wanted func(recall.Hit) bool) {
	for _, questions := range []bool{false, true} {
		for _, h := range hits {
			switch {
			case isQuestion(h.Text) != questions || !wanted(h):
			case len(f.messages) == most || questions && len(f.messages) > 0:
				f.left++
			default:
				f.messages = append(f.messages, h.Text)
			}
		}
	}
}

// isQuestion reports whether somebody only asked something.
func isQuestion(t recall.Text) bool {
	text := strings.TrimSpace(t.Doc.Text)
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
}

// best is the score of the best hit that is no question: those that were asked
// before about the same are like the request, and answer nothing.
func best(hits []recall.Hit) float64 {
	for _, h := range hits {
		if !isQuestion(h.Text) {
			return h.Score
		}
	}
	return 0
}
