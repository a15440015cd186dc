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
	c, err := l.sealFile(owner, data)
	if err != nil {
		return err
	}
	return l.writer.do(ctx, func(t *tx) error { return t.putFile(owner, message, place, kind, len(data), c) })
}

// sealFile encrypts the bytes of an attachment for a new row.
func (l *Ledger) sealFile(owner nacre.OwnerID, data []byte) (sealed, error) {
	record, err := l.vault.Next()
	if err != nil {
		return sealed{}, err
	}
	box, err := l.vault.Seal(vault.Binding{Owner: owner, Table: "attachments", Record: record}, data)
	return sealed{record, box}, err
}

func (t *tx) putFile(owner nacre.OwnerID, message nacre.MessageID, place int, kind nacre.AttachmentKind, size int, c sealed) error {
	_, err := t.exec("INSERT INTO attachments (id, message, place, owner, kind, bytes, record, sealed) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		nacre.NewID(timeOf(t.nowMs)), message, place, owner, kind, size, c.record, c.data)
	return err
}

// sealFiles encrypts the attachments of a message that came along with it, by their
// places; those that are fetched later are empty.
func (l *Ledger) sealFiles(in *nacre.Inbound) ([]sealed, error) {
	files := make([]sealed, len(in.Message.Attachments))
	for place, a := range in.Message.Attachments {
		if a.Data == nil {
			continue
		}
		var err error
		if files[place], err = l.sealFile(in.Owner, a.Data); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// putFiles stores what came along with a message, unless that was known already.
func (t *tx) putFiles(in *nacre.Inbound, files []sealed) error {
	m := &in.Message
	for place, c := range files {
		if c.data == nil || m.Seq == 0 {
			continue
		}
		a := &m.Attachments[place]
		if err := t.putFile(in.Owner, m.ID, place, a.Kind, len(a.Data), c); err != nil {
			return err
		}
	}
	return nil
}

// dropFiles takes what is stored out of messages, which may be held for long.
func dropFiles(in []nacre.Inbound) {
	for i := range in {
		for j := range in[i].Message.Attachments {
			in[i].Message.Attachments[j].Data = nil
		}
	}
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
