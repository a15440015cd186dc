package whatsapp

import (
	"context"
	"fmt"
	"sync"

	wastore "go.mau.fi/whatsmeow/store"
)

// buffer is the library's buffer of what it decrypted, through which every decryption
// goes. The library takes each failure there for a garbled message, of which it has
// rid itself before we hear of it: it asks the sender for another and acknowledges
// this one. Where the account's file is at fault, buffer ends the connection instead,
// with an error that lets the library leave the message to the server.
type buffer struct {
	wastore.EventBuffer
	line *line
}

// GetBufferedEvent implements store.EventBuffer.
func (b buffer) GetBufferedEvent(ctx context.Context, hash [32]byte) (*wastore.BufferedEvent, error) {
	event, err := b.EventBuffer.GetBufferedEvent(ctx, hash)
	return event, b.line.blame(err)
}

// DoDecryptionTxn implements store.EventBuffer.
func (b buffer) DoDecryptionTxn(ctx context.Context, decrypt func(context.Context) error) error {
	err := b.EventBuffer.DoDecryptionTxn(ctx, decrypt)
	if err == nil {
		b.line.ailment.cured()
	}
	return b.line.blame(err)
}

// ClearBufferedEventPlaintext implements store.EventBuffer. The library calls it when
// a message is stored; the end of the connection does not stop it.
func (b buffer) ClearBufferedEventPlaintext(ctx context.Context, hash [32]byte) error {
	err := b.EventBuffer.ClearBufferedEventPlaintext(context.WithoutCancel(ctx), hash)
	if err != nil {
		b.line.residue.add(hash)
	}
	b.line.tidyLater()
	return err
}

// blame ends the line if a decryption failed because of the account's file. Not every
// error of the library names its cause, so the file is tried.
func (l *line) blame(err error) error {
	if err == nil || l.life.Err() != nil {
		return err
	}
	cause := faultOf(err)
	if cause == nil {
		cause = l.file.probe(l.life)
	}
	if cause == nil || l.life.Err() != nil {
		return err
	}
	why := unusable(cause)
	if l.ailment.isNew(why.words) {
		l.log.Error("messages cannot be stored", "why", why.words)
	}
	l.end(why)
	return fmt.Errorf("%w: %w", context.Canceled, err)
}

// ailment is what ails the account's file, so that it is said once. The zero value is
// ready.
type ailment struct {
	mu    sync.Mutex
	words string // guarded by mu; empty while nothing is wrong
}

func (a *ailment) isNew(words string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := a.words
	a.words = words
	return words != before
}

func (a *ailment) cured() { a.isNew("") }
