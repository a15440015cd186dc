package reflect

import (
	"context"
	"time"

	"nacre"
	"nacre/agent/distill"
	"nacre/memory"
)

// Log is where messages, marks and what could not be read lie. The ledger
// implements it. Every method concerns one owner alone.
type Log interface {
	// Mark is how far a reader has come, as an inbox sequence; where it never began
	// known is false, and through 0.
	Mark(ctx context.Context, owner nacre.OwnerID, reader string) (through int64, known bool, err error)
	// StartMark sets the mark of a reader that never began.
	StartMark(ctx context.Context, owner nacre.OwnerID, reader string, through int64) error
	// Heard is the inbox sequence of an owner's newest message, 0 for none.
	Heard(ctx context.Context, owner nacre.OwnerID) (int64, error)
	// Unread reads what came after an inbox sequence and by an instant, oldest first
	// and at most so many messages: those with words of a person, and of edited ones
	// the newest version. It returns the sequence through which it looked.
	Unread(ctx context.Context, owner nacre.OwnerID, after int64, until time.Time, most int) (list []memory.Source, through int64, err error)
	// Between reads likewise from one inbox sequence to another, both included.
	Between(ctx context.Context, owner nacre.OwnerID, first, last int64, most int) (list []memory.Source, through int64, err error)

	// Failed counts that the messages from first through another, both included,
	// could not be read, and keeps why, as a code; it returns how often that
	// happened. A batch is known by its first, and goes when the mark passes it
	// because it was read.
	Failed(ctx context.Context, owner nacre.OwnerID, reader string, first, through int64, reason string) (failures int, err error)
	// SetAside moves the mark past such a batch, which stays.
	SetAside(ctx context.Context, owner nacre.OwnerID, reader string, first int64) error
	// Batches lists what failed, of all readers, the oldest first.
	Batches(ctx context.Context, owner nacre.OwnerID) ([]memory.Batch, error)
	// DropBatch drops a batch that was read after all.
	DropBatch(ctx context.Context, owner nacre.OwnerID, reader string, first int64) error
}

// Distiller reads messages. A distill.Distiller is one.
type Distiller interface {
	// Learn is called once for each scope of a batch, and may take as long as a
	// model does. Its errors are the model's.
	Learn(ctx context.Context, in distill.Input) ([]memory.Proposal, error)
}
