package whatsapp

import (
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow/proto/waAdv"
	wastore "go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/types"

	"nacre"
)

var quiet = libraryLog{slog.New(slog.DiscardHandler)}

// newTestFile is an account's file, which does not wait for the disk.
func newTestFile(t *testing.T) accountFile {
	f := newAccountFile(t.TempDir())
	f.sync = "OFF"
	return f
}

// openTest opens a file, which it makes.
func openTest(t *testing.T, f accountFile) *account {
	t.Helper()
	if err := f.create(); err != nil {
		t.Fatal(err)
	}
	a, err := f.open(t.Context(), quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// save stores a device with the names that the network tells.
func save(t *testing.T, a *account) *wastore.Device {
	t.Helper()
	d := a.newDevice()
	id := types.NewADJID("15550000001", 0, 3)
	d.ID, d.LID = &id, types.JID{User: "100000000000001", Server: types.HiddenUserServer, Device: 3}
	d.Account = testIdentity()
	d.PushName, d.BusinessName = "Quirinalia", "Quirinalia Ltd"
	if err := d.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestStoreKeepsNoNames(t *testing.T) {
	f := newTestFile(t)
	a := openTest(t, f)
	d := save(t, a)
	person := types.NewJID("15550000002", types.DefaultUserServer)
	for _, d := range []*wastore.Device{d, reload(t, a)} {
		if _, _, err := d.Contacts.PutPushName(t.Context(), person, "Zebulonia"); err != nil {
			t.Error(err)
		}
		if err := d.Contacts.PutContactName(t.Context(), person, "Zebulonia", "Zebulonia"); err != nil {
			t.Error(err)
		}
		if err := d.Save(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if d.PushName == "" {
		t.Error("the name is gone from memory, where signs of presence need it")
	}
	a.Close()
	all := contents(t, f)
	for _, name := range []string{"Quirinalia", "Zebulonia"} {
		if strings.Contains(all, name) {
			t.Errorf("the file holds the name %s", name)
		}
	}
	if !strings.Contains(all, "15550000001") {
		t.Error("the file does not hold the account, so the search proves nothing")
	}
}

func reload(t *testing.T, a *account) *wastore.Device {
	t.Helper()
	d, err := a.device(t.Context())
	if err != nil || d == nil {
		t.Fatalf("device = %v, %v", d, err)
	}
	return d
}

// contents is what the file and its log hold.
func contents(t *testing.T, f accountFile) string {
	t.Helper()
	var all strings.Builder
	for _, ending := range []string{"", "-wal"} {
		data, err := os.ReadFile(f.path + ending)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}

func TestScrubEmptiesTheLog(t *testing.T) {
	f := newTestFile(t)
	a := openTest(t, f)
	d := save(t, a)
	const words = "the gate code is 4711"
	if err := d.EventBuffer.PutBufferedEvent(t.Context(), [32]byte{1}, []byte(words), time.Now()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(contents(t, f), words) {
		t.Fatal("what was decrypted is not in the file, so the search proves nothing")
	}
	if err := d.EventBuffer.ClearBufferedEventPlaintext(t.Context(), [32]byte{1}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(contents(t, f), words) {
		t.Fatal("what was cleared is gone without a scrubbing")
	}
	if err := f.scrub(t.Context(), nil, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(contents(t, f), words) {
		t.Error("what was cleared is still in the files")
	}
	if info, err := os.Stat(f.path + "-wal"); err != nil || info.Size() != 0 {
		t.Errorf("the log has %v bytes, error %v; want none", info.Size(), err)
	}
}

func TestScrubIsTransientWhileSomebodyWrites(t *testing.T) {
	f := newTestFile(t)
	f.busy = 20
	d := save(t, openTest(t, f))
	reader, err := sql.Open("sqlite", f.dsn())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	tx, err := reader.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.scrub(t.Context(), nil, time.Time{}); nacre.KindOf(err) != nacre.Transient {
		t.Errorf("while somebody writes, scrub = %v, want Transient", err)
	}
	tx.Rollback()
	if err := d.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := f.scrub(t.Context(), nil, time.Time{}); err != nil {
		t.Errorf("after that, scrub = %v", err)
	}
}

func TestScrubNeedsNoFile(t *testing.T) {
	f := newTestFile(t)
	if err := f.scrub(t.Context(), nil, time.Time{}); err != nil {
		t.Errorf("scrub = %v", err)
	}
	if is, err := f.exists(); is || err != nil {
		t.Errorf("scrub made a file: %v, %v", is, err)
	}
}

func TestEraseLeavesNothing(t *testing.T) {
	f := newTestFile(t)
	a := openTest(t, f)
	save(t, a)
	a.Close()
	if linked, err := f.linked(t.Context(), quiet); !linked || err != nil {
		t.Fatalf("linked = %v, %v", linked, err)
	}
	if err := f.erase(t.Context(), quiet); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(f.path + "*"); len(left) != 0 {
		t.Errorf("%q are left", left)
	}
	if linked, err := f.linked(t.Context(), quiet); linked || err != nil {
		t.Errorf("linked = %v, %v", linked, err)
	}
}

func TestFileIsPrivate(t *testing.T) {
	f := newTestFile(t)
	save(t, openTest(t, f))
	for _, ending := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(f.path + ending)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s%s has mode %o", storeName, ending, mode)
		}
	}
}

func TestFileThatCannotBeUsed(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*testing.T, accountFile)
		kind  nacre.Kind
		says  string
	}{
		{"no database", func(t *testing.T, f accountFile) { write(t, f, []byte(strings.Repeat("not a database ", 400))) }, nacre.Internal, "is damaged"},
		{"damaged inside", damageInside, nacre.Internal, "is damaged"},
		{"newer", func(t *testing.T, f accountFile) {
			execute(t, f, "UPDATE whatsmeow_version SET version = 999, compat = 999")
		}, nacre.Conflict, "newer version"},
		{"locked", func(t *testing.T, f accountFile) { lock(t, f) }, nacre.Transient, "in use by another program"},
		{"a folder", func(t *testing.T, f accountFile) { os.Remove(f.path); os.Mkdir(f.path, 0o700) }, nacre.Transient, "check the disk"},
	} {
		bubble(t, c.name, func(t *testing.T) {
			f := newTestFile(t)
			a := openTest(t, f)
			save(t, a)
			a.Close()
			c.spoil(t, f)
			f.busy = 20
			before := contentsOf(f)
			_, err := f.open(t.Context(), quiet)
			if nacre.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
				t.Errorf("open = %v, of kind %v; want %v with %q", err, nacre.KindOf(err), c.kind, c.says)
			}
			if contentsOf(f) != before {
				t.Error("the file was changed")
			}
		})
	}
}

// bubble runs a case with a clock that jumps.
func bubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

func contentsOf(f accountFile) string {
	data, _ := os.ReadFile(f.path)
	return string(data)
}

func write(t *testing.T, f accountFile, data []byte) {
	t.Helper()
	if err := os.WriteFile(f.path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// damageInside overwrites every page but the first.
func damageInside(t *testing.T, f accountFile) {
	data := []byte(contentsOf(f))
	for i := 4096; i < len(data); i++ {
		data[i] = 0xA5
	}
	write(t, f, data)
}

func execute(t *testing.T, f accountFile, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", f.dsn())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// lock keeps the file from everybody else until it is unlocked, or the test ends.
func lock(t *testing.T, f accountFile) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", f.dsn())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	for _, statement := range []string{"PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return func() { db.Close() }
}

// testIdentity is what a phone signs of a device, in its form only.
func testIdentity() *waAdv.ADVSignedDeviceIdentity {
	return &waAdv.ADVSignedDeviceIdentity{
		Details:             []byte{1},
		AccountSignature:    make([]byte, 64),
		AccountSignatureKey: make([]byte, 32),
		DeviceSignature:     make([]byte, 64),
	}
}
