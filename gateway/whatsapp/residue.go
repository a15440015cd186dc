package whatsapp

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// tidyAfter is how long what the account's file holds of messages, although they are
// stored, may stay there.
const tidyAfter = 30 * time.Second

// residue is what the library has left of messages in its buffer and needs no more.
// The zero value is ready.
type residue struct {
	mu     sync.Mutex // guards all below
	hashes [][32]byte // of messages that are stored, and could not be cleared
	before time.Time  // what came into the buffer before this will not be asked for
}

// add notes a message by the hash of its ciphertext.
func (r *residue) add(hash [32]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hashes = append(r.hashes, hash)
}

// outdate notes that all is residue which came before a time.
func (r *residue) outdate(before time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.before = before
}

func (r *residue) all() (hashes [][32]byte, before time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.hashes), r.before
}

// cleared takes off hashes.
func (r *residue) cleared(hashes [][32]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hashes = slices.DeleteFunc(r.hashes, func(h [32]byte) bool { return slices.Contains(hashes, h) })
}

// tidiness is a line's part in keeping the account's file clean.
type tidiness struct {
	since time.Time   // when the line began
	due   atomic.Bool // a tidying is to come
}

// caughtUp takes the news that the server has brought all that waited for us. What an
// older connection left in the buffer was among that, or is stored. False if something
// owed could not be stored.
func (l *line) caughtUp() bool {
	if !l.payOwed() {
		return false
	}
	l.residue.outdate(l.tidiness.since)
	l.tidyLater()
	return true
}

// tidyLater tidies in a while, unless that is to come already.
func (l *line) tidyLater() {
	if !l.tidiness.due.Swap(true) {
		time.AfterFunc(tidyAfter, l.tidy)
	}
}

// tidy takes the words of stored messages out of the account's file and its log. At
// the end of a line it does nothing, since who closes the file empties the log.
func (l *line) tidy() {
	l.tidiness.due.Store(false)
	if !l.door.TryRLock() {
		return
	}
	defer l.door.RUnlock()
	if l.life.Err() == nil && l.Scrub(l.life) != nil {
		l.tidyLater()
	}
}
