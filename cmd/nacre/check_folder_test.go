package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Each way in which an owner's folder can be broken gives one line.
func TestDoctorLooksAtFolders(t *testing.T) {
	t.Parallel()
	well := newClinic(t).used()
	for _, test := range []struct {
		name  string
		spoil func(c *clinic, dir string)
		line  string // empty where all is well
		says  string
	}{
		{"as it should be", func(*clinic, string) {}, "", "1 owner's files"},
		{"files still missing", func(c *clinic, dir string) { c.must(os.Remove(filepath.Join(dir, "SOUL.md"))) }, "", "1 owner's files"},
		{"directory in the place of a file", func(c *clinic, dir string) { c.must(os.Mkdir(filepath.Join(dir, "MEMORY.md"), 0o700)) }, "warn  folders", "MEMORY.md is not a file"},
		{"huge file", func(c *clinic, dir string) { c.must(os.Truncate(filepath.Join(dir, "SOUL.md"), largestFile+1)) }, "warn  folders", "larger than 2 MiB"},
		{"folder for reading only", func(c *clinic, dir string) {
			if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_RDONLY, "mode=0700"); err != nil {
				if os.Getenv("CI") != "" {
					c.t.Fatalf("cannot mount a file system: %v", err)
				}
				c.t.Skipf("needs the right to mount a file system: %v", err)
			}
			c.t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
		}, "FAIL  folders", "all rights there"},
		{"file in the place of the folders", func(c *clinic, dir string) {
			c.must(os.RemoveAll(filepath.Dir(dir)))
			c.must(os.WriteFile(filepath.Dir(dir), nil, 0o600))
		}, "FAIL  folders", "owners cannot be used"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newClinic(t)
			c.like(well)
			dir := c.data("owners/0193a3f0-0000-7000-8000-000000000001")
			c.must(os.MkdirAll(dir, 0o700))
			c.must(os.WriteFile(filepath.Join(dir, "SOUL.md"), []byte("You are Ada."), 0o600))
			test.spoil(c, dir)
			out, _ := c.doctor(t.Context())
			lines := unwell(out)
			if test.line == "" {
				if len(lines) > 0 || !strings.Contains(out, test.says) {
					t.Errorf("lines %q in\n%s", lines, out)
				}
				return
			}
			if len(lines) != 1 || !strings.HasPrefix(lines[0], test.line) || !strings.Contains(lines[0], test.says) {
				t.Errorf("lines %q, want %q with %q", lines, test.line, test.says)
			}
		})
	}
}

// What nobody goes on writing is taken away; what somebody may be writing stays.
func TestDoctorTakesLeftoversAway(t *testing.T) {
	t.Parallel()
	c := newClinic(t).used()
	old := []string{c.data("backups/nacre-20261201T021500.000Z.db.part"), c.data("owners/1/.nacre-1.tmp"), c.data("owners/1/prompts/.nacre-2.tmp")}
	kept := []string{c.data("backups/nacre-20261201T021500.000Z.db"), c.data("owners/1/SOUL.md"), c.data("owners/1/.nacre-3.tmp")}
	for i, path := range append(old, kept...) {
		c.must(os.MkdirAll(filepath.Dir(path), 0o700))
		c.must(os.WriteFile(path, []byte("x"), 0o600))
		if age := 2 * time.Hour; i < len(old)+2 { // all but the last
			c.must(os.Chtimes(path, time.Now().Add(-age), time.Now().Add(-age)))
		}
	}
	if out, _ := c.doctor(t.Context()); !strings.Contains(out, "3 files were never finished") {
		t.Errorf("the doctor does not tell of 3 files:\n%s", out)
	}
	if out := c.fixing(); strings.Count(out, ", which was never finished") != len(old) {
		t.Errorf("it says:\n%s", out)
	}
	for i, path := range append(old, kept...) {
		if _, err := os.Lstat(path); missing(err) != (i < len(old)) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestDoctorLooksAtTheService(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	well := newClinic(t).used()
	for _, test := range []struct {
		name                string
		unit, fresh, second string // text; empty for no such file
		line, says          string
	}{
		{"none", "", "", "", "", ""},
		{"one", "[Service]\nExecStart=" + program + " serve\n", "", "", "", ""},
		{"program is gone", "[Service]\nExecStart=\"/none/100%% mine/nacre\" serve\n", "", "", "FAIL  autostart", "starts /none/100% mine/nacre, which is not there; put Nacre there"},
		{"two", "[Service]\nExecStart=" + program + " serve\n", "", "services: {}\n", "warn  autostart", "keep one"},
		{"a newer one beside it", "[Service]\nExecStart=" + program + " serve\n", "[Service]\n", "", "", "nacre.service.new is how setup would write "},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newClinic(t)
			c.like(well)
			c.env["XDG_CONFIG_HOME"] = t.TempDir()
			unit := filepath.Join(c.env["XDG_CONFIG_HOME"], "systemd/user/nacre.service")
			c.must(os.MkdirAll(filepath.Dir(unit), 0o700))
			for path, text := range map[string]string{unit: test.unit, unit + ".new": test.fresh, c.data("compose.yaml"): test.second} {
				if text != "" {
					c.must(os.WriteFile(path, []byte(text), 0o600))
				}
			}
			out, _ := c.doctor(t.Context())
			lines := unwell(out)
			if test.line == "" && len(lines) == 0 && strings.Contains(out, test.says) {
				return
			}
			if test.line == "" || len(lines) != 1 || !strings.HasPrefix(lines[0], test.line) || !strings.Contains(lines[0], test.says) {
				t.Errorf("lines %q, want %q with %q in\n%s", lines, test.line, test.says, out)
			}
		})
	}
}
