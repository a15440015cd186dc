package ledger

import (
	"context"
	"database/sql"
	"errors"

	"nacre"
	"nacre/memory/vault"
)

// PutAttachment stores the bytes of a message's attachment, by its place there.
// One that is stored already stays.
func (l *Ledger) PutAttachment(ctx context.Context, owner nacre.OwnerID, message nacre.MessageID, place int, kind nacre.AttachmentKind, data []byte) error {
	record, err := l.vault.Next()
	if err != nil {
		return err
	}
	box, err := l.vault.Seal(vault.Binding{Owner: owner, Table: "attachments", Record: record}, data)
	if err != nil {
		return err
	}
	return l.writer.do(ctx, func(t *tx) error {
		_, err := t.exec("INSERT INTO attachments (id, message, place, owner, kind, bytes, record, sealed) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			nacre.NewID(timeOf(t.nowMs)), message, place, owner, kind, len(data), record, box)
		return err
	})
}

// Attachment returns the bytes of a message's attachment; NotFound if they were
// never stored, or are forgotten.
func (l *Ledger) Attachment(ctx context.Context, owner nacre.OwnerID, message nacre.MessageID, place int) ([]byte, error) {
	var c sealed
	err := l.reading.QueryRowContext(ctx, "SELECT record, sealed FROM attachments WHERE message = ? AND place = ? AND owner = ?", message, place, owner).
		Scan(&c.record, &c.data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nacre.Errorf(nacre.NotFound, "attachment %d of message %s is not stored", place, message)
	}
	if err != nil {
		return nil, explain(err)
	}
	return l.vault.Unseal(vault.Binding{Owner: owner, Table: "attachments", Record: c.record}, c.data)
}

// PutReading stores what was made of a message's attachment. One that
// is stored already stays.
func (l *Ledger) PutReading(ctx context.Context, owner nacre.OwnerID, message nacre.MessageID, place int, reading nacre.Reading) error {
	c, err := l.seal(owner, "readings", 0, reading)
	if err != nil {
		return err
	}
	return l.writer.do(ctx, func(t *tx) error {
		_, err := t.exec("INSERT INTO readings (message, place, owner, record, sealed) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			message, place, owner, c.record, c.data)
		return err
	})
}

// Reading returns what was made of a message's attachment; NotFound if
// there is none, or it is forgotten.
func (l *Ledger) Reading(ctx context.Context, owner nacre.OwnerID, message nacre.MessageID, place int) (nacre.Reading, error) {
	var c sealed
	var reading nacre.Reading
	err := l.reading.QueryRowContext(ctx, "SELECT record, sealed FROM readings WHERE message = ? AND place = ? AND owner = ?", message, place, owner).
		Scan(&c.record, &c.data)
	if errors.Is(err, sql.ErrNoRows) {
		return reading, nacre.Errorf(nacre.NotFound, "attachment %d of message %s was not read", place, message)
	}
	if err != nil {
		return reading, explain(err)
	}
	return reading, l.unseal(owner, "readings", 0, c, &reading)
}
