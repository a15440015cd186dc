package gmail

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"time"

	api "google.golang.org/api/gmail/v1"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
)

// maxTurn is longer than any turn lasts.
const maxTurn = time.Hour

// Tools are what a conversation can do with the owner's Gmail: draft_email, which puts
// a draft into their mailbox and never sends it. It may ask the owner first; their
// answer is for Answer.
func (g *Gmail) Tools() []agent.Tool {
	return []agent.Tool{agent.Func{About: draftSpec, Run: g.draft}}
}

func draftSpec() llm.ToolSpec {
	return llm.ToolSpec{
		Name: "draft_email",
		Description: "Puts a draft into the person's Gmail; it never sends. Only if they ask for a mail or draft. " +
			"Write as preferences/writing-style says, if there is such a note. Recipients: only addresses typed in this message, else none.",
		Schema: json.RawMessage(`{"type":"object","properties":{"to":{"type":"array","items":{"type":"string"}},"cc":{"type":"array","items":{"type":"string"}},` +
			`"subject":{"type":"string"},"body":{"type":"string","description":"plain text with greeting and closing"}},"required":["to","subject","body"],"additionalProperties":false}`),
	}
}

// draft is the tool draft_email. Who gets the mail and that there is one come from the
// owner's own words alone, never from what the model read.
func (g *Gmail) draft(ctx context.Context, c nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var l letter
	if err := agent.ReadArgs(args, &l); err != nil {
		return agent.Result{}, err
	}
	if c.Run != nil || !c.Private || len(c.Said) == 0 {
		return agent.Result{}, nacre.Errorf(nacre.Denied, "Drafts are made only in a private conversation, when the person asks for one. Nothing is made.")
	}
	l, err := l.tidy()
	if err != nil {
		return agent.Result{}, err
	}
	a, err := g.drafting(ctx, c.Owner)
	if err != nil {
		return agent.Result{}, err
	}
	l, meant, err := l.addressed(c)
	if err != nil {
		g.opts.Log.InfoContext(ctx, "a draft was refused whose recipients the owner did not type", "owner", c.Owner)
		return agent.Result{}, err
	}
	n, there := g.number(c, l)
	switch id := messageID(c.Turn, n, a.Address); {
	case there:
		return l.done(), nil
	case !meant || !wished(c):
		return g.confirm(c, l, id), nil
	default:
		r, err := g.put(ctx, c.Owner, l, id)
		if err == nil {
			g.count(c, l)
		}
		return r, err
	}
}

// turnDrafts are the drafts that one turn has made, in their order.
type turnDrafts struct {
	turn nacre.TurnID
	made [][sha256.Size]byte // the sums of the letters
	last time.Time
}

// number is which draft of its turn a letter is, from 1: there tells that it is one that
// lies there already. After a crash the count begins again, as the turn does, so that
// the nth draft takes the place of the nth.
func (g *Gmail) number(c nacre.Caller, l letter) (n int, there bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	d := g.drafts[c.Session]
	if d.turn != c.Turn {
		return 1, false
	}
	if i := slices.Index(d.made, l.sum()); i >= 0 {
		return i + 1, true
	}
	return len(d.made) + 1, false
}

// count counts a draft that its turn has made. A failed one gives its number to the next,
// since nobody knows whether Google has made it.
func (g *Gmail) count(c nacre.Caller, l letter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	d := g.drafts[c.Session]
	if d.turn != c.Turn {
		d = turnDrafts{turn: c.Turn}
	}
	d.made, d.last = append(d.made, l.sum()), g.opts.Now()
	g.drafts[c.Session] = d
	maps.DeleteFunc(g.drafts, func(_ nacre.SessionID, d turnDrafts) bool { return g.opts.Now().Sub(d.last) > maxTurn })
}

// drafting is an owner's account if drafts may be made there. The error is for the
// model.
func (g *Gmail) drafting(ctx context.Context, owner nacre.OwnerID) (Account, error) {
	a, err := g.account(ctx, owner)
	if nacre.KindOf(err) == nacre.NotFound || err == nil && !a.Drafts {
		return Account{}, nacre.Errorf(nacre.Denied, "No draft is made: the person has not allowed drafts in Gmail. Tell them that they can, on the page under Settings, Gmail, or with nacre gmail connect --drafts; and give them the text here.")
	}
	return a, err
}

// addressed is a letter whose recipients are as the owner typed them in this turn;
// Denied if they did not. That they once said an address, or that it stands in a mail
// or a page, is not enough. It is not meant where they typed one only to say that it
// gets nothing, or in what may be the words of others.
func (l letter) addressed(c nacre.Caller) (own letter, meant bool, err error) {
	texts, meant := readTyped(c), true
	for _, list := range []*[]string{&l.To, &l.Cc} {
		*list = slices.Clone(*list)
		for i, a := range *list {
			spelt, sense := texts.find(a)
			if sense == absent {
				return letter{}, false, nacre.Errorf(nacre.Denied, "No draft is made: the person has not typed the address of a recipient in this message. Ask them to type every address, or make the draft without recipients.")
			}
			(*list)[i], meant = spelt, meant && sense == plain
		}
	}
	return l, meant, nil
}

// put makes a draft, in the place of one with its Message-ID.
func (g *Gmail) put(ctx context.Context, owner nacre.OwnerID, l letter, id string) (agent.Result, error) {
	a, err := g.drafting(ctx, owner)
	if err != nil {
		return agent.Result{}, err
	}
	raw, err := l.write(a.Address, id, g.opts.Now())
	if err != nil {
		return agent.Result{}, nacre.Errorf(nacre.Internal, "The draft cannot be written.")
	}
	_, err = call(ctx, g, owner, func(ctx context.Context, s *api.Service) (*api.Draft, error) { return putOnce(ctx, s, raw, id) })
	if err != nil {
		return agent.Result{}, err
	}
	return l.done(), nil
}

// done tells of a draft that lies there.
func (l letter) done() agent.Result {
	told := "A draft lies in your Gmail under Drafts, and nothing was sent.\n\n" + l.shown()
	return agent.Result{Text: "Done, under Drafts in their Gmail; nothing was sent. The person reads this behind your answer, so do not repeat it: " + told, Tell: told}
}

// putOnce makes a draft, or writes it anew if there is one with its Message-ID: a turn
// that a crash interrupted, or a request whose answer was lost, has made that one, perhaps
// in other words.
func putOnce(ctx context.Context, s *api.Service, raw []byte, id string) (*api.Draft, error) {
	found, err := s.Users.Drafts.List("me").Q("rfc822msgid:" + id).MaxResults(1).Context(ctx).Do()
	if err != nil {
		return nil, err
	}
	draft := &api.Draft{Message: &api.Message{Raw: base64.URLEncoding.EncodeToString(raw)}}
	if len(found.Drafts) > 0 {
		return s.Users.Drafts.Update("me", found.Drafts[0].Id, draft).Context(ctx).Do()
	}
	return s.Users.Drafts.Create("me", draft).Context(ctx).Do()
}
