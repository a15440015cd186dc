package main

import (
	"bytes"
	"io/fs"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// fixing runs the doctor with --fix, which may change files.
func (c *clinic) fixing(args ...string) string {
	c.t.Helper()
	var environ []string
	for k, v := range c.env {
		environ = append(environ, k+"="+v)
	}
	var out bytes.Buffer
	if code := run(c.t.Context(), append([]string{"doctor", "--fix"}, args...), environ, console{nil, &out, &out}); code != exitOK {
		c.t.Errorf("exit code %d:\n%s", code, out.String())
	}
	return out.String()
}

func TestDoctorFixes(t *testing.T) {
	c := newClinic(t).used()
	c.must(os.Chmod(c.data("keys.nacre"), 0o644))
	_ = os.Remove(c.data("nacre.sock"))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: c.data("nacre.sock"), Net: "unix"})
	c.must(err)
	l.SetUnlinkOnClose(false)
	c.must(l.Close())
	outside := c.file("outside", "")
	c.must(os.Chmod(outside, 0o644))
	c.must(os.Symlink(outside, c.data("link")))

	before := c.snapshot()
	if out := c.fixing("--dry-run"); !strings.Contains(out, "would chmod 600 ") || !strings.Contains(out, "would remove ") {
		t.Errorf("it does not say what it would do:\n%s", out)
	}
	for path, state := range c.snapshot() {
		if before[path] != state {
			t.Errorf("%s was changed by --dry-run", path)
		}
	}
	out := c.fixing()
	if !strings.Contains(out, "  chmod 600 "+c.data("keys.nacre")) || len(unwell(out)) > 0 {
		t.Errorf("it says:\n%s", out)
	}
	if mode(t, c.data("keys.nacre")) != 0o600 || mode(t, outside) != 0o644 {
		t.Errorf("modes %v of the key file and %v of a file that is not ours", mode(t, c.data("keys.nacre")), mode(t, outside))
	}
	if _, err := os.Lstat(c.data("nacre.sock")); !missing(err) {
		t.Errorf("the socket is left: %v", err)
	}
	if out := c.fixing(); strings.Contains(out, "Fixed") {
		t.Errorf("there is more to do the second time:\n%s", out)
	}
}

// A socket on which a server listens stays.
func TestDoctorLeavesALivingSocket(t *testing.T) {
	c := newClinic(t).used()
	_ = os.Remove(c.data("nacre.sock"))
	c.answer(200, `{"version":"dev","model":"openai/test","since":"`+time.Now().Format(time.RFC3339)+`"}`)
	c.must(os.Chmod(c.data("nacre.sock"), 0o700))
	c.fixing()
	if _, err := os.Lstat(c.data("nacre.sock")); err != nil {
		t.Error(err)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return st.Mode().Perm()
}
