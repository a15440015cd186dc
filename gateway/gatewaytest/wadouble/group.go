package wadouble

import (
	"slices"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"
)

// group is a chat of several people, the first of whom made it.
type group struct {
	jid     types.JID
	subject string
	members []*Account
	made    time.Time
}

// Group makes a group and returns its JID. The first member is its admin.
func (s *Server) Group(subject string, members ...*Account) types.JID {
	s.mu.Lock()
	defer s.mu.Unlock()
	jid := types.NewJID(s.next("1203630"), types.GroupServer)
	s.groups[jid] = &group{jid, subject, slices.Clone(members), time.Now()}
	return jid
}

// groupQuery tells a member of a group.
func (c *conn) groupQuery(q *node) {
	jid, _ := q.Attrs["to"].(types.JID)
	g := c.server.groups[jid]
	switch {
	case g == nil:
		c.refusal(q, 404, "item-not-found")
	case !slices.Contains(g.members, c.companion.account):
		c.refusal(q, 403, "forbidden")
	default:
		c.result(q, g.node())
	}
}

func (g *group) node() node {
	n := node{Tag: "group", Attrs: attrs{
		"id": g.jid.User, "subject": g.subject, "creator": g.members[0].lid, "creation": g.made.Unix(),
		"addressing_mode": "lid", "size": len(g.members),
	}}
	var members []node
	for i, m := range g.members {
		a := attrs{"jid": m.lid, "phone_number": m.pn}
		if i == 0 {
			a["type"] = "superadmin"
		}
		members = append(members, node{Tag: "participant", Attrs: a})
	}
	n.Content = members
	return n
}

// share is a device that has a phone's sender key of a group.
type share struct {
	group, device types.JID
	phone         uint16
}

// forGroup is the letter under the phone's sender key, which a companion that does
// not have it yet gets first.
func (l *letter) forGroup(d *companion) (content []node) {
	phone := l.from.phone(l.Device)
	with := share{l.to, d.lid(), l.Device}
	key := phone.distribution(l.to)
	if !l.from.shared[with] {
		l.from.shared[with] = true
		content = append(content, l.encrypt(d, nil, &waE2E.Message{
			SenderKeyDistributionMessage: &waE2E.SenderKeyDistributionMessage{
				GroupID: proto.String(l.to.String()), AxolotlSenderKeyDistributionMessage: key,
			},
		}))
	}
	data, err := phone.encryptGroup(l.to, marshal(l.m))
	must(err)
	return append(content, enc("skmsg", data))
}
