package nacre

import "time"

// PairingKind says what a pairing code does.
type PairingKind string

// The kinds of pairing.
const (
	// Admit lets a stranger in: the code is shown to them, and only the
	// operator may approve it.
	Admit PairingKind = "admit"
	// Join links one more address to an Owner: the code is shown in one of the
	// owner's private chats, and the other address sends it.
	Join PairingKind = "join"
)

// Limits of pairing.
const (
	PairingLife    = time.Hour // a code is good this long
	PairingPending = 3         // most codes shown to strangers on a channel at a time
	PairingTries   = 5         // wrong codes from one address before it is ignored for an hour
)

// Pairing is a code that waits to be used. Only Tag, a hash of the code, is
// stored.
type Pairing struct {
	Tag     []byte
	Kind    PairingKind
	Owner   OwnerID // Join: whom the address joins
	Address Address // Admit: the stranger; Join: where the code was shown
	Chat    ChatID  // the private chat in which the code was shown
}

// Stranger is somebody who was shown a code and waits to be admitted.
type Stranger struct {
	ID      string // minted by the ledger, unique among those that wait; tells nothing of the code
	Address Address
	Came    time.Time
	Until   time.Time // when their code is too old
}
