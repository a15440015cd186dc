package whatsapp

import (
	"sync"
	"time"

	"go.mau.fi/whatsmeow/types"

	"nacre"
)

// An edit is numbered by the second in which it was made; 0 is the first version. What
// is taken back takes the second after, so that it follows an edit of the same one.

func revisionOfEdit(made time.Time) int64   { return max(made.Unix(), 1) }
func revisionOfRevoke(made time.Time) int64 { return revisionOfEdit(made) + 1 }

// revisions gives the later one of two edits in one second a higher number. The zero
// value is ready.
type revisions struct {
	mu     sync.Mutex
	newest map[revised]revision // guarded by mu
}

// revised is a message that has revisions.
type revised struct {
	chat     nacre.Chat
	external nacre.ExternalID
}

// revision is the newest of a message: the edit's own id, the number that its time gives it,
// and the one that it was given.
type revision struct {
	edit         types.MessageID
	natural, own int64
}

// mostRevisions is how many messages are remembered. Beyond it all are forgotten.
const mostRevisions = 1024

// of is the number of an edit of a message, given the one that its time gives it. An
// edit that is older than another stays below it.
func (r *revisions) of(message revised, edit types.MessageID, natural int64) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	last, own := r.newest[message], natural
	switch {
	case natural < last.natural:
		return natural
	case edit == last.edit && natural == last.natural:
		return last.own
	case natural <= last.own:
		own = last.own + 1
	}
	if r.newest == nil || len(r.newest) >= mostRevisions {
		r.newest = map[revised]revision{}
	}
	r.newest[message] = revision{edit, natural, own}
	return own
}
