package agent

import (
	"context"

	"nacre"
)

// Memory is what sessions know of their owner's memory.
type Memory interface {
	// Frozen returns what prompts of a session hold of memory. It is held, byte
	// for byte, for as long as that is still right; a zero held asks for another.
	// Cold says that the provider has forgotten the beginning of the prompt, so
	// that a newer one costs nothing. It is called before every request, and
	// waits while something is being forgotten.
	Frozen(ctx context.Context, caller nacre.Caller, held Frozen, cold bool) (Frozen, error)
	Asker
	// Passed says that something was said in a session unasked: what is typed from
	// then on answers that, and no question of before. It is called while nothing
	// of the session can be stored, for one session maybe beside a turn of it, and
	// must not wait for anything being forgotten.
	Passed(ctx context.Context, s nacre.SessionInfo) error
}

// Frozen is the part of a session's prompts that memory fills: the same bytes
// for a whole epoch.
type Frozen struct {
	Voice   string // who the assistant is; empty means the built-in one
	Person  string // how the owner wants to be spoken to; see prompt.Person
	Notes   string // what is remembered, fenced; empty for nothing
	Version int64  // of memory, from which it was made
	Fence   string // drawn for this epoch
}
