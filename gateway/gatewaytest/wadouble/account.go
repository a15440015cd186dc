package wadouble

import (
	"slices"
	"time"

	"go.mau.fi/whatsmeow/types"
)

// Account is a person with a phone, to which companions may be linked.
type Account struct {
	server  *Server
	pn, lid types.JID

	// Guarded by the server's lock.
	name       string
	invite     *invite // the code that may be typed on the phone
	passkey    bool
	phones     map[uint16]*cipher // the person's devices that are the double's own; 0 is the phone
	companions []*companion
	numbered   uint16                     // companions that were ever linked
	shared     map[share]bool             // who has a phone's sender key of a group
	wrote      map[types.MessageID]letter // what the phones sent, for those who ask again
	shown      map[types.JID][]*Shown     // by chat
	seen       map[types.MessageID]int    // how often a message was asked for again; -1 once it is shown
	receipts   []Receipt
	typings    []Typing
}

func newAccount(s *Server, pn, lid types.JID) *Account {
	return &Account{
		server: s, pn: pn, lid: lid,
		phones: map[uint16]*cipher{0: newCipher()},
		shared: map[share]bool{},
		wrote:  map[types.MessageID]letter{},
		shown:  map[types.JID][]*Shown{},
		seen:   map[types.MessageID]int{},
	}
}

// PN is the account by its phone number.
func (a *Account) PN() types.JID { return a.pn }

// LID is the account by its hidden identity.
func (a *Account) LID() types.JID { return a.lid }

// Named sets the name that others are shown.
func (a *Account) Named(name string) {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	a.name = name
}

// Passkey decides whether linking demands the account's passkey. Then Scan and Enter
// return ErrPasskey.
func (a *Account) Passkey(demand bool) {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	a.passkey = demand
}

// phone is a device of the double's own, which is made when it is first used.
func (a *Account) phone(number uint16) *cipher {
	if a.phones[number] == nil {
		a.phones[number] = newCipher()
	}
	return a.phones[number]
}

// Forget drops the phone's Signal sessions, so that it cannot decrypt what comes
// next and asks for it again.
func (a *Account) Forget() {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	a.phone(0).forget()
	clear(a.shared)
}

// Receipt is a receipt that came from a companion.
type Receipt struct {
	Type string    // "" for delivered, "read", "retry", …
	From types.JID // the companion
	Chat types.JID
	IDs  []types.MessageID
	At   time.Time
}

// Receipts lists the receipts that reached the phone.
func (a *Account) Receipts() []Receipt {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	return slices.Clone(a.receipts)
}

// Typing is a sign that somebody types, or stopped.
type Typing struct {
	From  types.JID
	Chat  types.JID
	State string // "composing" or "paused"
	At    time.Time
}

// Typings lists what the phone was told of others who type.
func (a *Account) Typings() []Typing {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	return slices.Clone(a.typings)
}
