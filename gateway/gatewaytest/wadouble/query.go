package wadouble

import (
	"encoding/binary"

	"go.mau.fi/whatsmeow/types"
)

// query answers an IQ. What the double knows nothing of gets an empty result.
func (c *conn) query(q *node) {
	if kind := q.Attrs["type"]; kind == "result" || kind == "error" {
		c.answered(q)
		return
	}
	about := q.AttrGetter().OptionalString("xmlns")
	if about == "md" {
		c.linkQuery(q)
		return
	}
	if c.companion == nil {
		return
	}
	if f, met := c.server.meet(QueryError, about); met {
		c.refusal(q, f.Code, "")
		return
	}
	switch about {
	case "w:p":
		if _, met := c.server.meet(NoPong, ""); !met {
			c.result(q)
		}
	case "encrypt":
		c.keyQuery(q)
	case "passive":
		c.result(q)
		if _, active := q.GetOptionalChildByTag("active"); active && !c.active {
			c.activate()
		}
	case "usync":
		c.usync(q)
	case "w:m":
		c.result(q, mediaConn())
	case "w:g2":
		c.groupQuery(q)
	case "privacy":
		c.result(q, node{Tag: "privacy"})
	default:
		c.result(q)
	}
}

// answered takes the answer to a question of the server.
func (c *conn) answered(a *node) {
	if c.visit != nil && c.visit.linking != nil && a.Attrs["id"] == c.visit.linking.id {
		c.linked(a)
	}
}

// linkQuery is about being linked. It is the only thing that clients may ask of
// before they are.
func (c *conn) linkQuery(q *node) {
	reg, _ := q.GetOptionalChildByTag("link_code_companion_reg")
	_, leaves := q.GetOptionalChildByTag("remove-companion-device")
	switch {
	case c.visit != nil && reg.Attrs["stage"] == "companion_hello":
		c.asksForCode(q, &reg)
	case c.visit != nil && reg.Attrs["stage"] == "companion_finish":
		c.finishesCode(q, &reg)
	case c.companion != nil && leaves:
		c.result(q)
		c.companion.remove()
	default:
		c.refusal(q, 400, "bad-request")
	}
}

// keyQuery is about the keys of Signal.
func (c *conn) keyQuery(q *node) {
	if _, ok := q.GetOptionalChildByTag("count"); ok {
		c.result(q, node{Tag: "count", Attrs: attrs{"value": len(c.companion.oneTime)}})
		return
	}
	if asked, ok := q.GetOptionalChildByTag("key"); ok {
		c.result(q, node{Tag: "list", Content: c.server.bundles(asked.GetChildrenByTag("user"))})
		return
	}
	list := q.GetChildByTag("list")
	for _, n := range list.GetChildren() {
		id, key := bytesOf(n, "id"), bytesOf(n, "value")
		if len(id) == 3 && len(key) == 32 {
			c.companion.oneTime = append(c.companion.oneTime, oneTimeKey{number24(id), [32]byte(key)})
		}
	}
	c.result(q)
}

// bundles are the keys of devices, as they are needed to write to them first.
func (s *Server) bundles(users []node) (list []node) {
	for _, u := range users {
		j, _ := u.Attrs["jid"].(types.JID)
		user := node{Tag: "user", Attrs: attrs{"jid": j}}
		if b := s.bundle(j); b != nil {
			user.Content = b.nodes()
		} else {
			user.Content = []node{{Tag: "error", Attrs: attrs{"code": 404, "text": "item-not-found"}}}
		}
		list = append(list, user)
	}
	return list
}

// bundle is that of a device; nil if there is no such device.
func (s *Server) bundle(j types.JID) *bundle {
	if d := s.companion(j); d != nil {
		return d.bundle()
	}
	if a := s.account(j); a != nil && a.phones[j.Device] != nil {
		b := a.phones[j.Device].bundle()
		return &b
	}
	return nil
}

func (b *bundle) nodes() []node {
	registration := binary.BigEndian.AppendUint32(nil, b.registration)
	nodes := []node{
		{Tag: "registration", Content: registration},
		{Tag: "type", Content: []byte{5}}, // Curve25519
		{Tag: "identity", Content: b.identity[:]},
		{Tag: "skey", Content: []node{
			{Tag: "id", Content: bytes24(b.signedID)},
			{Tag: "value", Content: b.signed[:]},
			{Tag: "signature", Content: b.signature[:]},
		}},
	}
	if b.oneTimeID != 0 {
		nodes = append(nodes, node{Tag: "key", Content: []node{
			{Tag: "id", Content: bytes24(b.oneTimeID)},
			{Tag: "value", Content: b.oneTime[:]},
		}})
	}
	return nodes
}

func bytesOf(n node, child string) []byte {
	content, _ := n.GetChildByTag(child).Content.([]byte)
	return content
}

// number24 and bytes24 are for ids of keys, which have three bytes.
func number24(b []byte) uint32 {
	return binary.BigEndian.Uint32(append(make([]byte, 4-len(b)), b...))
}

func bytes24(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n)[1:] }

// usync tells of people: their LID and their devices.
func (c *conn) usync(q *node) {
	list := q.GetChildByTag("usync", "list")
	var users []node
	for _, u := range list.GetChildrenByTag("user") {
		j, _ := u.Attrs["jid"].(types.JID)
		user := node{Tag: "user", Attrs: attrs{"jid": j}}
		if a := c.server.account(j); a != nil {
			user.Content = []node{
				{Tag: "lid", Attrs: attrs{"val": a.lid}},
				{Tag: "devices", Content: []node{{Tag: "device-list", Content: a.devices()}}},
			}
		}
		users = append(users, user)
	}
	c.result(q, node{Tag: "usync", Content: []node{{Tag: "list", Content: users}}})
}

func (a *Account) devices() (list []node) {
	for number := range a.phones {
		list = append(list, node{Tag: "device", Attrs: attrs{"id": int(number)}})
	}
	for _, d := range a.companions {
		list = append(list, node{Tag: "device", Attrs: attrs{"id": int(d.number)}})
	}
	return list
}
