package web

import (
	"context"

	"nacre"
	"nacre/memory"
)

// Hand is whose hand asks, and how it reached us. Both come from the way in, a
// socket, a session or a token, and never from a request.
type Hand struct {
	Owner nacre.OwnerID // empty for the operator
	By    memory.Writer // ByShell or ByPage
	Login string        // Login.ID of the browser or token that asks; empty for another way
}

type handKey struct{}

// withHand lends a request a hand.
func withHand(ctx context.Context, h Hand) context.Context {
	return context.WithValue(ctx, handKey{}, h)
}

// handOf is the hand of a request, which every request of the API has.
func handOf(ctx context.Context) Hand { return ctx.Value(handKey{}).(Hand) }
