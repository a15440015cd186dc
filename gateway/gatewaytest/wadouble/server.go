// Package wadouble is a WhatsApp server in memory, to which an unmodified client of
// the library whatsmeow connects: it does the Noise handshake under a root key of
// its own, links companions by QR or by code, keeps pre-keys, messages that were not
// acknowledged, groups and media, and refuses what the real server refuses. The
// people on it are Accounts, whose phones encrypt and decrypt for real.
//
// It encodes what that library expects of a server. It therefore proves our code
// and the library, not the behaviour of the real network. Left out are app state,
// calls, and what one companion of an account sends to another.
//
// A goroutine of the library waits for ever if its client disconnects while a
// stanza comes in. Tests in a bubble of testing/synctest, which find every goroutine
// that is left, therefore let things settle before a client disconnects.
package wadouble

import (
	"context"
	"crypto/ecdh"
	"fmt"
	"sync"
	"time"

	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/types"

	"nacre/gateway/gatewaytest"
)

// Server is one such server. Its methods may be called from any goroutine.
type Server struct {
	net          *gatewaytest.PipeNet
	root, static *ecdh.PrivateKey
	media        *mediaStore

	mu       sync.Mutex    // guards all below, and what accounts, companions and connections hold
	changed  chan struct{} // closed and replaced whenever something changes
	accounts []*Account
	groups   map[types.JID]*group
	conns    map[*conn]bool
	faults   []Fault
	latest   store.WAVersionContainer // zero: every version may log in
	logins   []time.Time
	refuse   bool
	serial   int // of ids that the server and the phones give
}

// New returns a server without people, whose clock is time.Now.
func New() *Server {
	return &Server{
		net:     gatewaytest.NewPipeNet(),
		root:    derived("root"),
		static:  derived("static"),
		media:   newMediaStore(),
		changed: make(chan struct{}),
		groups:  map[types.JID]*group{},
		conns:   map[*conn]bool{},
	}
}

// change wakes everybody who waits for something. Call it with the lock held.
func (s *Server) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Wait returns when met is true, which it asks after every change and without
// holding anything. Its error is that of ctx. Tests in a bubble may call
// synctest.Wait instead.
func (s *Server) Wait(ctx context.Context, met func() bool) error {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if met() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// next is an id that was not given before. Call it with the lock held.
func (s *Server) next(prefix string) string {
	s.serial++
	return fmt.Sprintf("%s%010X", prefix, s.serial)
}

// Account is the person with a phone number, country code first, digits only. They
// are made when they are first asked for, and get a LID.
func (s *Server) Account(phone string) *Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	pn := types.NewJID(phone, types.DefaultUserServer)
	if a := s.account(pn); a != nil {
		return a
	}
	a := newAccount(s, pn, types.NewJID(fmt.Sprint(100_000_000_000_001+len(s.accounts)), types.HiddenUserServer))
	s.accounts = append(s.accounts, a)
	return a
}

// account is the one with a JID of either kind, whatever its device; nil if there
// is none.
func (s *Server) account(j types.JID) *Account {
	for _, a := range s.accounts {
		if who := j.ToNonAD(); who == a.pn || who == a.lid {
			return a
		}
	}
	return nil
}

// chat is a chat by the name that phones file it under: people go by LID.
func (s *Server) chat(j types.JID) types.JID {
	if a := s.account(j); a != nil {
		return a.lid
	}
	return j.ToNonAD()
}

// Latest is the version of WhatsApp Web that the server tells, "2.3000.1045649367"
// for example; who logs in with an older one gets 405. Before it is called none is
// too old, and the server tells the library's own.
func (s *Server) Latest(version string) {
	parsed, err := store.ParseVersion(version)
	must(err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latest = parsed
}

// Logins is when companions logged in, the oldest first; refused ones count too.
func (s *Server) Logins() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]time.Time(nil), s.logins...)
}

// Cut closes every socket that exists.
func (s *Server) Cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.drop()
	}
}

// Refuse decides whether new sockets are refused, with the HTTP status 503. Those
// that exist stay.
func (s *Server) Refuse(refuse bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = refuse
}
