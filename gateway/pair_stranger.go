package gateway

import (
	"context"
	"time"

	"nacre"
)

// Waiting lists who was shown a pairing code and waits to be admitted, oldest
// first. It is for the operator alone.
func (g *Gateway) Waiting(ctx context.Context) ([]nacre.Stranger, error) {
	return g.roster.Strangers(ctx, time.Now())
}

// Admit admits one of those who wait, as Pair does with their code, and returns the
// sentence to show. It is for the operator alone.
func (g *Gateway) Admit(ctx context.Context, stranger string) (string, error) {
	p, err := g.roster.Admit(ctx, stranger)
	if err != nil {
		return "", err
	}
	return g.admitted(ctx, p)
}

// Refuse lets one of those wait no more. They are not told, and are shown another
// code if they write again. It is for the operator alone.
func (g *Gateway) Refuse(ctx context.Context, stranger string) error {
	err := g.roster.Refuse(ctx, stranger)
	if err == nil {
		g.strangers()
		g.log.Info("stranger refused")
	}
	return err
}

// strangers tells whoever wants to know that others wait than before.
func (g *Gateway) strangers() {
	if g.Strangers != nil {
		g.Strangers()
	}
}
