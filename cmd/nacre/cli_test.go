package main

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nacre/gateway/gatewaytest"
	"nacre/web"
)

// Whatever the operator must change first ends the program with 2 and one
// sentence that says what.
func TestMistakesEndWithOneSentence(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	cases := []struct {
		name string
		args []string
		set  func(w *world)
		says []string
	}{
		{"wrong token", nil, func(w *world) { w.env["NACRE_TELEGRAM_TOKEN"] = "7001:SomeOtherTokenSomeOtherToken" }, []string{"token", "@BotFather"}},
		{"taken port", nil, func(w *world) { w.env["NACRE_WEB_LISTEN"] = taken.Addr().String() }, []string{taken.Addr().String(), "NACRE_WEB_LISTEN"}},
		{"open to others without https", nil, func(w *world) { w.env["NACRE_WEB_LISTEN"], w.env["NACRE_WEB_TOKEN"] = "0.0.0.0:0", "word" }, []string{"NACRE_WEB_TLS_CERT", "NACRE_WEB_PROXY", "127.0.0.1"}},
		{"no certificate", nil, func(w *world) {
			w.env["NACRE_WEB_LISTEN"], w.env["NACRE_WEB_TLS_CERT"], w.env["NACRE_WEB_TLS_KEY"] = "127.0.0.1:0", w.file("cert.pem", ""), "/none"
		}, []string{"certificate", "NACRE_WEB_TLS_CERT"}},
		{"data directory below a file", nil, func(w *world) { w.env["NACRE_DATA"] = w.file("file", "") + "/data" }, []string{"NACRE_DATA"}},
		{"full data directory", nil, func(w *world) { w.env["NACRE_DATA"] = fullDisk(w.t) }, []string{"space"}},
		{"bad zone", nil, func(w *world) { w.env["TZ"] = "Europe/Berln" }, []string{"TZ", "zone"}},
		{"malformed TOML", nil, func(w *world) { w.env["NACRE_CONFIG"] = w.file("c.toml", "[telegram\ntoken = 1\n") }, []string{"c.toml", "line 1"}},
		{"unknown key", nil, func(w *world) { w.env["NACRE_CONFIG"] = w.file("c.toml", "[telegram]\ntokn = \"x\"\n") }, []string{"line 2", "telegram.tokn", "telegram.token"}},
		{"bad owner", nil, func(w *world) { w.env["NACRE_OWNERS"] = "telegram:@ann" }, []string{"positive number"}},
		{"unknown provider", nil, func(w *world) { w.env["NACRE_MODEL"] = "oracle/x" }, []string{"NACRE_MODEL", "openai"}},
		{"unknown command", []string{"sreve"}, func(*world) {}, []string{"--help"}},
		{"wrong code", []string{"pair", "ABCD-EFGH"}, func(w *world) { w.start().stop() }, []string{"wrong or older than an hour"}},
		{"status of nothing", []string{"status"}, func(*world) {}, []string{"nothing in", "NACRE_DATA"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			c.set(w)
			out, code := w.run("", c.args...)
			if code != exitUsage {
				t.Errorf("exit code %d, want %d", code, exitUsage)
			}
			lines := problems(out)
			if len(lines) != 1 {
				t.Fatalf("%d lines of problems in:\n%s", len(lines), out)
			}
			for _, s := range c.says {
				if !strings.Contains(lines[0], s) {
					t.Errorf("%q lacks %q", lines[0], s)
				}
			}
			if strings.Contains(out, "SomeOtherToken") {
				t.Errorf("the token is shown: %s", out)
			}
		})
	}
}

// problems are the lines of an output that are neither log nor warning.
func problems(out string) []string {
	var lines []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "nacre: ") && !strings.HasPrefix(line, "nacre: warning") {
			lines = append(lines, line)
		}
	}
	return lines
}

