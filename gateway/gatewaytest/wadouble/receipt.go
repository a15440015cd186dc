package wadouble

import (
	"encoding/binary"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types"
)

// mostRetries is how often one asks for a message that cannot be decrypted.
const mostRetries = 5

// receipt is what a phone tells the companion of its message.
func (p *parcel) receipt(a *Account, kind string, id types.MessageID) node {
	r := attrs{"from": a.lid, "id": id, "t": time.Now().Unix()}
	if kind != "" {
		r["type"] = kind
	}
	switch {
	case p.to.Server == types.GroupServer:
		r["from"], r["participant"] = p.to, a.lid
	case a == p.from.account:
		r["recipient"] = p.to
	}
	return node{Tag: "receipt", Attrs: r}
}

// askAgain asks the companion for a message that the phone cannot decrypt, and
// brings the keys for a new session.
func (p *parcel) askAgain(a *Account) {
	count := a.seen[p.id] + 1
	if a.seen[p.id] < 0 || count >= mostRetries {
		return
	}
	a.seen[p.id] = count
	fresh := a.phone(0).bundle()
	keys := fresh.nodes()
	n := p.receipt(a, "retry", p.id)
	n.Content = []node{
		{Tag: "retry", Attrs: attrs{"count": count, "id": p.id, "t": time.Now().Unix(), "v": 1}},
		keys[0],
		{Tag: "keys", Content: keys[1:]},
	}
	p.from.deliver(n)
}

// receipt takes a receipt of a companion to whoever wrote the message.
func (c *conn) receipt(n *node) {
	kind := n.AttrGetter().OptionalString("type")
	ids := []types.MessageID{n.AttrGetter().String("id")}
	list := n.GetChildByTag("list")
	for _, item := range list.GetChildren() {
		ids = append(ids, item.AttrGetter().String("id"))
	}
	switch kind {
	case "", "inactive", "sender":
		c.companion.acknowledged("message", ids[0])
	case "retry":
		c.resend(n)
	case "server-error":
		c.uploadAgain(n)
	}
	if author, chat := c.about(n); author != nil {
		author.receipts = append(author.receipts, Receipt{kind, c.companion.lid(), chat, ids, time.Now()})
	}
	c.ack(n, 0)
}

// about is whom a stanza of a companion reaches, and in which of their chats.
func (c *conn) about(n *node) (*Account, types.JID) {
	to, _ := n.Attrs["to"].(types.JID)
	if who, ok := n.Attrs["participant"].(types.JID); ok {
		return c.server.account(who), to
	}
	if chat, ok := n.Attrs["recipient"].(types.JID); ok {
		return c.server.account(to), c.server.chat(chat)
	}
	return c.server.account(to), c.companion.account.lid
}

// resend encrypts a letter anew for a companion that could not decrypt it.
func (c *conn) resend(n *node) {
	author, _ := c.about(n)
	if author == nil {
		return
	}
	l, ok := author.wrote[n.AttrGetter().String("id")]
	if !ok {
		return
	}
	delete(author.shared, share{l.to, c.companion.lid(), l.Device})
	again := l.stanza(c.companion, c.companion.freshBundle(n))
	retry := n.GetChildByTag("retry")
	again.GetChildren()[0].Attrs["count"] = retry.AttrGetter().Int("count")
	c.companion.deliver(again)
}

// freshBundle is what a companion tells of its keys when it asks again, or what the
// server knows of them.
func (d *companion) freshBundle(n *node) *bundle {
	keys, ok := n.GetOptionalChildByTag("keys")
	if !ok {
		return d.bundle()
	}
	b := d.keys
	b.registration = binary.BigEndian.Uint32(bytesOf(*n, "registration"))
	key := keys.GetChildByTag("key")
	b.oneTimeID = number24(bytesOf(key, "id"))
	copy(b.oneTime[:], bytesOf(key, "value"))
	return &b
}

// uploadAgain lets the phone upload a file again that the hosts have lost.
func (c *conn) uploadAgain(n *node) {
	id := n.AttrGetter().String("id")
	var file whatsmeow.DownloadableMessage
	for _, a := range c.server.accounts {
		if l, ok := a.wrote[id]; ok {
			file = words(l.m).file
		}
	}
	answer, err := c.server.media.retried(n, file, time.Now())
	if err != nil {
		return
	}
	answer.Attrs["from"] = c.companion.account.lid
	c.companion.deliver(answer)
}

// Read tells the companions that wrote to a chat that their messages were read.
func (a *Account) Read(chat types.JID, ids ...types.MessageID) {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	for _, reader := range a.server.audience(a, chat) {
		if reader == a {
			continue
		}
		for _, d := range reader.companions {
			p := &parcel{from: d, to: a.server.chat(chat)}
			for _, id := range ids {
				d.deliver(p.receipt(a, "read", id))
			}
		}
	}
}

// chatstate tells phones that a companion's person types.
func (c *conn) chatstate(n *node) {
	to, _ := n.Attrs["to"].(types.JID)
	children := n.GetChildren()
	if len(children) != 1 {
		return
	}
	me := c.companion.account
	for _, a := range c.server.audience(me, to) {
		if a == me {
			continue
		}
		chat := me.lid
		if to.Server == types.GroupServer {
			chat = to
		}
		a.typings = append(a.typings, Typing{c.companion.lid(), chat, children[0].Tag, time.Now()})
	}
}
