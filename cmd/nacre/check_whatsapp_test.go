package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nacre/configs"
	"nacre/web"
)

func TestDoctorLooksAtWhatsApp(t *testing.T) {
	linked := &web.Status{WhatsApp: &web.WhatsApp{Linked: true}}
	const (
		unlinked = "own number, not linked; to talk on WhatsApp, link it: nacre pair whatsapp"
		unknown  = " number, with the file of an account (4 KiB in DIR/whatsapp.db); whether the account is linked is known only while Nacre runs"
		exposed  = "DIR/whatsapp.db is open to other users (mode 0640), and whoever reads it can be the account; make it yours alone: chmod 600 DIR/whatsapp.db"
		kept     = "off, but the keys of the account that was linked are still there (4 KiB in DIR/whatsapp.db); to let the account go, stop Nacre and run: " +
			"NACRE_WHATSAPP=own nacre pair whatsapp --unlink; or unlink it on the phone, and delete the file while Nacre is stopped"
	)
	for _, c := range []struct {
		name   string
		number configs.Number
		bytes  int // of the account's file; -1: there is none
		mode   os.FileMode
		server *web.Status // nil: none is running
		level  level
		says   string
	}{
		{"off", configs.NoNumber, -1, 0, nil, fine, "off"},
		{"off, with an empty file", configs.NoNumber, 0, 0o600, nil, fine, "off"},
		{"off, with a file", configs.NoNumber, 4096, 0o600, &web.Status{}, warning, kept},
		{"off, with a file open to others", configs.NoNumber, 4096, 0o640, nil, warning, exposed},
		{"no file", configs.OwnNumber, -1, 0, nil, fine, unlinked},
		{"empty file", configs.OwnNumber, 0, 0o600, nil, fine, unlinked},
		{"file", configs.SeparateNumber, 4096, 0o600, nil, fine, "separate" + unknown},
		{"file open to others", configs.OwnNumber, 4096, 0o640, nil, warning, exposed},
		{"empty file open to others", configs.OwnNumber, 0, 0o644, nil, fine, unlinked},
		{"linked to a server", configs.OwnNumber, 4096, 0o600, linked, fine, "own number, linked, with 4 KiB in DIR/whatsapp.db"},
		{"linked to a server, with no file here", configs.OwnNumber, -1, 0, linked, fine, "own number, linked"},
		{"being linked", configs.OwnNumber, 4096, 0o600, &web.Status{WhatsApp: &web.WhatsApp{}}, fine, unlinked},
		{"server where it is off", configs.OwnNumber, 4096, 0o600, &web.Status{}, fine, "own" + unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if c.bytes >= 0 {
				path := filepath.Join(dir, "whatsapp.db")
				if err := os.WriteFile(path, databaseOf(c.bytes), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(path, c.mode); err != nil {
					t.Fatal(err)
				}
			}
			x := &examination{cfg: &configs.Config{Data: dir, WhatsApp: configs.WhatsApp{Number: c.number}}, status: c.server}
			list := x.whatsapp(t.Context())
			if len(list) != 1 || list[0].Level != c.level {
				t.Fatalf("found %+v, want one that is %s", list, c.level)
			}
			got := strings.ReplaceAll(strings.TrimSuffix(list[0].Found+"; "+list[0].Do, "; "), dir, "DIR")
			if got != c.says {
				t.Errorf("got %q, want %q", got, c.says)
			}
		})
	}
}

// databaseOf begins as a database of so many bytes does.
func databaseOf(bytes int) []byte {
	file := make([]byte, bytes)
	copy(file, "SQLite format 3\x00\x10\x00") // pages of 4 KiB
	if bytes > 0 {
		file[31] = byte(bytes >> 12)
	}
	return file
}

// What is no database any more is told, but for one whose newest pages are in its log.
func TestDoctorKnowsADamagedAccount(t *testing.T) {
	for _, c := range []struct {
		name  string
		file  []byte
		log   string
		level level
	}{
		{"whole", databaseOf(8192), "", fine},
		{"cut", databaseOf(8192)[:4096], "", problem},
		{"cut, with a log", databaseOf(8192)[:4096], "frames", fine},
		{"very short", databaseOf(8192)[:20], "", problem},
		{"something else", make([]byte, 8192), "", problem},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "whatsapp.db")
			if err := errors.Join(os.WriteFile(path, c.file, 0o600), os.WriteFile(path+"-wal", []byte(c.log), 0o600)); err != nil {
				t.Fatal(err)
			}
			x := &examination{cfg: &configs.Config{Data: dir, WhatsApp: configs.WhatsApp{Number: configs.OwnNumber}}}
			if got := x.whatsapp(t.Context()); len(got) != 1 || got[0].Level != c.level || got[0].Level == problem && !strings.Contains(got[0].Do, "nacre pair whatsapp") {
				t.Errorf("found %+v, want %s", got, c.level)
			}
		})
	}
}
