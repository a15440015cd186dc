package recollect

import (
	"context"
	_ "embed"
	"strings"
	"unicode/utf8"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/prompt"
	"nacre/memory"
	"nacre/memory/recall"
)

//go:embed check.md
var checkTask string

// Limits of a check.
const (
	maxReads       = 80_000 // characters of notes and messages
	maxRead        = 8000   // characters of one of them
	maxDraft       = 20_000 // characters; a longer draft goes out unchecked
	maxCheckTokens = 4000   // of an answer, thoughts included, besides the draft again
)

// check is the check of drafts against what was selected for one request. It holds
// no words of that: it reads them when it runs, as far as they are still there.
type check struct {
	r      *Recollector
	caller nacre.Caller
	q      request
	front  Front
}

// run is agent.Evidence.Check. A draft that cannot be checked goes out as it is.
func (k check) run(ctx context.Context, draft string) (string, error) {
	if strings.TrimSpace(draft) == "" || utf8.RuneCountInString(draft) > maxDraft {
		return draft, nil
	}
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	corrected, err := k.ask(within, draft)
	switch {
	case ctx.Err() != nil:
		return draft, context.Cause(ctx)
	case err != nil:
		k.r.opts.Log.WarnContext(ctx, "an answer goes out unchecked", "err", err)
	case corrected != "" && !keeps(draft, corrected):
		k.r.opts.Log.WarnContext(ctx, "a correction was not taken, it changes links or code")
	case corrected != "":
		return corrected, nil
	}
	return draft, nil
}

// ask returns what is to be delivered instead of a draft, empty if nothing is.
func (k check) ask(ctx context.Context, draft string) (string, error) {
	records, err := k.records(ctx)
	if err != nil || len(records) == 0 {
		return "", err
	}
	room := maxCheckTokens + 2*prompt.TextTokens(draft)
	m := k.r.material(k.caller, maxMaterial, checkTask, room)
	asked := m.quote("Request", k.q.text)
	drafted := m.quote("Draft", draft)
	if text := plain(draft); text != strings.TrimSpace(draft) {
		drafted = drafted && m.quote("Draft as the person reads it", text)
	}
	if !asked || !drafted || !m.add("Records:") {
		return "", errWindow
	}
	m.room.characters = min(m.room.characters, maxReads)
	for _, one := range records {
		if !m.add(k.r.line(k.caller, one, k.q.words, maxRead)) {
			break
		}
	}
	var answer struct{ Text string }
	err = k.r.ask(ctx, llm.Request{
		System: checkTask, Messages: []llm.Message{{Role: llm.User, Text: m.end()}},
		MaxTokens: room, Account: string(k.caller.Owner),
	}, &answer, "ok", "text")
	return strings.TrimSpace(answer.Text), err
}

// records reads what was selected, each message with its neighbours, in the order in
// which it was selected.
func (k check) records(ctx context.Context) ([]record, error) {
	st, err := k.r.opts.Library.Book(k.caller.Owner).State(ctx)
	if err != nil {
		return nil, err
	}
	now := map[nacre.NoteID]*memory.Note{}
	for _, n := range visible(st, k.caller) {
		now[n.ID] = n
	}
	var list []record
	for _, id := range k.front.Notes {
		if n := now[id]; n != nil {
			list = append(list, record{note: n})
		}
	}
	known, barred := map[recall.Key]bool{}, candidates{barred: barred(st)}
	for _, key := range k.front.Messages {
		near, err := k.r.opts.Store.Near(ctx, k.caller.Owner, scope(k.caller), key, 1)
		if err != nil && nacre.KindOf(err) != nacre.NotFound {
			return nil, err
		}
		for _, t := range near {
			if !known[t.Key] && !barred.bars(t) {
				known[t.Key] = true
				list = append(list, record{message: t})
			}
		}
	}
	return list, nil
}
