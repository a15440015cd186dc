package whatsapp

import (
	"context"
	"database/sql"

	"go.mau.fi/util/dbutil"
	wastore "go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/store/sqlstore"
	"go.mau.fi/whatsmeow/store/sqlstore/upgrades"
	"go.mau.fi/whatsmeow/util/keys"
)

// account is the open file.
type account struct {
	*sqlstore.Container
	db *dbutil.Database
}

// open opens a file that exists and looks whether it is whole. Its error is a
// sentence for the operator, Transient if it may pass.
func (f accountFile) open(ctx context.Context, log libraryLog) (*account, error) {
	tuneLibrary()
	if err := f.free(ctx); err != nil {
		return nil, explain(err)
	}
	raw, err := sql.Open("sqlite", f.dsn())
	if err != nil {
		return nil, explain(err)
	}
	db, err := dbutil.NewWithDB(raw, "sqlite")
	if err != nil {
		return nil, err
	}
	db.UpgradeTable, db.VersionTable = upgrades.Table, "whatsmeow_version"
	a := &account{sqlstore.NewWithWrappedDB(db, log), db}
	if err := a.check(ctx); err != nil {
		a.Close()
		return nil, explain(err)
	}
	return a, nil
}

// freeWait is how long open waits for another program, in milliseconds. No context
// ends such a wait, and Run must end soon when it is told to.
const freeWait = 500

// free is nil if the file can be written to now.
func (f accountFile) free(ctx context.Context) error {
	f.busy = min(f.busy, freeWait)
	db, err := sql.Open("sqlite", f.dsn())
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	return tx.Rollback()
}

func (a *account) check(ctx context.Context) error {
	var found string
	if err := a.db.QueryRow(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return errDamaged
	}
	return a.Upgrade(ctx)
}

// device is the linked device; nil if there is none.
func (a *account) device(ctx context.Context) (*wastore.Device, error) {
	all, err := a.GetAllDevices(ctx)
	if err != nil {
		return nil, explain(err)
	}
	if len(all) == 0 {
		return nil, nil
	}
	all[0].Container = a
	a.furnish(all[0])
	return all[0], nil
}

// newDevice is a device to be linked. It is stored when it is.
func (a *account) newDevice() *wastore.Device {
	d := a.NewDevice()
	d.Container = a
	return d
}

// furnish gives a device that is stored its stores.
func (a *account) furnish(d *wastore.Device) {
	s := sqlstore.NewSQLStore(a.Container, *d.ID)
	d.SetAllStores(s)
	d.Contacts = nobody
	d.PreKeys = oneTimeKeys{s, a.db}
	d.LIDs = a.LIDMap
	d.Initialized = true
}

// nobody is an address book that stays empty. What people call themselves is not
// ours to keep.
var nobody wastore.ContactStore = &wastore.NoopStore{}

// PutDevice implements store.DeviceContainer. It stores a device without names.
func (a *account) PutDevice(ctx context.Context, d *wastore.Device) error {
	nameless := *d
	nameless.PushName, nameless.BusinessName = "", ""
	nameless.Initialized = true
	if err := a.Container.PutDevice(ctx, &nameless); err != nil {
		return err
	}
	if !d.Initialized {
		a.furnish(d)
	}
	return nil
}

// oneTimeKeys makes the hundreds of keys with which an account begins in one
// transaction, which waits for the disk once.
type oneTimeKeys struct {
	wastore.PreKeyStore
	db *dbutil.Database
}

// GetOrGenPreKeys implements store.PreKeyStore.
func (k oneTimeKeys) GetOrGenPreKeys(ctx context.Context, count uint32) (made []*keys.PreKey, err error) {
	err = k.db.DoTxn(ctx, nil, func(ctx context.Context) error {
		made, err = k.PreKeyStore.GetOrGenPreKeys(ctx, count)
		return err
	})
	return made, err
}
