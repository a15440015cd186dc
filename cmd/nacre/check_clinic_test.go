package main

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"nacre/gateway/gatewaytest"
)

// canary is in every secret that the doctor could show.
const canary = "Zirkonlerche"

// clinic is a world for the doctor: its provider lists models.
type clinic struct {
	*world
	list    string // body of the list of models
	status  int    // instead of it, if not 0
	date    string // of the provider's answers, if not now
	serving bool   // a server changes its files meanwhile
}

const (
	botToken    = "7001:" + canary + "TokenTokenTokenToken"
	providerKey = "sk-" + canary
)

func newClinic(t *testing.T) *clinic {
	c := &clinic{world: newWorld(t), list: `{"data":[{"id":"test-2"},{"id":"test"}]}`}
	c.api = gatewaytest.NewBotAPI(botToken)
	provider := httptest.NewServer(c)
	t.Cleanup(provider.Close)
	c.env["NACRE_TELEGRAM_API"], c.env["NACRE_TELEGRAM_TOKEN"] = c.api.Serve(t), botToken
	c.env["OPENAI_BASE_URL"], c.env["OPENAI_API_KEY"] = provider.URL+"/v1", providerKey
	c.env["ANTHROPIC_BASE_URL"], c.env["ANTHROPIC_API_KEY"] = provider.URL, providerKey
	return c
}

// ServeHTTP is the provider, as far as the doctor asks it.
func (c *clinic) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if c.date != "" {
		w.Header().Set("Date", c.date)
	}
	switch {
	case r.Method != http.MethodGet || r.URL.Path != "/v1/models":
		http.Error(w, "no such thing", http.StatusTeapot)
	case r.Header.Get("Authorization") != "Bearer "+providerKey && r.Header.Get("X-Api-Key") != providerKey:
		http.Error(w, "who are you?", http.StatusUnauthorized)
	case c.status != 0:
		http.Error(w, "<html>", c.status)
	default:
		w.Write([]byte(c.list))
	}
}

// used makes the data directory as starts leave it: the first one makes it, and
// the second finds two states in the key file and leaves one.
func (c *clinic) used() *clinic {
	c.t.Helper()
	for range 2 {
		if out, code := c.run("", "chat"); code != exitOK {
			c.t.Fatalf("chat: %d %s", code, out)
		}
	}
	return c
}

// like makes the data directory a copy of another's.
func (c *clinic) like(other *clinic) {
	c.t.Helper()
	c.must(os.Mkdir(c.data(""), 0o700))
	for _, name := range []string{"nacre.db", "keys.nacre", "nacre.lock"} {
		content, err := os.ReadFile(other.data(name))
		c.must(err)
		c.must(os.WriteFile(c.data(name), content, 0o600))
	}
}

func (c *clinic) data(name string) string { return filepath.Join(c.env["NACRE_DATA"], name) }

// doctor runs the doctor and checks what holds for each of its runs: it changes
// nothing and shows no secret.
func (c *clinic) doctor(ctx context.Context, args ...string) (out string, code int) {
	c.t.Helper()
	var environ []string
	for k, v := range c.env {
		environ = append(environ, k+"="+v)
	}
	before := c.snapshot()
	var buf bytes.Buffer
	code = run(ctx, append([]string{"doctor"}, args...), environ, console{nil, &buf, &buf})
	out = buf.String()
	if after := c.snapshot(); !maps.Equal(before, after) {
		c.t.Errorf("the doctor changed files:\nbefore %v\nafter  %v", slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
	}
	if strings.Contains(out, canary) {
		c.t.Errorf("a secret is shown in:\n%s", out)
	}
	return out, code
}

// snapshot is everything beside and below the data directory, with modes and,
// unless a server is at work, contents. The lock file says which process opened
// the directory last, and is no data.
func (c *clinic) snapshot() map[string]string {
	c.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(c.env["NACRE_DATA"]), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		files[path] = info.Mode().String()
		if info.Mode().IsRegular() && e.Name() != "nacre.lock" && !c.serving {
			content, err := os.ReadFile(path)
			files[path] += string(content)
			return err
		}
		return nil
	})
	if !missing(err) {
		c.must(err)
	}
	return files
}

// unwell are the lines of the findings that are not fine.
func unwell(out string) []string {
	var lines []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "  warn  ") || strings.HasPrefix(line, "  FAIL  ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

func (c *clinic) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// patch writes over a part of a file.
func (c *clinic) patch(name string, at int64, text string) {
	c.t.Helper()
	f, err := os.OpenFile(c.data(name), os.O_WRONLY, 0)
	c.must(err)
	_, err = f.WriteAt([]byte(text), at)
	c.must(err)
	c.must(f.Close())
}

// hold locks the data directory, as a process does that does not answer.
func (c *clinic) hold() {
	c.t.Helper()
	f, err := os.Open(c.data("nacre.lock"))
	c.must(err)
	c.t.Cleanup(func() { f.Close() })
	c.must(syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
}

// answer answers on the socket as a server would, with the same status always.
func (c *clinic) answer(code int, status string) {
	c.t.Helper()
	l, err := net.Listen("unix", c.data("nacre.sock"))
	c.must(err)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		w.Write([]byte(status))
	})}
	go server.Serve(l)
	c.t.Cleanup(func() { server.Close() })
}

func (c *clinic) webhook(to string) {
	c.t.Helper()
	resp, err := http.PostForm(c.env["NACRE_TELEGRAM_API"]+"/bot"+botToken+"/setWebhook", url.Values{"url": {to}})
	c.must(err)
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		c.t.Fatal("setWebhook:", resp.Status)
	}
}

// mounted is a directory that is a small file system of its own.
func mounted(t *testing.T, flags uintptr, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("cannot mount a file system: %v", err)
		}
		t.Skipf("needs the right to mount a file system: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// eventually runs the doctor until it finds just these lines.
func (c *clinic) eventually(want []string) {
	c.t.Helper()
	var lines []string
	for ctx := c.patience(); ctx.Err() == nil; {
		out, _ := c.doctor(ctx)
		if lines = unwell(out); slices.Equal(lines, want) {
			return
		}
	}
	c.t.Errorf("lines %q, want %q", lines, want)
}

// freePort is an address where nobody listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
