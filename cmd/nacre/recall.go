package main

import (
	"context"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/embed"
	"nacre/agent/notebook"
	"nacre/agent/recollect"
	"nacre/configs"
	"nacre/memory"
	"nacre/memory/recall"
	"nacre/memory/recall/keys"
)

// lag is how old a search index may be that is asked for evidence, beyond what the
// conversation itself holds: nobody takes up what was said in another one less than
// that ago.
const lag = time.Second

// wireRecall builds what finds again what was said. By default a model is asked
// before an answer only if it is one of its own for memory.
func (a *app) wireRecall(log memory.Log, model agent.Choice, beyond outside) {
	a.archive = archive{a.ledger.Archive(agent.AnswerOf)}
	var store recall.Store = a.archive
	if beyond.wrapStore != nil {
		store = beyond.wrapStore(store)
	}
	vectors := beyond.embedder
	if vectors == nil {
		vectors = newEmbedder(a.cfg, meteredBook{book{a.ledger, a.cfg.Zone}, a.meter})
	}
	a.index = recall.New(store, recall.Options{Terms: a.terms, Zone: a.zoneOf, Embedder: vectors, Vectors: a.archive, Log: a.log})
	o := recollect.Options{
		Index:   a.index,
		Store:   a.archive,
		Library: a.library,
		Hits:    log,
		Select:  wanted(a.cfg.Recall.Select, beyond.memory != nil),
		Check:   wanted(a.cfg.Recall.Check, beyond.memory != nil),
		Terms:   a.terms,
		Lag:     lag,
		Zone:    a.zoneOf,
		Log:     a.log,
	}
	if !model.Simple {
		o.Model, o.Window = model.Model, model.Window
	}
	a.recalls = recollect.New(o)
}

// forgetFound drops what was found for an owner and what they were asked about a draft
// and, if words of theirs went and not a note alone, what was made of those to find them
// by.
func (a *app) forgetFound(owner nacre.OwnerID, words bool) {
	a.recalls.Forgotten(owner)
	a.mail.Forgotten(owner)
	if !words {
		return
	}
	a.index.Drop(owner)
	a.terms.Forget()
}

// noteKeys is how a note is found by its name.
func (a *app) noteKeys() keys.Options {
	o := keys.Options{Terms: a.terms}
	for _, step := range a.cfg.Recall.Keys {
		o.Steps = append(o.Steps, keys.Step(step))
	}
	return o
}

// wanted reads a switch.
func wanted(s configs.Switch, auto bool) bool {
	return s == configs.On || s == configs.Auto && auto
}

// newEmbedder makes what turns texts into vectors; nil if nothing does. What it
// costs is counted and bounded like the calls of other models.
func newEmbedder(cfg *configs.Config, book llm.Book) recall.Embedder {
	if cfg.Recall.Embed == "" {
		return nil
	}
	provider, model, _ := strings.Cut(cfg.Recall.Embed, "/")
	known := supplier{name: cfg.Recall.Embed}
	known.know(cfg)
	o := embed.Options{Kind: embed.Ollama, BaseURL: cfg.Ollama, Model: model, Provider: provider,
		Allow: func(ctx context.Context, account string) error { return limits(cfg.Budget).Check(ctx, book, account) },
		Count: func(account string, used llm.Usage) {
			book.Spend(account, llm.Spend{Model: known.name, Usage: used, Cost: known.price.Cost(used), Priced: known.price.Known})
		}}
	if p, ok := compatible(cfg)[provider]; ok {
		o.Kind, o.BaseURL, o.Key = embed.OpenAI, p.BaseURL, p.Key.Reveal()
	}
	return embedder{embed.New(o)}
}

// embedder counts what an owner's vectors cost as theirs.
type embedder struct{ *embed.Client }

// Embed implements recall.Embedder.
func (e embedder) Embed(ctx context.Context, owner nacre.OwnerID, texts []string) ([][]float32, error) {
	return e.Client.Embed(ctx, string(owner), texts)
}

// warm begins to index what the operator said, so that the first question does not
// wait for it. The others' index is begun by their first question.
func (a *app) warm() { a.index.Warm(a.operator) }

// selected is what was found for the last answer of a session, for /why.
func (a *app) selected(ctx context.Context, c nacre.Caller) (notebook.Selected, error) {
	front, ok := a.recalls.Last(c.Session)
	if !ok {
		return notebook.Selected{}, nil
	}
	texts, err := a.archive.Texts(ctx, c.Owner, front.Messages)
	if err != nil {
		return notebook.Selected{}, err
	}
	s := notebook.Selected{Notes: front.Notes}
	for _, key := range front.Messages {
		t, there := texts[key]
		if !there {
			s.Gone++
			continue
		}
		s.Messages = append(s.Messages, notebook.Saying{Who: speaker(t), Sent: t.Sent, Text: t.Text})
	}
	return s, nil
}

// speaker is the author of a message as the owner knows them.
func speaker(t recall.Text) string {
	switch t.Author {
	case recall.ByOwner:
		if t.Elsewhere != "" {
			return "you, to " + t.Elsewhere + ","
		}
		return "you"
	case recall.ByAssistant:
		return "I"
	case "":
		return "somebody"
	}
	return t.Author
}
