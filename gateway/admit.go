package gateway

import (
	"context"
	"sync"
	"time"

	"nacre"
)

// admission is who may speak, held in memory; the roster is its source.
type admission struct {
	mu       sync.RWMutex
	owners   map[nacre.Address]nacre.Owner // guarded by mu
	operator nacre.OwnerID                 // guarded by mu
}

func (g *Gateway) readRoster(ctx context.Context) error {
	list, err := g.roster.Owners(ctx)
	if err != nil {
		return err
	}
	owners := map[nacre.Address]nacre.Owner{}
	var operator nacre.OwnerID
	for _, o := range list {
		if o.Operator {
			operator = o.ID
		}
		for _, a := range append(o.Addresses, nacre.Address{Channel: nacre.Web, ID: string(o.ID)}) {
			owners[a] = o
		}
	}
	g.admission.mu.Lock()
	defer g.admission.mu.Unlock()
	g.admission.owners, g.admission.operator = owners, operator
	return nil
}

func (g *Gateway) ownerOf(a nacre.Address) nacre.OwnerID {
	g.admission.mu.RLock()
	defer g.admission.mu.RUnlock()
	return g.admission.owners[a].ID
}

func (g *Gateway) operator() nacre.OwnerID {
	g.admission.mu.RLock()
	defer g.admission.mu.RUnlock()
	return g.admission.operator
}

// person is who wrote a message.
type person struct {
	owner nacre.OwnerID // empty for a stranger
	by    nacre.Address // the identity that is theirs
	other nacre.OwnerID // another Owner who has an identity of the same author, by mistake
}

// authorOf is the Owner of a message's Author, else of the first further identity
// that is anybody's.
func (g *Gateway) authorOf(m *nacre.Message) (p person) {
	for _, a := range append([]nacre.Address{m.Author}, m.Also...) {
		owner := g.ownerOf(a)
		switch {
		case owner == "":
		case p.owner == "":
			p.owner, p.by = owner, a
		case owner != p.owner:
			p.other = owner
		}
	}
	return p
}

// Own implements Host.
func (g *Gateway) Own(ctx context.Context, a nacre.Address) error {
	if g.ownerOf(a) != "" {
		return nil
	}
	if err := g.roster.Adopt(ctx, g.operator(), a); err != nil {
		return err
	}
	return g.readRoster(ctx)
}

// Knows implements Host.
func (g *Gateway) Knows(m *nacre.Message) bool { return g.authorOf(m).owner != "" }

// admit decides whose a message is; empty means nobody's, and then not a word
// of it is kept. Only addresses count, never a name.
func (g *Gateway) admit(ctx context.Context, m *nacre.Message) (nacre.OwnerID, error) {
	if m.Author == (nacre.Address{}) {
		return "", nil
	}
	p := g.authorOf(m)
	if p.other != "" {
		g.log.Warn("identities of one person belong to two owners; the first counts", "channel", m.Author.Channel, "owner", p.owner, "other", p.other)
	}
	if p.owner != "" {
		m.Author = p.by // one person is one author, whichever identity the network names first
	}
	if !m.Private {
		return g.admitToGroup(ctx, m, p.owner)
	}
	if p.owner == "" && m.Quiet {
		return "", nil
	}
	if p.owner == "" {
		return "", g.greetStranger(ctx, m)
	}
	return p.owner, nil
}

// admitToGroup answers in a group only the Owner it belongs to, and only when
// they speak to us; the first Owner who does enables it. All else is silence.
func (g *Gateway) admitToGroup(ctx context.Context, m *nacre.Message, owner nacre.OwnerID) (nacre.OwnerID, error) {
	if owner == "" || !m.ToUs {
		return "", nil
	}
	whose, err := g.roster.GroupOwner(ctx, m.Chat)
	if err != nil {
		return "", err
	}
	if whose == "" {
		return owner, g.roster.EnableGroup(ctx, m.Chat, owner)
	}
	if whose != owner {
		return "", nil
	}
	return owner, nil
}

// greetStranger shows a person who is not admitted a pairing code, once an
// hour, or takes the join code that they send. Their words are not kept, and one who
// writes on and on is not heard.
func (g *Gateway) greetStranger(ctx context.Context, m *nacre.Message) error {
	if !g.hears(m.Author) {
		return nil
	}
	if c, code, ok := m.Command(); ok && c.Name == "pair" && code != "" {
		return g.join(ctx, m, code)
	}
	waiting, err := g.roster.Pairing(ctx, nacre.Admit, m.Author, time.Now().UnixMilli())
	if err != nil || waiting {
		return err
	}
	code := newCode()
	reply := g.rendered(nacre.Reply{Chat: m.Chat, Text: "Hello. I am somebody's private assistant and I do not know you yet, so I keep nothing of what you write.\n\n" +
		"Your pairing code is " + code + ". It is good for an hour. Whoever runs me can admit you with:\n\nnacre pair " + code})
	ds, err := g.roster.OfferPairing(ctx, nacre.Pairing{Tag: codeTag(code), Kind: nacre.Admit, Address: m.Author, Chat: m.Chat.ID}, g.operator(), reply)
	if nacre.KindOf(err) == nacre.Denied {
		g.log.Warn("stranger not answered, too many are waiting", "channel", m.Author.Channel)
		return nil
	}
	if err != nil {
		return err
	}
	g.log.Info("stranger was shown a pairing code", "channel", m.Author.Channel)
	g.strangers()
	g.Post(ds)
	return nil
}

// join links a new address to the owner whose code it sends.
func (g *Gateway) join(ctx context.Context, m *nacre.Message, code string) error {
	p, err := g.roster.UsePairing(ctx, nacre.Join, codeTag(code), m.Author)
	switch nacre.KindOf(err) {
	case nacre.NotFound:
		return g.Say(ctx, g.operator(), nacre.Reply{Chat: m.Chat, Text: "That code is wrong or older than an hour. Ask for a new one with /pair where I already know you."})
	case nacre.Denied:
		return nil
	}
	if err != nil {
		return err
	}
	return g.welcome(ctx, p.Owner, m.Chat)
}

func (g *Gateway) welcome(ctx context.Context, owner nacre.OwnerID, chat nacre.Chat) error {
	if err := g.readRoster(ctx); err != nil {
		return err
	}
	return g.Say(ctx, owner, nacre.Reply{Chat: chat, Text: "You are admitted. Write to me whenever you like; /help shows what I can do."})
}
