package recollect

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
)

//go:embed choose.md
var chooseTask string

// What a model that selects may do.
const (
	maxSearches     = 5
	maxPerSearch    = 20   // messages that are new, of one search
	maxQuery        = 400  // characters of one search
	maxRecord       = 600  // characters of one record
	maxChooseTokens = 4000 // of an answer, thoughts included
)

// selection is a model's selection in the making.
type selection struct {
	r      *Recollector
	caller nacre.Caller
	window agent.Window
	q      request
	all    candidates

	shown []record
	used  []record // in the model's order
}

// choose lets the memory model select among candidates, and once among what it
// searches for besides. Whatever goes wrong, or takes too long, the local selection
// stands.
func (r *Recollector) choose(ctx context.Context, c nacre.Caller, w agent.Window, q request, all candidates, local found) found {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s := selection{r: r, caller: c, window: w, q: q, all: all}
	if err := s.run(ctx); err != nil {
		r.opts.Log.WarnContext(ctx, "the memory model selected nothing, going by words alone", "err", err)
		return local
	}
	return s.found()
}

func (s *selection) run(ctx context.Context) error {
	searches, err := s.ask(ctx, s.records(), "Request")
	if err != nil {
		return err
	}
	more, err := s.search(ctx, searches)
	if err != nil || len(more) == 0 {
		return err
	}
	_, err = s.ask(ctx, more, "Request, for which your searches found these records; there are no further searches")
	return err
}

// records are the candidates.
func (s *selection) records() []record {
	var list []record
	for _, g := range s.all.notes {
		list = append(list, record{note: g.note})
	}
	for _, h := range s.all.messages {
		list = append(list, record{message: h.Text})
	}
	return list
}

// ask shows records to the model, and takes those that it names. It returns what the
// model would search for.
func (s *selection) ask(ctx context.Context, records []record, label string) ([]string, error) {
	m := s.r.material(s.caller, maxMaterial, chooseTask, maxChooseTokens)
	before := len(s.shown)
	if !m.quote(label, s.q.text) {
		return nil, errWindow
	}
	for _, one := range numbered(records, before+1) {
		if !m.add(one.id + ": " + s.r.line(s.caller, one, s.q.words, maxRecord)) {
			break
		}
		s.shown = append(s.shown, one)
	}
	if len(s.shown) == before {
		return nil, errWindow
	}
	var answer struct{ Use, Search []string }
	err := s.r.ask(ctx, llm.Request{
		System: chooseTask, Messages: []llm.Message{{Role: llm.User, Text: m.end()}},
		MaxTokens: maxChooseTokens, Account: string(s.caller.Owner),
	}, &answer, "use")
	for _, id := range answer.Use {
		s.take(id)
	}
	return answer.Search, err
}

// take uses a record that was shown, once. Other names mean nothing.
func (s *selection) take(id string) {
	named := func(one record) bool { return one.id == id }
	if i := slices.IndexFunc(s.shown, named); i >= 0 && !slices.ContainsFunc(s.used, named) {
		s.used = append(s.used, s.shown[i])
	}
}

// search finds what the model has not seen.
func (s *selection) search(ctx context.Context, searches []string) ([]record, error) {
	var list []record
	for _, words := range searches[:min(len(searches), maxSearches)] {
		words = clip(strings.TrimSpace(words), maxQuery)
		if words == "" {
			continue
		}
		list = append(list, s.newNotes(words)...)
		hits, err := s.r.messages(ctx, s.caller, s.window, request{text: words}, maxPerSearch, &s.all)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			list = append(list, record{message: h.Text})
		}
	}
	return list, nil
}

// newNotes are the notes that a search is likely to mean and that are no candidates
// yet.
func (s *selection) newNotes(words string) []record {
	var list []record
	for _, g := range s.all.cards.find(words) {
		if g.sure >= minSure && !slices.ContainsFunc(s.all.notes, func(o guess) bool { return o.note.ID == g.note.ID }) {
			s.all.notes = append(s.all.notes, g)
			list = append(list, record{note: g.note})
		}
	}
	return list
}

// found is what the model took, as much of it as there is room for.
func (s *selection) found() found {
	var f found
	most := s.q.limits()
	for _, one := range s.used {
		switch {
		case one.note != nil && len(f.notes) < most.notes:
			f.notes = append(f.notes, one.note)
		case one.note == nil && len(f.messages) < most.messages:
			f.messages = append(f.messages, one.message)
		case one.note == nil:
			f.left++
		}
	}
	return f
}
