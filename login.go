package nacre

import (
	"strings"
	"time"
)

// LoginKind says what a secret of the web page is good for.
type LoginKind string

// The kinds of logins.
const (
	LoginLink    LoginKind = "link"    // one login
	LoginSession LoginKind = "session" // a browser that has logged in
	LoginToken   LoginKind = "token"   // a program
)

// LoginID names a Login: UUIDv7 text that web mints, or, of a session from before
// there were any, another text. It is no secret.
type LoginID string

// Login is something by which somebody acts as an owner on the web page. The secret
// itself is known to nobody but who has it.
type Login struct {
	ID      LoginID
	Kind    LoginKind
	Owner   OwnerID
	Name    string // what people call it; empty for a link, and where the name was forgotten
	Made    time.Time
	Seen    time.Time // when it was used last, to some minutes
	Expires time.Time // unless it is used before; zero for never
}

// Password lets an owner log in without a link.
type Password struct {
	Owner OwnerID
	Name  string // to log in by, which may be a person's
	Hash  string // of the password, in PHC form
}

// FoldName makes one of all ways to write the Name of a Password in capitals and
// small letters. Whoever compares two names does it by this, so that a name that is
// taken is the same as one to log in by. It wants both composed alike (NFC).
func FoldName(name string) string { return strings.ToLower(strings.ToUpper(name)) }
