package wadouble

import (
	"slices"
	"time"

	"go.mau.fi/whatsmeow/proto/waAdv"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"
)

// relay takes a message of a companion to the phones that it is for.
func (c *conn) relay(n *node) {
	p := parcel{from: c.companion, id: n.AttrGetter().String("id")}
	p.to, _ = n.Attrs["to"].(types.JID)
	if n.Attrs["category"] == "peer" { // to the account's phone, for no chat
		p.open(n)
		c.ack(n, 0)
		return
	}
	if _, met := c.server.meet(DropBefore, ""); met {
		c.drop()
		return
	}
	if code := c.refuses(n); code != 0 {
		c.ack(n, code)
		return
	}
	p.open(n)
	if _, met := c.server.meet(DropAfter, ""); met {
		c.drop()
		return
	}
	if _, met := c.server.meet(Unanswered, ""); !met {
		c.ack(n, 0)
	}
}

// ack tells the companion that the server has a message, or why it has not.
func (c *conn) ack(n *node, code int) {
	a := attrs{"class": n.Tag, "id": n.Attrs["id"], "from": n.Attrs["to"], "t": time.Now().Unix()}
	if kind, ok := n.Attrs["type"]; ok && n.Tag == "receipt" {
		a["type"] = kind
	}
	if code != 0 {
		a["error"] = code
	}
	c.send(node{Tag: "ack", Attrs: a})
}

// refuses is the code with which the server refuses a message; 0 takes it.
func (c *conn) refuses(n *node) int {
	if f, met := c.server.meet(SendError, ""); met {
		return f.Code
	}
	to, _ := n.Attrs["to"].(types.JID)
	if g := c.server.groups[to]; g != nil {
		if !slices.Contains(g.members, c.companion.account) {
			return 403
		}
	} else if c.server.account(to) == nil {
		return 404
	}
	if opensSession(n) && !c.companion.proves(n) {
		return 400
	}
	return 0
}

// opensSession says whether a phone will meet the companion for the first time.
func opensSession(n *node) bool {
	for _, child := range n.GetChildren() {
		if child.Tag == "enc" && child.Attrs["type"] == opening || opensSession(&child) {
			return true
		}
	}
	return false
}

// proves says whether a message carries the proof that its sender is the account's
// companion, without which no phone opens a session.
func (d *companion) proves(n *node) bool {
	identity := &waAdv.ADVSignedDeviceIdentity{}
	if proto.Unmarshal(bytesOf(*n, "device-identity"), identity) != nil {
		return false
	}
	return slices.Equal(identity.GetDeviceSignature(), d.signature)
}

// parcel is a message of a companion on its way.
type parcel struct {
	from *companion
	to   types.JID
	id   types.MessageID
}

// open gives each phone its part of the message. What is encrypted for all comes
// last, because the keys for it come with the parts.
func (p *parcel) open(n *node) {
	participants := n.GetChildByTag("participants")
	for _, part := range participants.GetChildrenByTag("to") {
		j, _ := part.Attrs["jid"].(types.JID)
		p.give(j, part.GetChildByTag("enc"))
	}
	whole, ok := n.GetOptionalChildByTag("enc")
	if !ok {
		return
	}
	if g := p.from.account.server.groups[p.to]; g != nil && whole.Attrs["type"] == "skmsg" {
		for _, m := range g.members {
			p.give(m.lid, whole)
		}
		return
	}
	one, ok := n.Attrs["participant"].(types.JID)
	if !ok {
		one = p.to
	}
	if chat, ok := n.Attrs["recipient"].(types.JID); ok {
		p.to = chat
	}
	p.give(one, whole)
}

// give lets a phone decrypt what is for it and show it, or ask for it again.
func (p *parcel) give(device types.JID, part node) {
	a := p.from.account.server.account(device)
	if a == nil || a.phones[device.Device] == nil {
		return
	}
	m, err := p.decrypt(a.phones[device.Device], part)
	if device.Device != 0 {
		return
	}
	if err != nil {
		p.askAgain(a)
		return
	}
	chat := p.to
	if inner := m.GetDeviceSentMessage(); inner != nil {
		chat, _ = types.ParseJID(inner.GetDestinationJID())
		m = inner.GetMessage()
	} else if chat.Server != types.GroupServer {
		chat = p.from.account.lid
	}
	if a.show(a.server.chat(chat), p.from.account.lid, p.id, m) && a != p.from.account {
		p.from.deliver(p.receipt(a, "", p.id))
	}
}

func (p *parcel) decrypt(phone *cipher, part node) (*waE2E.Message, error) {
	encType, _ := part.Attrs["type"].(string)
	data, _ := part.Content.([]byte)
	var plain []byte
	var err error
	if encType == "skmsg" {
		plain, err = phone.decryptGroup(p.to, p.from.lid(), data)
	} else {
		plain, err = phone.decrypt(p.from.lid(), encType, data)
	}
	if err != nil {
		return nil, err
	}
	m := &waE2E.Message{}
	if err := proto.Unmarshal(plain, m); err != nil {
		return nil, err
	}
	if key := m.GetSenderKeyDistributionMessage(); key != nil {
		err = phone.takeDistribution(p.to, p.from.lid(), key.GetAxolotlSenderKeyDistributionMessage())
	}
	return m, err
}
