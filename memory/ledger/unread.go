package ledger

import (
	"context"
	"math"
	"slices"
	"time"

	"nacre"
	"nacre/memory"
)

// unreadLook bounds how many messages Between opens to find those that it wants.
const unreadLook = 1000

// Unread reads what an owner said after an inbox sequence, as Between does, as far
// as it came at or before an instant. Without anything new it returns after.
func (l *Ledger) Unread(ctx context.Context, owner nacre.OwnerID, after int64, until time.Time, most int) (list []memory.Source, through int64, err error) {
	last, err := l.newest(ctx, owner, after, until.UnixMilli())
	if err != nil || last <= after {
		return nil, after, err
	}
	return l.Between(ctx, owner, after+1, last, most)
}

// Heard is the inbox sequence of the newest message that an owner sent to Nacre, 0
// for none.
func (l *Ledger) Heard(ctx context.Context, owner nacre.OwnerID) (int64, error) {
	return l.newest(ctx, owner, 0, math.MaxInt64)
}

// newest is the newest of an owner's messages after an inbox sequence that came by an
// instant. What was put in the inbox before it came earlier, even if a clock that was
// wrong then says otherwise. What was said elsewhere tells nothing about that.
func (l *Ledger) newest(ctx context.Context, owner nacre.OwnerID, after, untilMs int64) (seq int64, err error) {
	err = l.row(ctx, "SELECT coalesce(max(seq), 0) FROM inbox WHERE owner = ? AND seq > ? AND received_ms <= ? AND "+isHere, []any{owner, after, untilMs}, &seq)
	return seq, err
}

// Between reads what an owner said from one inbox sequence to another, both
// included: oldest first, at most that many messages, of all their chats and
// groups. It passes over what holds no words of a person, such as what is erased
// and what Nacre wrote itself, over earlier versions of edited messages, and over what
// was said elsewhere, however much that is. It
// returns the sequence through which it looked, to which a reader moves its mark
// even if the list is empty; it is below the last one where there is more.
func (l *Ledger) Between(ctx context.Context, owner nacre.OwnerID, first, last int64, most int) (list []memory.Source, through int64, err error) {
	if most <= 0 {
		return nil, first - 1, nil
	}
	rows, err := l.query(ctx, `SELECT `+sourceColumns+`
		FROM (SELECT * FROM inbox i WHERE owner = ? AND seq BETWEEN ? AND ? AND i.`+isHere+` AND `+messages.words+` ORDER BY seq LIMIT ?) i
		JOIN sessions s ON s.id = i.session LEFT JOIN readings r ON r.message = i.id ORDER BY i.seq, r.place`, owner, first, last, unreadLook)
	if err != nil {
		return nil, first - 1, err
	}
	defer rows.Close()
	looked := 0
	through = first - 1
	err = l.scanSources(rows, func(s memory.Source) bool {
		looked++
		through = s.Seq
		if slices.ContainsFunc(s.Segments, spoken) {
			list = append(list, s)
		}
		return len(list) < most
	})
	if err == nil && len(list) < most && looked < unreadLook {
		through = last
	}
	return list, through, err
}
