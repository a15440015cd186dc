package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"nacre/memory/backup"
	"nacre/memory/ledger"
	"nacre/web"
)

var recoverySecret = regexp.MustCompile(`AGE-SECRET-KEY-1[0-9A-Z]+`)

// must runs a subcommand that has to end well, and returns what it says.
func (w *world) must(stdin string, args ...string) string {
	w.t.Helper()
	out, code := w.run(stdin, args...)
	if code != exitOK {
		w.t.Fatalf("nacre %q ends with %d: %s", args, code, out)
	}
	return out
}

// backups are where the world's backups lie: outside the data directory, as if it were
// another disk.
func (w *world) backups() string {
	if w.env["NACRE_BACKUP"] == "" {
		w.env["NACRE_BACKUP"] = filepath.Join(w.t.TempDir(), "copies")
	}
	return w.env["NACRE_BACKUP"]
}

// lost is the loss of the disk with the data; what is restored lies on another.
func (w *world) lost() {
	w.t.Helper()
	w.env["NACRE_DATA"] = filepath.Join(w.t.TempDir(), "new")
}

// content is every file below a directory, but for the lock and the socket of a server.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == "nacre.lock" {
			return err
		}
		b, err := os.ReadFile(path)
		files[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A whole life: backups beside a running conversation, something forgotten after the
// last, the disk lost, a rehearsal, the restore, and the bot that answers from it.
func TestBackupOutlivesTheDisk(t *testing.T) {
	w := newWorld(t)
	w.env["NACRE_MODEL"] = "offline"
	copies := w.backups()
	p := w.start()
	w.api.Text(1001, "/remember my bike is zqxgreen")
	w.api.Text(1001, "/remember my dog is called zqxkiko")
	w.sent(2)
	out := w.must("", "backup")
	if !strings.Contains(out, "Made and checked "+copies) || !strings.Contains(out, "nacre backup key") {
		t.Errorf("without a recovery key a backup says: %s", out)
	}
	secret := recoverySecret.FindString(w.must("", "backup", "key"))
	if out, code := w.run("", "backup", "key"); secret == "" || code != exitUsage || !strings.Contains(out, "--replace") {
		t.Errorf("a second key: %d, %s", code, out)
	}
	soul := filepath.Join(strings.TrimSpace(w.must("", "memory", "path")), "SOUL.md")
	if err := os.WriteFile(soul, []byte("Be zqxbrief.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	made := w.must("", "backup")
	if !strings.Contains(made, "keys.age") {
		t.Errorf("with a recovery key a backup says: %s", made)
	}
	old, err := os.ReadFile(filepath.Join(copies, "keys.age"))
	if err != nil {
		t.Fatal(err)
	}
	forgot := w.must("", "memory", "forget", "--yes", "zqxkiko")
	if !strings.Contains(forgot, "key bundle") {
		t.Errorf("the receipt does not speak of copies of the key bundle: %s", forgot)
	}
	p.kill()
	var list web.BackupList
	if err := json.Unmarshal([]byte(w.must("", "backup", "list", "--json")), &list); err != nil || len(list.Snapshots) == 0 || list.Recipient == "" {
		t.Fatalf("listed are %+v, %v", list, err)
	}
	if out := w.must("", "backup", "check"); !strings.Contains(out, "is whole") {
		t.Errorf("checked: %s", out)
	}
	for name, text := range content(t, copies) {
		if strings.Contains(text, "zqxgreen") || strings.Contains(text, "zqxkiko") || strings.Contains(text, secret) {
			t.Errorf("%s says in clear what it keeps", name)
		}
	}

	w.env["TMPDIR"] = t.TempDir()
	data, kept := content(t, w.env["NACRE_DATA"]), content(t, copies)
	rehearsed := w.must(secret, "restore", "--check", copies)
	if !maps.Equal(data, content(t, w.env["NACRE_DATA"])) || !maps.Equal(kept, content(t, copies)) || len(content(t, w.env["TMPDIR"])) > 0 {
		t.Error("a rehearsal changed something, or left something")
	}
	if !strings.Contains(rehearsed, "2 messages of 2 owners") || !strings.Contains(rehearsed, "1 forgetting") || !strings.Contains(rehearsed, "is whole") {
		t.Errorf("rehearsed: %s", rehearsed)
	}
	if out, code := w.run(secret, "restore", copies); code != exitUsage || !strings.Contains(out, "move the directory away") {
		t.Errorf("over a database: %d, %s", code, out)
	}

	w.lost()
	identity := w.file("recovery.txt", secret+"\n")
	out = w.must("", "restore", copies, "--identity", identity)
	if !strings.Contains(out, "Restored") || !strings.Contains(out, "nacre pair whatsapp") {
		t.Errorf("restored: %s", out)
	}
	notes := w.must("", "memory")
	if !strings.Contains(notes, "zqxgreen") || strings.Contains(notes, "zqxkiko") {
		t.Errorf("what is remembered now: %s", notes)
	}
	back := filepath.Join(strings.TrimSpace(w.must("", "memory", "path")), "SOUL.md")
	if text, err := os.ReadFile(back); err != nil || string(text) != "Be zqxbrief.\n" {
		t.Errorf("SOUL.md says %q, %v", text, err)
	}
	if out, code := w.run("", "verify"); code != exitOK {
		t.Errorf("verify: %d, %s", code, out)
	}
	w.start()
	n := len(w.api.Sent())
	w.api.Text(1001, "/memory")
	if said := w.sent(n + 1); !strings.Contains(said[n], "zqxgreen") {
		t.Errorf("the bot says %q", said[n])
	}
	w.tooOld(copies, old, identity)
}

// tooOld restores with keys from before the forgetting, which nobody notices but who has
// a newer checkpoint.
func (w *world) tooOld(copies string, old []byte, identity string) {
	t := w.t
	t.Helper()
	w.must("", "memory", "add", "about/boat", "my boat is red")
	signed, err := w.command("verify", "--sign").Output()
	if err != nil {
		t.Fatal(err)
	}
	checkpoint := w.file("checkpoint.txt", string(signed))
	if err := os.WriteFile(filepath.Join(copies, "keys.age"), old, 0o600); err != nil {
		t.Fatal(err)
	}
	w.lost()
	args := []string{"restore", copies, "--identity", identity, "--checkpoint", checkpoint}
	if out, code := w.run("", args...); code != exitUsage || !strings.Contains(out, "--older") {
		t.Errorf("keys from before a forgetting: %d, %s", code, out)
	}
	w.lost()
	if out := w.must("", append(args, "--older")...); !strings.Contains(out, "Restored") {
		t.Errorf("allowed: %s", out)
	}
}

// A backup that is killed at any moment, beside messages that flow, leaves nothing that
// looks like one and is none, and the next one cleans up behind it.
func TestBackupThatIsKilled(t *testing.T) {
	w := newWorld(t)
	w.env["NACRE_MODEL"], w.env["NACRE_BACKUP_KEEP"] = "offline", "1"
	copies := w.backups()
	p := w.start()
	secret := recoverySecret.FindString(w.must("", "backup", "key"))
	identity := w.file("recovery.txt", secret)
	sent := 0
	for round := range 6 {
		making := w.command("backup")
		if err := making.Start(); err != nil {
			t.Fatal(err)
		}
		for range 1 + round {
			sent++
			w.confirmed(w.api.Text(1001, fmt.Sprint("hello ", sent)))
		}
		time.Sleep(rand.N(60 * time.Millisecond)) // any moment: this is the point of the test, not a wait
		p.kill()
		making.Wait()
		for _, path := range w.snapshots() {
			w.must("", "backup", "check", path)
		}
		p = w.start()
	}
	p.kill()
	for _, left := range []string{".part", ".part-journal"} { // as a kill in the middle leaves them
		if err := os.WriteFile(filepath.Join(copies, "nacre-20260101T000000.000Z.db"+left), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.must("", "backup")
	if left, _ := filepath.Glob(filepath.Join(copies, "*")); len(left) != 2 {
		t.Errorf("left are %q", left)
	}
	w.lost()
	if out := w.must("", "restore", copies, "--identity", identity); !strings.Contains(out, fmt.Sprint(sent, " messages")) {
		t.Errorf("of %d messages there are: %s", sent, out)
	}
}

// snapshots are the paths of what is listed as backups.
func (w *world) snapshots() (paths []string) {
	w.t.Helper()
	list, err := (backup.Set{Dir: w.backups()}).Snapshots()
	if err != nil {
		w.t.Fatal(err)
	}
	for _, s := range list {
		paths = append(paths, s.Path)
	}
	return paths
}

// A restore that is killed at any moment is done by the next one, and until then there is
// nothing that could be started.
func TestRestoreThatIsKilled(t *testing.T) {
	w := newWorld(t)
	w.env["NACRE_MODEL"] = "offline"
	copies := w.backups()
	w.must("/remember my bike is zqxgreen\n", "chat")
	identity := w.file("recovery.txt", recoverySecret.FindString(w.must("", "backup", "key")))
	w.must("", "backup")
	w.lost()
	for range 6 {
		cmd := w.command("restore", copies, "--identity", identity)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(150 * time.Millisecond)) // any moment: this is the point of the test, not a wait
		cmd.Process.Kill()
		cmd.Wait()
		if ledger.Exists(w.env["NACRE_DATA"]) {
			break // it was faster
		}
	}
	if !ledger.Exists(w.env["NACRE_DATA"]) {
		w.must("", "restore", copies, "--identity", identity)
	}
	if out := w.must("", "memory"); !strings.Contains(out, "zqxgreen") {
		t.Errorf("what is remembered: %s", out)
	}
	if out, code := w.run("", "verify"); code != exitOK {
		t.Errorf("verify: %d, %s", code, out)
	}
}