// file writes a file outside of the data directory.
func (w *world) file(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// fullDisk is a directory on a file system without space.
func fullDisk(t *testing.T) string {
	t.Helper()
	return mounted(t, 0, "size=16k")
}

func TestAllProblemsOfTheConfigurationAreShown(t *testing.T) {
	w := newWorld(t)
	w.env["TZ"], w.env["NACRE_WEB_LISTEN"], w.env["NACRE_TELEGRAM_API"], w.env["NACRE_OWNERS"] = "Nowhere", "nonsense", "ftp://x", "telegram:@ann"
	out, code := w.run("")
	for _, name := range []string{"TZ", "NACRE_WEB_LISTEN", "NACRE_TELEGRAM_API", "NACRE_OWNERS"} {
		if !strings.Contains(out, name) {
			t.Errorf("%s is not complained about in:\n%s", name, out)
		}
	}
	if code != exitUsage {
		t.Errorf("exit code %d", code)
	}
}

func TestSubcommandsAskTheRunningServer(t *testing.T) {
	w := newWorld(t)
	w.env["NACRE_WEB_LISTEN"] = "127.0.0.1:0"
	p := w.start()
	w.confirmed(w.api.Text(5005, "hello"))
	code := codeIn(t, w.sent(1)[0])

	if out, exit := w.run("", "pair", code); exit != exitOK || strings.TrimSpace(out) != "Admitted telegram:5005." {
		t.Errorf("pair: %d %q", exit, out)
	}
	w.confirmed(w.api.Text(5005, "I am in"))
	if got := w.sent(3); got[2] != "echo: I am in" {
		t.Errorf("the admitted person sees %q", got)
	}
	w.settled()
	out, exit := w.run("", "status", "--json")
	var s web.Status
	if err := json.Unmarshal([]byte(out), &s); err != nil || exit != exitOK {
		t.Fatalf("status: %d %v in %q", exit, err, out)
	}
	if s.Owners != 3 || s.Messages != 1 || s.Pending != 0 || s.Since.IsZero() || len(s.Channels) != 4 || s.Model != "openai/test" {
		t.Errorf("status %+v", s)
	}
	if out, exit := w.run("", "healthcheck"); exit != exitOK || out != "" {
		t.Errorf("healthcheck: %d %q", exit, out)
	}
	if out, exit := w.run("", "serve"); exit != exitUsage || !strings.Contains(out, "another Nacre (process") {
		t.Errorf("a second server: %d %q", exit, out)
	}
	p.stop()
	if out, exit := w.run("", "status"); exit != exitOK || !strings.Contains(out, "not running") || !strings.Contains(out, "Owners: 3") {
		t.Errorf("status without a server: %d %q", exit, out)
	}
	if out, exit := w.run("", "healthcheck"); exit != exitFault || !strings.Contains(out, "is it running") {
		t.Errorf("healthcheck without a server: %d %q", exit, out)
	}
}

func TestDeadLettersAreInStatus(t *testing.T) {
	w := newWorld(t)
	p := w.start()
	w.api.Fail("sendMessage", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 403, Words: "Forbidden: bot was blocked by the user"})
	w.confirmed(w.api.Text(1001, "hello"))
	for ctx := w.patience(); ctx.Err() == nil; {
		if out, _ := w.run("", "status"); strings.Contains(out, "Dead letters: 1 could not be delivered") {
			p.stop()
			return
		}
	}
	t.Error("the dead letter is not in status")
}

func TestChatInAPipe(t *testing.T) {
	for _, running := range []bool{true, false} {
		w := newWorld(t)
		if running {
			defer w.start().stop()
		}
		out, code := w.run("first\nsecond\n", "chat")
		if code != exitOK || !strings.Contains(out, "first") || !strings.Contains(out, "second") || strings.Contains(out, "\x1b") {
			t.Errorf("with a server %v: exit code %d, output %q", running, code, out)
		}
		out, _ = w.run("/whoami\n", "chat")
		if !strings.Contains(out, "terminal:local, the operator") {
			t.Errorf("with a server %v: whoami says %q", running, out)
		}
	}
}

// A terminal chat that stays open loses and doubles nothing when the server is
// killed and started again.
func TestTerminalMessagesSurviveAKill(t *testing.T) {
	w := newWorld(t)
	p := w.start()
	in, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var out buffer
	c := w.command("chat")
	c.Stdin, c.Stdout, c.Stderr = in, &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	shows := func(text string) {
		t.Helper()
		for ctx := w.patience(); !strings.Contains(out.String(), text); time.Sleep(time.Millisecond) {
			if ctx.Err() != nil {
				t.Fatalf("the chat does not show %q but %q", text, out.String())
			}
		}
	}
	feed.WriteString("before\n")
	shows("echo: before")
	p.kill()
	feed.WriteString("while it is down\n")
	p = w.start()
	shows("echo: while it is down")
	feed.Close()
	if err := c.Wait(); err != nil {
		t.Errorf("chat: %v", err)
	}
	if got := out.String(); strings.Count(got, "echo:") != 2 {
		t.Errorf("the chat shows %q", got)
	}
	p.stop()
}

func TestVersionAndHelp(t *testing.T) {
	var out, errs buffer
	if code := run(context.Background(), []string{"version"}, nil, console{nil, &out, &errs}); code != exitOK || out.String() != "nacre dev\n" {
		t.Errorf("version: %d %q %q", code, out.String(), errs.String())
	}
	var help buffer
	if code := run(context.Background(), []string{"--help"}, nil, console{nil, &help, &errs}); code != exitOK {
		t.Errorf("help: %d", code)
	}
	for _, c := range []string{"serve", "chat", "pair", "status", "web", "doctor", "config", "healthcheck", "version"} {
		if !strings.Contains(help.String(), c) {
			t.Errorf("help lacks %q:\n%s", c, help.String())
		}
	}
}

func TestSocketInALongDirectory(t *testing.T) {
	w := newWorld(t)
	w.env["NACRE_DATA"] = filepath.Join(t.TempDir(), strings.Repeat("long", 30), "data")
	p := w.start()
	if out, code := w.run("", "healthcheck"); code != exitOK {
		t.Errorf("healthcheck: %d %q", code, out)
	}
	st, err := os.Stat(filepath.Join(w.env["NACRE_DATA"], "nacre.sock"))
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("socket: %v, %v; want mode 0600", st, err)
	}
	p.stop()
}
