package gateway

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"strings"

	"nacre"
)

// codeAlphabet has no letter or digit that looks like another one (I and 1, O
// and 0). Its 32 characters give a code of 8 of them 40 bits.
const codeAlphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// newCode returns a fresh pairing code, written ABCD-EFGH.
func newCode() string {
	var b [8]byte
	rand.Read(b[:])
	for i := range b {
		b[i] = codeAlphabet[b[i]%32]
	}
	return string(b[:4]) + "-" + string(b[4:])
}

// codeTag is what is stored of a code. The code lives an hour and five wrong
// tries, so a plain hash is enough.
func codeTag(code string) []byte {
	code = strings.ToUpper(strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, code))
	sum := sha256.Sum256([]byte("nacre pairing " + code))
	return sum[:]
}

// Pair is the command /pair and "nacre pair". Without a code it shows one with
// which another address of the caller can join; with a code it admits the
// stranger who was shown it, which only the operator may do. It returns the
// sentence to show.
func (g *Gateway) Pair(ctx context.Context, c nacre.Caller, code string) (string, error) {
	if !c.Private {
		return "", nacre.Errorf(nacre.Denied, "Pairing works in a private chat only.")
	}
	if code == "" {
		return g.offerJoin(ctx, c)
	}
	if !c.Operator {
		return "", nacre.Errorf(nacre.Denied, "Only the person who runs me can admit somebody. To link another app of yours, send /pair here without a code.")
	}
	p, err := g.roster.UsePairing(ctx, nacre.Admit, codeTag(code), c.Author)
	if err != nil {
		return "", err
	}
	return g.admitted(ctx, p)
}

// admitted greets somebody who was a stranger, and returns the sentence for who
// admitted them.
func (g *Gateway) admitted(ctx context.Context, p nacre.Pairing) (string, error) {
	g.strangers()
	if err := g.welcome(ctx, p.Owner, nacre.Chat{Channel: p.Address.Channel, ID: p.Chat}); err != nil {
		return "", err
	}
	g.log.Info("owner admitted", "owner", p.Owner, "channel", p.Address.Channel)
	return "Admitted " + p.Address.String() + ".", nil
}

func (g *Gateway) offerJoin(ctx context.Context, c nacre.Caller) (string, error) {
	code := newCode()
	p := nacre.Pairing{Tag: codeTag(code), Kind: nacre.Join, Owner: c.Owner, Address: c.Author, Chat: c.Chat.ID}
	_, err := g.roster.OfferPairing(ctx, p, c.Owner, nacre.RenderedReply{}) // the answer to the command shows it
	if err != nil {
		return "", err
	}
	return "To talk with me from another app as the same person, send me this there within an hour:\n\n/pair " + code, nil
}
