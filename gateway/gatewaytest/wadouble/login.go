package wadouble

import (
	"slices"
	"strconv"
	"time"

	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
)

// login lets a companion in, or says why not.
func (c *conn) login() {
	s := c.server
	s.logins = append(s.logins, time.Now())
	d := s.companion(types.JID{
		User:   strconv.FormatUint(c.payload.GetUsername(), 10),
		Server: types.DefaultUserServer, Device: uint16(c.payload.GetDevice()),
	})
	f, met := s.meet(LoginError, "")
	switch {
	case met:
		c.failure(f)
		if d != nil && events.ConnectFailureReason(f.Code).IsLoggedOut() {
			d.remove()
		}
	case c.outdated():
		c.failure(Fault{Code: 405})
	case d == nil || d.noise != c.static:
		c.failure(Fault{Code: 401})
	default:
		c.enter(d)
	}
}

// enter makes the connection the companion's, which has one at most.
func (c *conn) enter(d *companion) {
	if other := d.conn; other != nil {
		other.end(streamError(Fault{Words: Replaced}))
	}
	c.companion, d.conn = d, c
	c.send(node{Tag: "success", Attrs: attrs{"t": time.Now().Unix(), "lid": d.lid()}})
}

func (c *conn) outdated() bool {
	v := c.payload.GetUserAgent().GetAppVersion()
	mine := store.WAVersionContainer{v.GetPrimary(), v.GetSecondary(), v.GetTertiary()}
	return mine.LessThan(c.server.latest)
}

// failure refuses a login: https://github.com/tulir/whatsmeow names the reasons in
// types/events.
func (c *conn) failure(f Fault) {
	a := attrs{"reason": f.Code, "location": "cln"}
	if f.Code == 402 {
		a["code"], a["expire"] = f.Ban, int64(f.Expire/time.Second)
	}
	c.end(node{Tag: "failure", Attrs: a})
}

// companion is a linked device by its JID of either kind; nil if there is none.
func (s *Server) companion(j types.JID) *companion {
	a := s.account(j)
	if a == nil {
		return nil
	}
	i := slices.IndexFunc(a.companions, func(d *companion) bool { return d.number == j.Device })
	if i < 0 {
		return nil
	}
	return a.companions[i]
}

// streamError is what ends a connection.
func streamError(f Fault) node {
	n := node{Tag: "stream:error", Attrs: attrs{}}
	if f.Code != 0 {
		n.Attrs["code"] = f.Code
	}
	switch f.Words {
	case Replaced:
		n.Content = []node{{Tag: "conflict", Attrs: attrs{"type": Replaced}}}
	case DeviceRemoved:
		n.Attrs["code"] = 401
		n.Content = []node{{Tag: "conflict", Attrs: attrs{"type": DeviceRemoved}}}
	}
	return n
}
