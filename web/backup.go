package web

import (
	"context"
	"net/http"
	"time"

	"nacre"
	"nacre/memory"
)

// Backups is the operator's care for copies of everything. Errors are sentences.
type Backups interface {
	// List tells what there is.
	List(ctx context.Context) (BackupList, error)
	// Make makes a snapshot now and, where there is a recovery key, the key bundle;
	// it deletes snapshots that are too many.
	Make(ctx context.Context, o BackupOrder) (Backup, error)
	// SetRecovery sets to whom key bundles are encrypted from now on, and makes one.
	// Conflict if there is a recovery key already and it is not to be replaced.
	SetRecovery(ctx context.Context, r Recovery) error
}

// BackupList is what there is of backups.
type BackupList struct {
	Dir       string    `json:"dir"`
	Recipient string    `json:"recipient"`     // of the recovery key; empty while there is none
	Keys      time.Time `json:"keys,omitzero"` // when the key bundle was written; zero if there is none
	Stale     bool      `json:"stale"`         // it could not be made anew since, and may open what was forgotten
	Snapshots []Backup  `json:"snapshots"`     // the newest first
}

// Backup is one snapshot.
type Backup struct {
	Path  string    `json:"path"`
	At    time.Time `json:"at"`
	Bytes int64     `json:"bytes"`

	// Of one that was just made:
	Messages int64 `json:"messages,omitempty"`
	Changes  int64 `json:"changes,omitempty"` // of memory, refused ones too
	Keys     bool  `json:"keys,omitempty"`    // the key bundle was made anew
	Deleted  int   `json:"deleted,omitempty"` // older snapshots, which were too many
}

// BackupOrder asks for a backup.
type BackupOrder struct {
	// To is a directory, from the root on, that gets it instead of the usual one; empty
	// for that. Nothing is deleted there, and the key bundle is not made anew by itself.
	To string `json:"to"`
}

// Recovery is to whom key bundles are encrypted: an age recipient (age1…), whose secret
// only the operator has.
type Recovery struct {
	Recipient string `json:"recipient"`
	Replace   bool   `json:"replace"` // a recovery key that there is
}

// backupRoutes are where Backups is asked, by the operator alone.
func backupRoutes(b func() Backups) []route {
	of := func(h Hand) handedBackups { return handedBackups{b(), h} }
	return []route{
		{"GET /api/backups", true, told(of, handedBackups.List)},
		{"POST /api/backups/make", true, asked(of, handedBackups.make)},
		{"POST /api/backups/recovery", true, asked(of, done(handedBackups.SetRecovery))},
	}
}

// handedBackups is a Backups in one hand.
type handedBackups struct {
	Backups
	hand Hand
}

// make makes a backup. Who only has a login names no directories of the machine.
func (b handedBackups) make(ctx context.Context, o BackupOrder) (Backup, error) {
	if o.To != "" && b.hand.By != memory.ByShell {
		return Backup{}, nacre.Errorf(nacre.Denied, "Only nacre backup --to, on the machine itself, names another directory.")
	}
	return b.Make(ctx, o)
}

// backupClient is a Client as Backups.
type backupClient struct{ *Client }

// Backups implements Desk.
func (c *Client) Backups() Backups { return backupClient{c} }

// List implements Backups.
func (c backupClient) List(ctx context.Context) (BackupList, error) {
	return ask[BackupList](ctx, c.Client, http.MethodGet, "backups", nil)
}

// Make implements Backups.
func (c backupClient) Make(ctx context.Context, o BackupOrder) (Backup, error) {
	return ask[Backup](ctx, c.Client, http.MethodPost, "backups/make", o)
}

// SetRecovery implements Backups.
func (c backupClient) SetRecovery(ctx context.Context, r Recovery) error {
	_, err := ask[struct{}](ctx, c.Client, http.MethodPost, "backups/recovery", r)
	return err
}
