package web

import (
	"cmp"
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"nacre"
)

// shortest and longest passwords, in characters and in bytes.
const (
	shortestPassword = 10
	longestPassword  = 1000
)

var (
	tokenNames    = regexp.MustCompile(`^[\pL\pM\pN _.-]{1,40}$`)
	passwordNames = regexp.MustCompile(`^[\pL\pM\pN_.-]{2,40}$`)
)

// Access is who may act as the owner of a hand, which has one.
func (p *Porter) Access(h Hand) Access { return access{p, h} }

// access is a Porter in one hand.
type access struct {
	porter *Porter
	hand   Hand
}

// List implements Access.
func (a access) List(ctx context.Context) (AccessListing, error) {
	logins, err := a.porter.logins.Logins(ctx, a.hand.Owner)
	if err != nil {
		return AccessListing{}, err
	}
	list := AccessListing{Logins: []Login{}}
	for _, g := range logins {
		list.Logins = append(list.Logins, a.shown(g))
	}
	passwords, err := a.porter.passwords.Passwords(ctx)
	for _, p := range passwords {
		if p.Owner == a.hand.Owner {
			list.Password = p.Name
		}
	}
	return list, err
}

func (a access) shown(g nacre.Login) Login {
	s := Login{ID: string(g.ID), Name: g.Name, Token: g.Kind == nacre.LoginToken, Current: string(g.ID) == a.hand.Login, Made: g.Made, Seen: g.Seen}
	if s.Token {
		s.Name = cmp.Or(s.Name, "Token") // where what it was called is forgotten
	} else {
		s.Expires = g.Made.Add(sessionLife)
	}
	return s
}

// Revoke implements Access.
func (a access) Revoke(ctx context.Context, r Revocation) error {
	if !r.Others {
		return a.porter.end(ctx, a.hand.Owner, nacre.LoginID(r.ID))
	}
	logins, err := a.porter.logins.Logins(ctx, a.hand.Owner)
	if err != nil {
		return err
	}
	for _, g := range logins {
		if g.Kind != nacre.LoginSession || string(g.ID) == a.hand.Login {
			continue
		}
		if err := a.porter.end(ctx, a.hand.Owner, g.ID); err != nil && nacre.KindOf(err) != nacre.NotFound {
			return err
		}
	}
	return nil
}

// MakeToken implements Access.
func (a access) MakeToken(ctx context.Context, w TokenWish) (Token, error) {
	name := strings.TrimSpace(w.Name)
	if !tokenNames.MatchString(name) {
		return Token{}, nacre.Errorf(nacre.Invalid, "Name the token in up to 40 letters, digits, spaces and - _ .")
	}
	secret := tokenPrefix + newSecret()
	id, err := a.porter.open(ctx, nacre.Login{Kind: nacre.LoginToken, Owner: a.hand.Owner, Name: name}, secret)
	if err != nil {
		return Token{}, err
	}
	a.porter.changed(a.hand.Owner)
	return Token{string(id), secret}, nil
}

// SetPassword implements Access.
func (a access) SetPassword(ctx context.Context, p Password) error {
	switch {
	case !passwordNames.MatchString(p.Name):
		return nacre.Errorf(nacre.Invalid, "Choose a name of 2 to 40 letters, digits and - _ .")
	case utf8.RuneCountInString(p.Password) < shortestPassword:
		return nacre.Errorf(nacre.Invalid, "Choose a password of 10 characters or more.")
	case len(p.Password) > longestPassword:
		return nacre.Errorf(nacre.Invalid, "Choose a shorter password.")
	}
	hash, err := a.porter.hashes.hash(ctx, p.Password)
	if err != nil {
		return err
	}
	if err := a.porter.passwords.PutPassword(ctx, nacre.Password{Owner: a.hand.Owner, Name: norm.NFC.String(p.Name), Hash: hash}); err != nil {
		return err
	}
	a.porter.changed(a.hand.Owner)
	return nil
}

// DropPassword implements Access.
func (a access) DropPassword(ctx context.Context) error {
	err := a.porter.passwords.DropPassword(ctx, a.hand.Owner)
	a.porter.changed(a.hand.Owner)
	return err
}
