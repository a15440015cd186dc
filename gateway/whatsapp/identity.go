package whatsapp

import (
	"context"
	"fmt"

	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/types"

	"nacre"
)

// person is somebody by the two identities that WhatsApp gives to people, without a
// device. One that is not known is empty.
type person struct{ lid, number types.JID }

// personOf joins identities of one person. The first of each kind counts; what is
// no identity of a person is left out.
func personOf(identities ...types.JID) person {
	var p person
	for _, j := range identities {
		if addressOf(j) == (nacre.Address{}) {
			continue
		}
		switch j = folded(j); {
		case j.Server == types.HiddenUserServer && p.lid.IsEmpty():
			p.lid = j
		case j.Server == types.DefaultUserServer && p.number.IsEmpty():
			p.number = j
		}
	}
	return p
}

// completed adds an identity that the library has stored beside the known one. It
// learns them from the server and from our own phone, never from what people write.
func (p person) completed(ctx context.Context, known store.LIDStore) (person, error) {
	var err error
	switch {
	case p == person{}:
	case p.lid.IsEmpty():
		p.lid, err = known.GetLIDForPN(ctx, p.number)
	case p.number.IsEmpty():
		p.number, err = known.GetPNForLID(ctx, p.lid)
	}
	if err != nil {
		return p, fmt.Errorf("identities of a person: %w", err)
	}
	return p, nil
}

// jid is the identity that chats and authors go by: the LID where it is known.
func (p person) jid() types.JID {
	if p.lid.IsEmpty() {
		return p.number
	}
	return p.lid
}

func (p person) author() nacre.Address { return addressOf(p.jid()) }

// also is the identity beside that of author.
func (p person) also() []nacre.Address {
	if p.lid.IsEmpty() || p.number.IsEmpty() {
		return nil
	}
	return []nacre.Address{addressOf(p.number)}
}

// is reports whether a JID is one of the person's, on whatever device.
func (p person) is(j types.JID) bool {
	j = folded(j)
	return j.User != "" && (j == p.lid || j == p.number)
}

// named is is for a JID as people's apps write it into messages.
func (p person) named(s string) bool {
	j, err := types.ParseJID(s)
	return err == nil && p.is(j)
}
