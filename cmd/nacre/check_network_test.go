package main

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What stands between us and a provider, and what a provider can want, has a line of its
// own.
func TestDoctorLooksAtTheNetwork(t *testing.T) {
	t.Parallel()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that the doctor breaks off
	secure.StartTLS()
	t.Cleanup(secure.Close)
	well := newClinic(t).used()
	for _, test := range []struct {
		name  string
		spoil func(c *clinic)
		line  string // empty where all is well
		says  []string
	}{
		{"certificate of nobody known", func(c *clinic) { c.env["OPENAI_BASE_URL"] = secure.URL + "/v1" }, "FAIL  provider", []string{"not one to trust", "OPENAI_BASE_URL"}},
		{"no https", func(c *clinic) {
			c.env["OPENAI_BASE_URL"] = strings.Replace(c.env["OPENAI_BASE_URL"], "http:", "https:", 1)
		}, "FAIL  provider", []string{"speaks no https", "OPENAI_BASE_URL"}},
		{"to be paid", func(c *clinic) { c.status = http.StatusPaymentRequired }, "FAIL  provider", []string{"402", "top up"}},
		{"small window", func(c *clinic) {
			c.env["NACRE_MODELS"] = c.file("models.toml", "['openai/test']\nwindow = 8000\n")
		}, "warn  window", []string{"openai/test", "8000 tokens", "NACRE_MODELS"}},
		{"window that will do", func(c *clinic) {
			c.env["NACRE_MODELS"] = c.file("models.toml", "['openai/test']\nwindow = 32000\n")
		}, "", nil},
		{"vectors", func(c *clinic) { c.env["NACRE_EMBED"] = "openai/test-2" }, "", []string{"meaning", "openai/test-2: 127.0.0.1", "has the model"}},
		{"no vectors", func(c *clinic) { c.env["NACRE_EMBED"] = "openai/none" }, "warn  meaning", []string{"openai/none", "NACRE_EMBED"}},
		{"vectors of a server that is not there", func(c *clinic) {
			c.env["NACRE_EMBED"], c.env["OLLAMA_HOST"] = "ollama/nomic-embed-text", "http://"+freePort(c.t)
		}, "FAIL  meaning", []string{"nothing listens", "ollama serve"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newClinic(t)
			c.like(well)
			test.spoil(c)
			out, _ := c.doctor(t.Context())
			found := out
			if lines := unwell(out); test.line == "" && len(lines) > 0 || test.line != "" && (len(lines) != 1 || !strings.HasPrefix(lines[0], test.line)) {
				t.Fatalf("lines %q, want %q", lines, test.line)
			} else if test.line != "" {
				found = lines[0]
			}
			for _, s := range test.says {
				if !strings.Contains(found, s) {
					t.Errorf("%q lacks %q", found, s)
				}
			}
		})
	}
}

// A proxy is of the whole process, so that this takes one of its own.
func TestDoctorLooksAtTheProxy(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	c.env["OPENAI_BASE_URL"], c.env["HTTP_PROXY"] = "http://nacre.example/v1", "http://"+freePort(t)
	out, _ := c.command("doctor").CombinedOutput() // it ends with 1
	if lines := unwell(string(out)); len(lines) != 1 || !strings.HasPrefix(lines[0], "FAIL  provider ") || !strings.Contains(lines[0], "the proxy in front of nacre.example cannot be used; check HTTPS_PROXY") {
		t.Errorf("lines %q in\n%s", lines, out)
	}
}
