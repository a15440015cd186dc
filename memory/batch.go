package memory

import (
	"time"

	"nacre"
)

// Batch is messages of an owner that a reader could not read.
type Batch struct {
	Owner          nacre.OwnerID
	Reader         string
	First, Through int64 // inbox sequence, both included
	Failures       int
	Aside          bool      // the reader went on without them
	Reason         string    // a code, of the newest failure
	At             time.Time // of the newest failure
}
