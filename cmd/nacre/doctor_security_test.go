package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/web"
)

// safe is a clinic at which an inspection finds nothing, but for who runs the test.
func safe(t *testing.T) *clinic {
	c := newClinic(t)
	c.env["NACRE_LOG_LEVEL"] = "info"
	for _, name := range []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "NACRE_TELEGRAM_TOKEN"} {
		c.env[name+"_FILE"] = c.file(name, c.env[name])
		delete(c.env, name)
	}
	c.env["NACRE_MASTER_KEY_FILE"] = c.file("master", canary+canary)
	return c
}

// inspect runs the doctor with --security; the line about root, which tests may be,
// is left out.
func (c *clinic) inspect(args ...string) (lines []string, out string) {
	c.t.Helper()
	out, code := c.doctor(c.t.Context(), append([]string{"--security"}, args...)...)
	if code != exitOK {
		c.t.Errorf("exit code %d", code)
	}
	return slices.DeleteFunc(unwell(out), func(line string) bool { return strings.HasPrefix(line, "warn  user") }), out
}

func TestInspectionFindsNothing(t *testing.T) {
	lines, out := safe(t).used().inspect()
	if len(lines) > 0 {
		t.Errorf("lines %q", lines)
	}
	for _, says := range []string{"all files are yours alone", "none is in the environment", "none of them is weak", "only whom you admit: 2 owners", "key file alone opens nothing"} {
		if !strings.Contains(out, says) {
			t.Errorf("output lacks %q:\n%s", says, out)
		}
	}
}

// Each weakness gives one line, which says what to do.
func TestInspectionFindsEachWeakness(t *testing.T) {
	well := safe(t).used()
	for _, test := range []struct {
		name  string
		spoil func(c *clinic)
		line  string
		says  []string
	}{
		{"database open to others", func(c *clinic) { c.must(os.Chmod(c.data("nacre.db"), 0o640)) }, "warn  permissions", []string{"nacre.db", "mode 0640", "chmod 600 "}},
		{"directory open to others", func(c *clinic) { c.must(os.Mkdir(c.data("more"), 0o700)); c.must(os.Chmod(c.data("more"), 0o755)) }, "warn  permissions", []string{"mode 0755", "chmod 700 "}},
		{"no master key", func(c *clinic) { delete(c.env, "NACRE_MASTER_KEY_FILE") }, "warn  master key", []string{"disk of the data", "NACRE_MASTER_KEY_FILE"}},
		{"key in the environment", func(c *clinic) {
			delete(c.env, "OPENAI_API_KEY_FILE")
			c.env["OPENAI_API_KEY"] = providerKey
		}, "warn  secrets", []string{"OPENAI_API_KEY_FILE="}},
		{"short token", func(c *clinic) { c.env["NACRE_WEB_TOKEN_FILE"] = c.file("word", "short") }, "warn  web token", []string{"5 characters", "openssl rand"}},
		{"log of everything", func(c *clinic) { c.env["NACRE_LOG_LEVEL"] = "debug" }, "warn  log", []string{"NACRE_LOG_LEVEL"}},
		{"profiling", func(c *clinic) { c.env["NACRE_PPROF"] = freePort(c.t) }, "warn  profiling", []string{"NACRE_PPROF"}},
		{"model over a plain network", func(c *clinic) { c.env["NACRE_LOCAL_URL"] = "http://models.example/v1" }, "warn  unencrypted", []string{"models.example", "NACRE_LOCAL_URL", "https://"}},
		{"page beside its proxy", func(c *clinic) {
			c.env["NACRE_WEB_LISTEN"], c.env["NACRE_WEB_PROXY"], c.env["NACRE_WEB_URL"] = "0.0.0.0:8080", "true", "https://nacre.example"
		}, "warn  web page", []string{"0.0.0.0:8080", "firewall"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := safe(t)
			c.like(well)
			test.spoil(c)
			lines, out := c.inspect()
			if len(lines) != 1 || !strings.HasPrefix(lines[0], test.line) {
				t.Fatalf("lines %q, want one that begins with %q; all:\n%s", lines, test.line, out)
			}
			for _, s := range test.says {
				if !strings.Contains(lines[0], s) {
					t.Errorf("%q lacks %q", lines[0], s)
				}
			}
		})
	}
}

func TestInspectionAsJSON(t *testing.T) {
	c := safe(t).used()
	c.must(os.Chmod(c.data("keys.nacre"), 0o604))
	_, out := c.inspect("--json")
	var d diagnosis
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(d.Findings, func(f finding) bool {
		return f.Group == "Files" && f.Level == warning && strings.Contains(f.Found, "keys.nacre")
	}) {
		t.Errorf("the key file is not in %+v", d.Findings)
	}
}

func TestAgeOfTheProtocol(t *testing.T) {
	const module = "v0.0.0-20260821141805-33cfac511629"
	made := time.Date(2026, 8, 21, 14, 18, 5, 0, time.UTC)
	refused := &web.Status{Channels: []web.ChannelStatus{{Name: nacre.WhatsApp, Words: "WhatsApp accepts this version of Nacre no longer; upgrade Nacre"}}}
	down := &web.Status{Channels: []web.ChannelStatus{{Name: nacre.WhatsApp, Words: "no network"}}}
	for _, test := range []struct {
		name   string
		age    time.Duration
		status *web.Status
		want   level
	}{
		{"young", oldProtocol - time.Hour, down, fine},
		{"old", oldProtocol + time.Hour, nil, warning},
		{"refused", time.Hour, refused, problem},
	} {
		if got := checkProtocol(module, made.Add(test.age), test.status); len(got) != 1 || got[0].Level != test.want {
			t.Errorf("%s: %+v, want %s", test.name, got, test.want)
		}
	}
	if got := checkProtocol("v1.2.3", made, nil); got != nil {
		t.Errorf("a version without a time tells %+v", got)
	}
}
