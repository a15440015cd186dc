package web

import (
	"context"
	"time"
)

// Access is who may act as an owner on the page and over the API: browsers that
// are logged in, tokens, and a password.
type Access interface {
	// List lists them, the newest first.
	List(ctx context.Context) (AccessListing, error)
	// Revoke ends one of them at once, with the pages that it opened, or all other
	// browsers. NotFound means that there is none of that id.
	Revoke(ctx context.Context, r Revocation) error
	// MakeToken makes a token for a script. It is shown this once.
	MakeToken(ctx context.Context, w TokenWish) (Token, error)
	// SetPassword lets the owner log in by a name and a password besides by links.
	SetPassword(ctx context.Context, p Password) error
	// DropPassword ends that.
	DropPassword(ctx context.Context) error
}

// AccessListing is who may act as an owner.
type AccessListing struct {
	Logins   []Login `json:"logins"`
	Password string  `json:"password,omitempty"` // the name for which there is one; empty if there is none
}

// Login is a browser or a token.
type Login struct {
	ID      string    `json:"id"` // no secret; see nacre.LoginID
	Token   bool      `json:"token,omitempty"`
	Name    string    `json:"name"`              // of a token, as its owner named it; of a browser, such as "Firefox, Linux", or empty
	Current bool      `json:"current,omitempty"` // this very one asks
	Made    time.Time `json:"made"`
	Seen    time.Time `json:"seen"`             // last, to some minutes
	Expires time.Time `json:"expires,omitzero"` // at the latest; zero for a token
}

// Revocation names what is to end.
type Revocation struct {
	ID     string `json:"id,omitempty"`
	Others bool   `json:"others,omitempty"` // in place of ID: every browser but the one that asks; tokens stay
}

// TokenWish names a token.
type TokenWish struct {
	Name string `json:"name"` // up to 40 letters, digits, spaces and -_.
}

// Token is a fresh token.
type Token struct {
	ID    string `json:"id"`
	Token string `json:"token"`
}

// Password is a password as its owner wants it.
type Password struct {
	Name     string `json:"name"`     // to log in by: 2 to 40 letters, digits and -_.; nobody else's
	Password string `json:"password"` // at least 10 characters
}
