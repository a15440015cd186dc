package ledger

import (
	"context"
	"slices"
	"strconv"

	"nacre"
	"nacre/memory/vault"
)

// locks is what a snapshot says in clear about the keys that open it.
type locks struct {
	vault     string // whose keys they are
	punctures uint64 // how many had been destroyed
	owners    []nacre.OwnerID
}

// settleKeys sees to the key file of a Restore, before anything else is written: it makes
// the one of a key bundle, and without one the file has to be there.
func settleKeys(ctx context.Context, o Options, snapshot string, keyBundle []byte) (*bundle, error) {
	k, err := readLocks(ctx, snapshot)
	if err != nil {
		return nil, err
	}
	if keyBundle == nil {
		return nil, k.keyFile(o)
	}
	b, err := parseBundle(keyBundle)
	if err == nil {
		err = k.fits(b.contents, o.Older)
	}
	if err == nil {
		err = importKeys(o, b, k)
	}
	return b, err
}

func readLocks(ctx context.Context, snapshot string) (k locks, err error) {
	db, err := openCopy(snapshot)
	if err != nil {
		return k, err
	}
	defer db.Close()
	var punctures string
	err = db.QueryRowContext(ctx, `SELECT coalesce((SELECT value FROM meta WHERE name = 'vault'), ''),
		coalesce((SELECT value FROM meta WHERE name = 'punctures'), '')`).Scan(&k.vault, &punctures)
	if err != nil {
		return k, damagedCopy(snapshot, err)
	}
	k.punctures, _ = strconv.ParseUint(punctures, 10, 64)
	rows, err := db.QueryContext(ctx, "SELECT id FROM owners")
	if err != nil {
		return k, damagedCopy(snapshot, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id nacre.OwnerID
		if err := rows.Scan(&id); err != nil {
			return k, damagedCopy(snapshot, err)
		}
		k.owners = append(k.owners, id)
	}
	return k, rows.Err()
}

// fits refuses keys that do not belong to a snapshot, and those that are older, unless
// that will do. It comes before anything is written.
func (k locks) fits(b vault.Contents, older bool) error {
	if k.vault != b.ID {
		return nacre.Errorf(nacre.Conflict, "the key bundle and the backup are of different installations; take the keys.age that lies with this backup")
	}
	if older {
		return nil
	}
	missing := slices.ContainsFunc(k.owners, func(o nacre.OwnerID) bool { return !slices.Contains(b.Owners, o) })
	switch {
	case b.Punctures < k.punctures:
		return nacre.Errorf(nacre.Denied, "the key bundle is from before something was forgotten that this backup knows of, so that it could be read again in older ones; take the newest keys.age, or allow it with --older")
	case missing:
		return nacre.Errorf(nacre.Denied, "the key bundle is from before one of the owners in this backup came, so that nothing of theirs could be read; take the newest keys.age, or go on without it with --older")
	}
	return nil
}

// importKeys makes the key file, unless there is the one that an interrupted Restore
// leaves, or a newer one. The count of what was destroyed does not fall below what the
// snapshot knows.
func importKeys(o Options, b *bundle, k locks) error {
	v, err := vault.Load(o.Keys, o.Master)
	if nacre.KindOf(err) == nacre.NotFound {
		return vault.Import(o.Keys, b.Keys, o.Master, k.punctures)
	}
	if err != nil {
		return err
	}
	defer v.Close()
	switch {
	case v.ID() != k.vault:
		return nacre.Errorf(nacre.Conflict, "the key file %s belongs to another database than the key bundle; move it away, or set NACRE_KEYS to another place", o.Keys)
	case v.Punctures() < b.contents.Punctures:
		return nacre.Errorf(nacre.Conflict, "the key file %s is older than the key bundle; move it away, and restore again", o.Keys)
	case v.Punctures() > max(b.contents.Punctures, k.punctures) && !o.Older:
		return nacre.Errorf(nacre.Denied, "the key bundle is older than the key file %s: what was forgotten in between stays unreadable, but could be learned again; take the newest keys.age, or allow it with --older", o.Keys)
	}
	return nil
}

// keyFile checks the key file of a Restore without a bundle.
func (k locks) keyFile(o Options) error {
	v, err := vault.Load(o.Keys, o.Master)
	if err != nil {
		return err
	}
	known := v.Punctures()
	if err := v.Close(); err != nil {
		return err
	}
	if known > k.punctures && !o.Older {
		return nacre.Errorf(nacre.Denied, "the backup is from before something was forgotten, which without a key bundle could be learned again; restore it with keys.age, or allow it with --older")
	}
	return nil
}
