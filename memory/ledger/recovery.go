package ledger

import (
	"context"

	"nacre"
)

// Recovery is to whom key bundles are encrypted; empty if nobody said. It is no secret.
func (l *Ledger) Recovery(ctx context.Context) (recipient string, err error) {
	return l.meta(ctx, "recovery")
}

// SetRecovery sets it. It is a Conflict if there is another already that is not to be
// replaced.
func (l *Ledger) SetRecovery(ctx context.Context, recipient string, replace bool) error {
	was, err := l.Recovery(ctx)
	if err != nil {
		return err
	}
	if was != "" && was != recipient && !replace {
		return nacre.Errorf(nacre.Conflict, "There is a recovery key already. With --replace another takes its place: the old one opens none of the key bundles that are made from then on.")
	}
	return l.setMeta(ctx, "recovery", recipient)
}
