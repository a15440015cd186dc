package ledger

import (
	"context"
	"database/sql"
	"errors"

	"nacre"
)

// OfferPairing stores a fresh code, in place of an older one that was shown at
// the same address, together with the reply that shows it, if there is one,
// sealed with the key of an owner. It is Denied when the channel already shows
// as many codes to strangers as it may.
func (l *Ledger) OfferPairing(ctx context.Context, p nacre.Pairing, seal nacre.OwnerID, reply nacre.RenderedReply) ([]nacre.Delivery, error) {
	parts, err := l.sealParts(seal, []nacre.RenderedReply{reply})
	if err != nil {
		return nil, err
	}
	var full bool
	err = l.writer.do(ctx, func(t *tx) (err error) {
		if full, err = t.offer(p); err != nil || full {
			return err
		}
		return t.putParts(parts)
	})
	if err == nil && full {
		err = nacre.Errorf(nacre.Denied, "too many people are waiting to be admitted on %s", p.Address.Channel)
	}
	if err != nil {
		return nil, err
	}
	return deliveries(parts), nil
}

// offer returns full where a stranger has to wait.
func (t *tx) offer(p nacre.Pairing) (full bool, err error) {
	if _, err := t.exec("DELETE FROM pairings WHERE expires_ms <= ? OR (kind = ? AND channel = ? AND sender = ?)",
		t.nowMs, p.Kind, p.Address.Channel, p.Address.ID); err != nil {
		return false, err
	}
	var pending int
	if err := t.row("SELECT count(*) FROM pairings WHERE kind = ? AND channel = ?",
		[]any{nacre.Admit, p.Address.Channel}, &pending); err != nil {
		return false, err
	}
	if p.Kind == nacre.Admit && pending >= nacre.PairingPending {
		return true, nil
	}
	_, err = t.exec(`INSERT INTO pairings (tag, kind, owner, channel, sender, chat, created_ms, expires_ms) VALUES (?, ?, nullif(?, ''), ?, ?, ?, ?, ?)`,
		p.Tag, p.Kind, p.Owner, p.Address.Channel, p.Address.ID, p.Chat, t.nowMs, t.nowMs+nacre.PairingLife.Milliseconds())
	return false, err
}

// Pairing reports whether a code is waiting at an address.
func (l *Ledger) Pairing(ctx context.Context, kind nacre.PairingKind, a nacre.Address, nowMs int64) (bool, error) {
	var n int
	err := l.reading.QueryRowContext(ctx, "SELECT count(*) FROM pairings WHERE kind = ? AND channel = ? AND sender = ? AND expires_ms > ?",
		kind, a.Channel, a.ID, nowMs).Scan(&n)
	return n > 0, explain(err)
}

// UsePairing uses up a code: an Admit code makes its stranger an Owner, or the
// operator's own address if the operator has none beyond this machine; a Join
// code links the address by, which sent it, to the code's Owner. It returns
// the pairing with its Owner set. A wrong code is NotFound and counts
// against by; after nacre.PairingTries of them by is Denied for an hour.
func (l *Ledger) UsePairing(ctx context.Context, kind nacre.PairingKind, tag []byte, by nacre.Address) (nacre.Pairing, error) {
	var used nacre.Pairing
	var verdict error // committed together with the count of wrong tries
	err := l.writer.do(ctx, func(t *tx) error {
		used, verdict = nacre.Pairing{}, nil
		failures, err := t.failures(by)
		if err != nil {
			return err
		}
		if failures >= nacre.PairingTries {
			verdict = nacre.Errorf(nacre.Denied, "too many wrong codes; wait an hour, then ask for a new one")
			return nil
		}
		used, err = t.pairing(kind, tag)
		if errors.Is(err, sql.ErrNoRows) {
			verdict = nacre.Errorf(nacre.NotFound, "that code is wrong or older than an hour; ask for a new one")
			return t.failed(by)
		}
		if err != nil {
			return err
		}
		return l.use(t, &used, by)
	})
	return used, errors.Join(err, verdict)
}

func (t *tx) failures(by nacre.Address) (n int, err error) {
	err = t.row("SELECT failures FROM pairing_tries WHERE channel = ? AND sender = ? AND since_ms > ?",
		[]any{by.Channel, by.ID, t.nowMs - nacre.PairingLife.Milliseconds()}, &n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return n, err
}

// failed counts a wrong code; the hour begins with the first.
func (t *tx) failed(by nacre.Address) error {
	if _, err := t.exec("DELETE FROM pairing_tries WHERE since_ms <= ?", t.nowMs-nacre.PairingLife.Milliseconds()); err != nil {
		return err
	}
	_, err := t.exec(`INSERT INTO pairing_tries (channel, sender, failures, since_ms) VALUES (?, ?, 1, ?)
		ON CONFLICT (channel, sender) DO UPDATE SET failures = failures + 1`, by.Channel, by.ID, t.nowMs)
	return err
}

func (t *tx) pairing(kind nacre.PairingKind, tag []byte) (p nacre.Pairing, err error) {
	var owner sql.NullString
	err = t.row("DELETE FROM pairings WHERE tag = ? AND kind = ? AND expires_ms > ? RETURNING owner, channel, sender, chat",
		[]any{tag, kind, t.nowMs}, &owner, &p.Address.Channel, &p.Address.ID, &p.Chat)
	p.Kind, p.Owner = kind, nacre.OwnerID(owner.String)
	return p, err
}

func (l *Ledger) use(t *tx, p *nacre.Pairing, by nacre.Address) (err error) {
	address := by
	if p.Kind == nacre.Admit {
		address = p.Address
		if p.Owner, err = l.ownerForStranger(t); err != nil {
			return err
		}
	}
	n, err := t.count("INSERT INTO addresses (channel, id, owner, source, created_ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		address.Channel, address.ID, p.Owner, fromCode, t.nowMs)
	if err == nil && n == 0 {
		err = nacre.Errorf(nacre.Conflict, "%s is already admitted", address)
	}
	return err
}

// Adopt gives an address to an Owner, unless it is somebody's already. It stays
// theirs like one that was paired.
func (l *Ledger) Adopt(ctx context.Context, owner nacre.OwnerID, a nacre.Address) error {
	return l.writer.do(ctx, func(t *tx) error {
		_, err := t.exec("INSERT INTO addresses (channel, id, owner, source, created_ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			a.Channel, a.ID, owner, fromCode, t.nowMs)
		return err
	})
}

// ownerForStranger is the operator while nobody is paired yet, else a new Owner.
func (l *Ledger) ownerForStranger(t *tx) (nacre.OwnerID, error) {
	r, err := t.roster()
	if err != nil {
		return "", err
	}
	if r.onlyLocal(r.operator) {
		return r.operator, nil
	}
	id := nacre.OwnerID(nacre.NewID(timeOf(t.nowMs)))
	if err := l.vault.AddOwners(id); err != nil {
		return "", err
	}
	_, err = t.exec("INSERT INTO owners (id, operator, created_ms) VALUES (?, 0, ?)", id, t.nowMs)
	return id, err
}
