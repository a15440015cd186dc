package ledger

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"nacre"
)

// outPart is one part on its way into the outbox.
type outPart struct {
	nacre.Delivery
	index   int
	content sealed
}

// sealParts seals the parts of replies with the key of an owner.
func (l *Ledger) sealParts(owner nacre.OwnerID, replies []nacre.RenderedReply) ([]outPart, error) {
	var parts []outPart
	for _, reply := range replies {
		for i, part := range reply.Parts {
			content, err := l.seal(owner, "outbox", 0, part)
			if err != nil {
				return nil, err
			}
			parts = append(parts, outPart{
				Delivery: nacre.Delivery{ID: nacre.DeliveryID(nacre.NewID(time.Now())), Owner: owner, Chat: reply.Chat, Reply: reply.ID, Part: part},
				index:    i, content: content,
			})
		}
	}
	return parts, nil
}

// takeBubble makes the first part take the place of the message in which the
// answer was shown while it was made, if there is one. Where it is not known
// whether there is one, the part is labelled as a possible repeat.
func (t *tx) takeBubble(turn nacre.TurnID, parts []outPart) error {
	for i := range parts {
		parts[i].Bubble, parts[i].Unsure = "", 0
	}
	var id nacre.ExternalID
	err := t.row("DELETE FROM bubbles WHERE turn = ? RETURNING external", []any{turn}, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil && len(parts) > 0 {
		parts[0].Bubble = id
		if id == "" {
			parts[0].Unsure = 1
		}
	}
	return err
}

// DropBubble forgets what KeepBubble remembered.
func (l *Ledger) DropBubble(ctx context.Context, turn nacre.TurnID) error {
	return l.writer.do(ctx, func(t *tx) error {
		_, err := t.exec("DELETE FROM bubbles WHERE turn = ?", turn)
		return err
	})
}

// KeepBubble remembers the message in which a turn's answer is shown; an empty
// id that one is being sent.
func (l *Ledger) KeepBubble(ctx context.Context, turn nacre.TurnID, id nacre.ExternalID) error {
	return l.writer.do(ctx, func(t *tx) error {
		_, err := t.exec("INSERT INTO bubbles (turn, external, created_ms) VALUES (?, ?, ?) ON CONFLICT (turn) DO UPDATE SET external = excluded.external", turn, id, t.nowMs)
		return err
	})
}

// Bubble returns what KeepBubble remembered of a turn; kept is false for
// nothing.
func (l *Ledger) Bubble(ctx context.Context, turn nacre.TurnID) (id nacre.ExternalID, kept bool, err error) {
	err = l.reading.QueryRowContext(ctx, "SELECT external FROM bubbles WHERE turn = ?", turn).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return id, err == nil, explain(err)
}

// putParts appends parts to the outbox.
func (t *tx) putParts(parts []outPart) error {
	for i := range parts {
		p := &parts[i]
		if err := t.putPart(p); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) putPart(p *outPart) error {
	var ahead int
	err := t.row("SELECT EXISTS (SELECT 1 FROM outbox WHERE channel = ? AND chat = ? AND state < 2)",
		[]any{p.Chat.Channel, p.Chat.ID}, &ahead)
	if err != nil {
		return err
	}
	p.State = nacre.Asked
	if ahead != 0 {
		p.State = nacre.Waiting
	}
	res, err := t.exec(`INSERT INTO outbox (id, reply, part, owner, channel, chat, thread, state, unsure, bubble, created_ms, record, sealed)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), ?, ?, ?)`,
		p.ID, p.Reply, p.index, p.Owner, p.Chat.Channel, p.Chat.ID, p.Chat.Thread, p.State, p.Unsure, p.Bubble, t.nowMs, p.content.record, p.content.data)
	if err != nil {
		return err
	}
	p.Seq, err = res.LastInsertId()
	return err
}

func deliveries(parts []outPart) []nacre.Delivery {
	list := make([]nacre.Delivery, len(parts))
	for i := range parts {
		list[i] = parts[i].Delivery
	}
	return list
}

// Post puts a reply of the gateway's own, such as a pairing code, into the
// outbox, outside any turn. owner is whose key seals it.
func (l *Ledger) Post(ctx context.Context, owner nacre.OwnerID, reply nacre.RenderedReply) ([]nacre.Delivery, error) {
	parts, err := l.sealParts(owner, []nacre.RenderedReply{reply})
	if err != nil {
		return nil, err
	}
	if err := l.writer.do(ctx, func(t *tx) error { return t.putParts(parts) }); err != nil {
		return nil, err
	}
	return deliveries(parts), nil
}

// Undelivered lists every delivery that is neither sent nor dead, in order.
// Called at start; one that is Asked then was interrupted, and one that comes
// back as Dead can no longer be read and waits to be settled so.
func (l *Ledger) Undelivered(ctx context.Context) ([]nacre.Delivery, error) {
	rows, err := l.query(ctx, `SELECT id, seq, owner, channel, chat, thread, reply, state, attempts, unsure, not_until_ms, coalesce(bubble, ''), record, sealed
		FROM outbox WHERE state < 2 ORDER BY seq`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []nacre.Delivery
	for rows.Next() {
		d, err := l.scanDelivery(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, explain(rows.Err())
}

func (l *Ledger) scanDelivery(rows *sql.Rows) (nacre.Delivery, error) {
	var d nacre.Delivery
	var c sealed
	var notUntilMs int64
	err := rows.Scan(&d.ID, &d.Seq, &d.Owner, &d.Chat.Channel, &d.Chat.ID, &d.Chat.Thread, &d.Reply, &d.State, &d.Attempts, &d.Unsure,
		&notUntilMs, &d.Bubble, &c.record, &c.data)
	if err != nil {
		return d, explain(err)
	}
	if notUntilMs > 0 {
		d.NotUntil = timeOf(notUntilMs)
	}
	if l.unseal(d.Owner, "outbox", 0, c, &d.Part) != nil {
		d.State = nacre.Dead
	}
	return d, nil
}

// Settle records what became of a delivery (its State, Attempts, Unsure and
// NotUntil), with the network's id of it where it was sent and a reason code
// where it is dead. The words of one that was sent go, unless it has a Keep; see
// ClearSent. One that was forgotten meanwhile does not wait again. In the same commit
// the delivery named by next, if any, becomes asked, because it is sent right after;
// asked is false if that one is not to be sent any more. The gateway calls it.
func (l *Ledger) Settle(ctx context.Context, d nacre.Delivery, external nacre.ExternalID, reason string, next nacre.DeliveryID) (asked bool, err error) {
	var notUntilMs int64
	if !d.NotUntil.IsZero() {
		notUntilMs = d.NotUntil.UnixMilli()
	}
	err = l.writer.do(ctx, func(t *tx) error {
		_, err := t.exec(`UPDATE outbox SET state = ?1, attempts = ?2, unsure = ?3, not_until_ms = ?4, external = nullif(?5, ''), reason = nullif(?6, ''),
			settled_ms = iif(?1 >= 2, ?7, NULL), keep_until_ms = iif(?1 = 2 AND ?9 > 0 AND sealed IS NOT NULL, ?7 + ?9, NULL),
			sealed = iif(?1 = 2 AND ?9 <= 0, NULL, sealed)
			WHERE id = ?8 AND (state < 2 OR ?1 = 2)`,
			d.State, d.Attempts, d.Unsure, notUntilMs, external, reason, t.nowMs, d.ID, d.Keep.Milliseconds())
		if err != nil || next == "" {
			return err
		}
		asked, err = t.ask(next)
		return err
	})
	return asked, err
}

// Ask records that a delivery is being sent. It must be durable before the
// network hears of the part, or a crash could repeat it without a label. It is
// NotFound for one that does not wait any more, because it was forgotten.
func (l *Ledger) Ask(ctx context.Context, id nacre.DeliveryID) error {
	return l.writer.do(ctx, func(t *tx) error {
		asked, err := t.ask(id)
		if err == nil && !asked {
			err = nacre.Errorf(nacre.NotFound, "delivery %s does not wait any more", id)
		}
		return err
	})
}

// ask makes a delivery asked, or leaves one so that an earlier process asked; false
// if it is not to be sent any more.
func (t *tx) ask(id nacre.DeliveryID) (bool, error) {
	n, err := t.count("UPDATE outbox SET state = 1 WHERE id = ? AND state < 2", id)
	return n > 0, err
}
