package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"nacre"
)

// Where an address came from; see the addresses table.
const (
	fromConfig = "config"
	fromCode   = "paired"
	fromHere   = "local"
)

// Owners lists every Owner with their addresses, the operator first.
func (l *Ledger) Owners(ctx context.Context) ([]nacre.Owner, error) {
	rows, err := l.reading.QueryContext(ctx, `SELECT o.id, o.operator, o.created_ms, a.channel, a.id
		FROM owners o LEFT JOIN addresses a ON a.owner = o.id
		ORDER BY o.operator DESC, o.created_ms, o.id, a.channel, a.id`)
	if err != nil {
		return nil, explain(err)
	}
	defer rows.Close()
	var owners []nacre.Owner
	for rows.Next() {
		var o nacre.Owner
		var ms int64
		var channel, id *string
		if err := rows.Scan(&o.ID, &o.Operator, &ms, &channel, &id); err != nil {
			return nil, err
		}
		if n := len(owners); n == 0 || owners[n-1].ID != o.ID {
			o.Created = time.UnixMilli(ms)
			owners = append(owners, o)
		}
		if channel != nil {
			last := &owners[len(owners)-1]
			last.Addresses = append(last.Addresses, nacre.Address{Channel: nacre.ChannelName(*channel), ID: *id})
		}
	}
	return owners, explain(rows.Err())
}

// SyncOwners makes the configured list true: each entry is one Owner, the
// first is the operator. An address that left the list loses its access, its
// owner's data stays. There is always an operator, who has this machine's
// terminal and page; an installation without a list gets one with nothing else.
// It is a Conflict if an entry joins addresses that already belong to
// different Owners. Called once at start.
func (l *Ledger) SyncOwners(ctx context.Context, list [][]nacre.Address) ([]nacre.Owner, error) {
	err := l.writer.do(ctx, func(t *tx) error {
		if err := l.checkOwners(t); err != nil {
			return err
		}
		p, err := t.roster()
		if err != nil {
			return err
		}
		if err := p.plan(list, time.UnixMilli(t.nowMs)); err != nil {
			return err
		}
		return l.writeRoster(t, p)
	})
	if err != nil {
		return nil, err
	}
	return l.Owners(ctx)
}

// checkOwners refuses a key file without the keys of an owner who is there: an
// old copy, under which what they said could not be read.
func (l *Ledger) checkOwners(t *tx) error {
	rows, err := t.query("SELECT id FROM owners")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id nacre.OwnerID
		if err := rows.Scan(&id); err != nil {
			return err
		}
		if !l.vault.Has(id) {
			return nacre.Errorf(nacre.Conflict, "the key file lacks the keys of owner %s, so it is an old copy; put the newest key file back", id)
		}
	}
	return rows.Err()
}

type listed struct {
	owner  nacre.OwnerID
	source string
}

// roster is who is admitted, and how SyncOwners wants it to be.
type roster struct {
	known    map[nacre.Address]listed
	operator nacre.OwnerID
	owners   []nacre.OwnerID // new ones

	want map[nacre.Address]listed
}

func (t *tx) roster() (*roster, error) {
	r := &roster{known: map[nacre.Address]listed{}, owners: []nacre.OwnerID{}}
	err := t.row("SELECT id FROM owners WHERE operator = 1", nil, &r.operator)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	rows, err := t.query("SELECT channel, id, owner, source FROM addresses")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var a nacre.Address
		var l listed
		if err := rows.Scan(&a.Channel, &a.ID, &l.owner, &l.source); err != nil {
			return nil, err
		}
		r.known[a] = l
	}
	return r, rows.Err()
}

// plan decides whose each address will be.
func (r *roster) plan(list [][]nacre.Address, now time.Time) error {
	r.want = map[nacre.Address]listed{}
	for a, l := range r.known {
		if l.source == fromCode {
			r.want[a] = l
		}
	}
	for i, entry := range list {
		owner, err := r.ownerOf(entry)
		if err != nil {
			return err
		}
		if i == 0 && owner == "" && r.onlyLocal(r.operator) {
			owner = r.operator
		}
		if owner == "" {
			owner = r.mint(now)
		}
		if i == 0 {
			r.operator = owner
		}
		for _, a := range entry {
			r.want[a] = listed{owner, fromConfig}
		}
	}
	if r.operator == "" {
		r.operator = r.mint(now)
	}
	for _, c := range []nacre.ChannelName{nacre.Terminal, nacre.Web} {
		r.want[nacre.LocalAddress(c)] = listed{r.operator, fromHere}
	}
	return nil
}

func (r *roster) mint(now time.Time) nacre.OwnerID {
	id := nacre.OwnerID(nacre.NewID(now))
	r.owners = append(r.owners, id)
	return id
}

// ownerOf finds the one Owner that addresses of an entry belong to; empty if
// none of them is known.
func (r *roster) ownerOf(entry []nacre.Address) (nacre.OwnerID, error) {
	var owner nacre.OwnerID
	for _, a := range entry {
		l, ok := r.known[a]
		if ok && owner != "" && l.owner != owner {
			return "", nacre.Errorf(nacre.Conflict, "NACRE_OWNERS joins %s with an address of another owner; they are two people to Nacre and their memories stay apart, so list them as two entries", a)
		}
		if ok {
			owner = l.owner
		}
	}
	return owner, nil
}

// onlyLocal reports whether an owner has no address beyond this machine, so
// that the first person who is paired or listed is them.
func (r *roster) onlyLocal(owner nacre.OwnerID) bool {
	if owner == "" {
		return false
	}
	for _, l := range r.known {
		if l.owner == owner && l.source != fromHere {
			return false
		}
	}
	return true
}

// writeRoster writes the difference, keys first: an owner without rows is
// harmless, rows without a key would be lost. Lists go in as JSON, because one
// statement for 500 owners costs a tenth of 500.
func (l *Ledger) writeRoster(t *tx, r *roster) error {
	if err := l.vault.AddOwners(r.owners...); err != nil {
		return err
	}
	add, drop := r.difference()
	fresh, _ := json.Marshal(r.owners)
	steps := []struct {
		query string
		args  []any
	}{
		{"INSERT INTO owners (id, operator, created_ms) SELECT value, 0, ? FROM json_each(?)", []any{t.nowMs, string(fresh)}},
		{"UPDATE owners SET operator = 0 WHERE operator = 1 AND id <> ?", []any{r.operator}},
		{"UPDATE owners SET operator = 1 WHERE operator = 0 AND id = ?", []any{r.operator}},
		{"DELETE FROM addresses WHERE (channel, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))", []any{drop}},
		{`INSERT INTO addresses (channel, id, owner, source, created_ms)
			SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, ? FROM json_each(?) WHERE true
			ON CONFLICT (channel, id) DO UPDATE SET owner = excluded.owner, source = excluded.source`, []any{t.nowMs, add}},
	}
	for _, s := range steps {
		if _, err := t.exec(s.query, s.args...); err != nil {
			return err
		}
	}
	return nil
}

func (r *roster) difference() (add, drop string) {
	adding, dropping := [][4]string{}, [][2]string{}
	for a, l := range r.want {
		if r.known[a] != l {
			adding = append(adding, [4]string{string(a.Channel), a.ID, string(l.owner), l.source})
		}
	}
	for a := range r.known {
		if _, stays := r.want[a]; !stays {
			dropping = append(dropping, [2]string{string(a.Channel), a.ID})
		}
	}
	x, _ := json.Marshal(adding)
	y, _ := json.Marshal(dropping)
	return string(x), string(y)
}
