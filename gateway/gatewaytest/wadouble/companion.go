package wadouble

import (
	"maps"
	"slices"

	"go.mau.fi/whatsmeow/types"
)

// companion is a device that is linked to an account.
type companion struct {
	account   *Account
	number    uint16
	noise     [32]byte // the key with which it logs in
	signature []byte   // by which it is the account's
	keys      bundle   // without a one-time key
	oneTime   []oneTimeKey
	conn      *conn   // nil while it is away
	pending   []*node // not acknowledged, oldest first
}

// oneTimeKey is a pre-key that is good for one session.
type oneTimeKey struct {
	id  uint32
	key [32]byte
}

func (d *companion) lid() types.JID { return withDevice(d.account.lid, d.number) }

// bundle is what somebody needs to write to the companion first.
func (d *companion) bundle() *bundle {
	b := d.keys
	if len(d.oneTime) > 0 {
		b.oneTimeID, b.oneTime = d.oneTime[0].id, d.oneTime[0].key
		d.oneTime = d.oneTime[1:]
	}
	return &b
}

// deliver gives the companion a stanza that it is to acknowledge, now or when it
// comes back.
func (d *companion) deliver(n node) {
	d.pending = append(d.pending, &n)
	if d.conn != nil && d.conn.active {
		d.conn.send(n)
	}
}

// acknowledged forgets the oldest stanza of a class with an id.
func (d *companion) acknowledged(class, id string) {
	i := slices.IndexFunc(d.pending, func(n *node) bool { return n.Tag == class && n.Attrs["id"] == id })
	if i >= 0 {
		d.pending = slices.Delete(d.pending, i, i+1)
	}
}

// activate brings what came while the companion was away, in order.
func (c *conn) activate() {
	c.active = true
	pending := c.companion.pending
	count := func(tag string) (n int) {
		for _, p := range pending {
			if p.Tag == tag {
				n++
			}
		}
		return n
	}
	if len(pending) > 0 {
		c.send(ib(node{Tag: "offline_preview", Attrs: attrs{
			"count": len(pending), "message": count("message"), "receipt": count("receipt"),
			"notification": count("notification"), "appdata": 0,
		}}))
	}
	for _, p := range pending {
		again := *p
		again.Attrs = maps.Clone(p.Attrs)
		again.Attrs["offline"] = 0
		c.send(again)
	}
	c.send(ib(node{Tag: "offline", Attrs: attrs{"count": len(pending)}}))
}

func ib(content node) node {
	return node{Tag: "ib", Attrs: attrs{"from": types.ServerJID}, Content: []node{content}}
}

// Unlink removes every companion.
func (a *Account) Unlink() {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	for _, d := range slices.Clone(a.companions) {
		d.remove(streamError(Fault{Words: DeviceRemoved}))
	}
	a.server.change()
}

// remove ends what the companion is to the account, with last words.
func (d *companion) remove(last ...node) {
	a := d.account
	a.companions = slices.DeleteFunc(a.companions, func(other *companion) bool { return other == d })
	if d.conn != nil {
		d.conn.end(last...)
	}
}

// Linked says whether there is a companion.
func (a *Account) Linked() bool {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	return len(a.companions) > 0
}

// Unacked is how many messages to the account's companions are not acknowledged.
func (a *Account) Unacked() (n int) {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	for _, d := range a.companions {
		for _, p := range d.pending {
			if p.Tag == "message" {
				n++
			}
		}
	}
	return n
}
