package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"nacre/agent/llm/llmtest"
	"nacre/gateway/gatewaytest"
)

func TestDoctorFindsNothing(t *testing.T) {
	out, code := newClinic(t).used().doctor(t.Context())
	if lines := unwell(out); code != exitOK || len(lines) > 0 {
		t.Errorf("exit code %d, lines %q in\n%s", code, lines, out)
	}
	for _, says := range []string{"Nacre dev, built with go", "2 owners", "no messages of 2 owners", "@nacre_test_bot", "openai/test, as configured",
		"has the model", "UTC, where it is", "not running; start it with", "agrees with that of", "Nacre is well: no problems and no warnings."} {
		if !strings.Contains(out, says) {
			t.Errorf("output lacks %q:\n%s", says, out)
		}
	}
}

func TestDoctorMakesNothing(t *testing.T) {
	c := newClinic(t)
	out, code := c.doctor(t.Context())
	if code != exitOK || len(unwell(out)) > 0 || !strings.Contains(out, "does not exist yet; the first start makes it") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if _, err := os.Stat(c.env["NACRE_DATA"]); !os.IsNotExist(err) {
		t.Errorf("the data directory: %v, want none", err)
	}
}

// Each fault gives one line, which says what to do, and nothing else.
func TestDoctorFindsEachFault(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() }) // when the cases are over
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	nowhere := "http://" + closed.Addr().String()

	cases := []struct {
		name  string
		spoil func(c *clinic)
		line  string // its beginning
		says  []string
	}{
		{"file with secrets that others can read", func(c *clinic) {
			c.env["NACRE_CONFIG"] = c.file("c.toml", "telegram.token = '"+botToken+"'")
			c.must(os.Chmod(c.env["NACRE_CONFIG"], 0o644))
		}, "warn  setting", []string{"c.toml", "chmod 600"}},
		{"unknown variable", func(c *clinic) { c.env["NACRE_TELEGRAM_TOKN"] = canary }, "warn  setting", []string{"NACRE_TELEGRAM_TOKN", "NACRE_TELEGRAM_TOKEN"}},

		{"directory below a file", func(c *clinic) { c.env["NACRE_DATA"] = c.file("file", "") + "/data" }, "FAIL  directory", []string{"NACRE_DATA"}},
		{"directory that is a file", func(c *clinic) { c.env["NACRE_DATA"] = c.file("file", "") }, "FAIL  directory", []string{"not a directory", "NACRE_DATA"}},
		{"directory for reading only", func(c *clinic) { c.env["NACRE_DATA"] = mounted(c.t, syscall.MS_RDONLY, "mode=0700") }, "FAIL  directory", []string{"read-only", "NACRE_DATA"}},
		{"no place for a directory", func(c *clinic) { c.env["NACRE_DATA"] = mounted(c.t, syscall.MS_RDONLY, "mode=0700") + "/a/b" }, "FAIL  directory", []string{"cannot be made", "NACRE_DATA"}},
		{"directory of another user", func(c *clinic) { c.must(os.Chown(c.data(""), 54321, -1)) }, "warn  directory", []string{"user 54321", "run Nacre"}},
		{"directory open to others", func(c *clinic) { c.must(os.Chmod(c.data(""), 0o755)) }, "warn  directory", []string{"mode 0755", "chmod 700 "}},
		{"full disk", func(c *clinic) { c.env["NACRE_DATA"] = fullDisk(c.t) + "/data" }, "FAIL  disk", []string{"free some space"}},
		{"disk that takes few files", func(c *clinic) { c.env["NACRE_DATA"] = mounted(c.t, 0, "size=1g,nr_inodes=50") + "/data" }, "warn  disk", []string{"files", "delete"}},
		{"small disk", func(c *clinic) { c.env["NACRE_DATA"] = mounted(c.t, 0, "size=100m") + "/data" }, "warn  disk", []string{"100 MiB", "free some space"}},

		{"damaged database", func(c *clinic) { c.patch("nacre.db", 0, "no database at all") }, "FAIL  database", []string{"damaged", "backup"}},
		{"newer database", func(c *clinic) { c.patch("nacre.db", 60, "\x00\x00\x00\x63") }, "FAIL  database", []string{"schema version 99", "newer"}},
		{"database without its key file", func(c *clinic) { c.must(os.Remove(c.data("keys.nacre"))) }, "FAIL  database", []string{"key file is missing", "put it back"}},
		{"key file of another database", func(c *clinic) {
			c.env["NACRE_KEYS"] = newClinic(c.t).used().data("keys.nacre")
		}, "FAIL  database", []string{"belongs to another database", "NACRE_KEYS"}},
		{"key file without its database", func(c *clinic) { c.must(os.Remove(c.data("nacre.db"))) }, "FAIL  database", []string{"has been used", "mount it"}},
		{"damaged key file", func(c *clinic) { c.must(os.WriteFile(c.data("keys.nacre"), []byte("none"), 0o600)) }, "FAIL  database", []string{"key file", "damaged", "bundle"}},
		{"sealed key file", func(c *clinic) {
			c.env["NACRE_MASTER_KEY"] = canary + canary
			c.used()
			delete(c.env, "NACRE_MASTER_KEY")
		}, "FAIL  database", []string{"sealed", "NACRE_MASTER_KEY_FILE"}},
		{"wrong master key", func(c *clinic) {
			c.env["NACRE_MASTER_KEY"] = canary + canary
			c.used()
			c.env["NACRE_MASTER_KEY"] = canary + "other" + canary
		}, "FAIL  database", []string{"master key"}},
		{"key file open to others", func(c *clinic) { c.must(os.Chmod(c.data("keys.nacre"), 0o644)) }, "warn  key file", []string{"mode 0644", "chmod 600 "}},
		{"directory in use", func(c *clinic) { c.hold() }, "FAIL  database", []string{"another Nacre", "stop it"}},

		{"server that is not well", func(c *clinic) { c.answer(http.StatusInternalServerError, "{}") }, "FAIL  server", []string{"500", "its log"}},
		{"server of another version", func(c *clinic) {
			c.answer(http.StatusOK, `{"version":"0.9","model":"openai/test","since":"`+time.Now().Format(time.RFC3339)+`"}`)
		}, "warn  server", []string{"version 0.9", "restart it"}},
		{"taken port", func(c *clinic) { c.env["NACRE_WEB_LISTEN"] = taken.Addr().String() }, "FAIL  web page", []string{taken.Addr().String(), "NACRE_WEB_LISTEN"}},

		{"refused token", func(c *clinic) { c.env["NACRE_TELEGRAM_TOKEN"] = "7001:Other" + canary }, "FAIL  bot", []string{"refused", "@BotFather"}},
		{"Telegram not there", func(c *clinic) { c.env["NACRE_TELEGRAM_API"] = nowhere }, "FAIL  bot", []string{"cannot be reached", "NACRE_TELEGRAM_API"}},
		{"web page in front of Telegram", func(c *clinic) { c.api.Fail("getMe", gatewaytest.Fault{Kind: gatewaytest.HTML}) }, "FAIL  bot", []string{"502", "NACRE_TELEGRAM_API"}},
		{"Telegram has trouble", func(c *clinic) {
			c.api.Fail("getWebhookInfo", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 500, Words: "Internal " + botToken})
		}, "FAIL  bot", []string{"500", "later"}},
		{"Telegram wants a pause", func(c *clinic) { c.api.Fail("getMe", gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 7}) }, "FAIL  bot", []string{"7s"}},
		{"webhook of another program", func(c *clinic) { c.webhook("https://other.example/" + canary) }, "warn  webhook", []string{"other.example", "bot of its own"}},

		{"refused key", func(c *clinic) { c.env["OPENAI_API_KEY"] = "sk-other" + canary }, "FAIL  provider", []string{"401", "OPENAI_API_KEY"}},
		{"provider not there", func(c *clinic) { c.env["OPENAI_BASE_URL"] = nowhere + "/v1" }, "FAIL  provider", []string{"nothing listens", "OPENAI_BASE_URL"}},
		{"URL with a secret", func(c *clinic) {
			c.env["OPENAI_BASE_URL"] = strings.Replace(nowhere, "://", "://me:"+canary+"@", 1)
		}, "FAIL  provider", []string{"nothing listens", "OPENAI_BASE_URL"}},
		{"unknown host", func(c *clinic) { c.env["OPENAI_BASE_URL"] = "http://nacre.invalid/v1" }, "FAIL  provider", []string{"nacre.invalid", "OPENAI_BASE_URL"}},
		{"unknown model", func(c *clinic) { c.list = `{"data":[{"id":"test-large"},{"id":"test-2"}]}` }, "warn  provider", []string{"does not list test among its 2 models", "NACRE_MODEL"}},
		{"web page in front of the provider", func(c *clinic) { c.list = "<html>" }, "warn  provider", []string{"OPENAI_BASE_URL"}},
		{"model chosen by itself", func(c *clinic) { c.env["NACRE_MODEL"], c.list = "", `{"data":[{"id":"a"}]}` }, "warn  provider", []string{"set NACRE_MODEL to one that it lists"}},
		{"model behind", func(c *clinic) { c.env["NACRE_FALLBACK"], c.list = "openai/other", `{"data":[{"id":"test"}]}` }, "warn  provider", []string{"does not list other", "NACRE_FALLBACK"}},
		{"no list of models", func(c *clinic) { c.status = 404 }, "warn  provider", []string{"404", "OPENAI_BASE_URL"}},
		{"no search", func(c *clinic) { c.env["NACRE_SEARXNG_URL"] = nowhere }, "FAIL  search", []string{"nothing listens", "NACRE_SEARXNG_URL"}},
		{"search without JSON", func(c *clinic) { c.env["NACRE_SEARXNG_URL"] = c.env["NACRE_TELEGRAM_API"] }, "FAIL  search", []string{"refuses to search", "json"}},
		{"a page instead of search", func(c *clinic) {
			page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }))
			c.t.Cleanup(page.Close)
			c.env["NACRE_SEARXNG_URL"] = page.URL
		}, "FAIL  search", []string{"something else than results", "NACRE_SEARXNG_URL"}},
		{"nobody hears", func(c *clinic) { c.env["NACRE_TRANSCRIBE_URL"] = nowhere }, "FAIL  voice", []string{"nothing listens", "NACRE_TRANSCRIBE_URL"}},
		{"provider has trouble", func(c *clinic) { c.status = 503 }, "FAIL  provider", []string{"503", "later"}},
		{"provider wants a pause", func(c *clinic) { c.status = 429 }, "warn  provider", []string{"429", "wait"}},
		{"provider moved", func(c *clinic) { c.status = 302 }, "FAIL  provider", []string{"302", "OPENAI_BASE_URL"}},

		{"clock ahead", func(c *clinic) { c.date = time.Now().Add(-5 * time.Minute).UTC().Format(http.TimeFormat) }, "warn  clock", []string{"  5m", " ahead of", "timedatectl"}},
		{"clock behind", func(c *clinic) { c.date = time.Now().Add(2 * time.Hour).UTC().Format(http.TimeFormat) }, "warn  clock", []string{"behind", "timedatectl"}},
	}
	well := newClinic(t).used()
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newClinic(t)
			c.like(well)
			test.spoil(c)
			out, code := c.doctor(t.Context())
			lines := unwell(out)
			if len(lines) != 1 || !strings.HasPrefix(lines[0], test.line) {
				t.Fatalf("lines %q, want one that begins with %q; all:\n%s", lines, test.line, out)
			}
			for _, s := range test.says {
				if !strings.Contains(lines[0], s) {
					t.Errorf("%q lacks %q", lines[0], s)
				}
			}
			if want := map[bool]int{true: exitFault, false: exitOK}[strings.HasPrefix(test.line, "FAIL")]; code != want {
				t.Errorf("exit code %d, want %d", code, want)
			}
		})
	}
}

func TestDoctorFindsAllFaultsAtOnce(t *testing.T) {
	c := newClinic(t).used()
	c.must(os.Chmod(c.data(""), 0o777))
	c.patch("nacre.db", 0, "no database at all")
	c.env["NACRE_TELEGRAM_TOKEN"] = "7001:Other" + canary
	c.status = 500
	out, code := c.doctor(t.Context())
	var names []string
	for _, line := range unwell(out) {
		names = append(names, strings.Join(strings.Fields(line)[:2], " "))
	}
	if want := []string{"warn directory", "FAIL database", "FAIL bot", "FAIL provider"}; code != exitFault || !slices.Equal(names, want) {
		t.Errorf("exit code %d, lines %q, want %q", code, names, want)
	}
	if last := "nacre: 3 problems and 1 warning; do what the lines say, then run nacre doctor again\n"; !strings.HasSuffix(out, "\n\n"+last) {
		t.Errorf("the end is not %q:\n%s", last, out)
	}
}

func TestDoctorWithoutAConfiguration(t *testing.T) {
	for _, test := range []struct {
		name string
		set  func(c *clinic)
		says []string
	}{
		{"malformed", func(c *clinic) { c.env["NACRE_CONFIG"] = c.file("c.toml", "[telegram\ntoken = '"+canary+"'\n") }, []string{"c.toml line 1"}},
		{"several problems", func(c *clinic) { c.env["TZ"], c.env["NACRE_OWNERS"] = "Nowhere", "telegram:@ann" }, []string{"TZ", "NACRE_OWNERS"}},
		{"wrong shape of the token", func(c *clinic) { c.env["NACRE_TELEGRAM_TOKEN"] = canary }, []string{"NACRE_TELEGRAM_TOKEN"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newClinic(t)
			test.set(c)
			out, code := c.doctor(t.Context())
			lines := unwell(out)
			if code != exitUsage || len(lines) != len(test.says) {
				t.Fatalf("exit code %d, lines %q in\n%s", code, lines, out)
			}
			for i, s := range test.says {
				if !strings.HasPrefix(lines[i], "FAIL  setting") || !strings.Contains(lines[i], s) {
					t.Errorf("line %q lacks %q", lines[i], s)
				}
			}
			if !strings.Contains(out, "ok    clock") || !strings.Contains(out, "nothing else can be looked at") {
				t.Errorf("output lacks the clock or the end:\n%s", out)
			}
		})
	}
}

// Our own webhook is where the messages should go.
func TestDoctorKnowsOurWebhook(t *testing.T) {
	c := newClinic(t)
	c.env["NACRE_WEB_LISTEN"], c.env["NACRE_TELEGRAM_WEBHOOK"] = freePort(t), "https://nacre.example/telegram"
	c.webhook("https://nacre.example/telegram")
	if out, code := c.doctor(t.Context()); code != exitOK || len(unwell(out)) > 0 {
		t.Errorf("exit code %d, lines %q", code, unwell(out))
	}
}

// The doctor takes nothing over: what a killed server left, the next one does.
func TestDoctorAfterAKill(t *testing.T) {
	w := newWorld(t)
	gate := llmtest.NewGate()
	w.model.Push(llmtest.Reply{Gate: gate})
	p := w.start()
	w.confirmed(w.api.Text(1001, "hello"))
	w.reached(gate)
	p.kill()
	for range 2 {
		if out, code := w.run("", "doctor"); code != exitOK || !strings.Contains(out, "with 1 message of 2 owners") {
			t.Errorf("exit code %d\n%s", code, out)
		}
	}
	p = w.start()
	if got := w.sent(1); got[0] != "echo: hello" {
		t.Errorf("answer %q", got)
	}
	p.stop()
}

// What does not answer is given up, and the rest is told.
func TestDoctorDoesNotWaitLong(t *testing.T) {
	c := newClinic(t).used()
	c.api.Fail("getMe", gatewaytest.Fault{Kind: gatewaytest.Hang})
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	out, code := c.doctor(ctx)
	if lines := unwell(out); code != exitFault || len(lines) != 1 || !strings.HasPrefix(lines[0], "FAIL  bot") || !strings.Contains(lines[0], "does not answer in time") {
		t.Errorf("exit code %d, lines %q", code, lines)
	}
}

func TestDoctorBesideAServer(t *testing.T) {
	c := newClinic(t)
	c.env["NACRE_WEB_LISTEN"] = freePort(t)
	p := c.start()
	c.confirmed(c.api.Text(1001, "/status"))
	c.sent(1)
	c.settled()
	c.serving = true
	out, code := c.doctor(t.Context())
	if lines := unwell(out); code != exitOK || len(lines) > 0 {
		t.Errorf("exit code %d, lines %q", code, lines)
	}
	for _, says := range []string{"running for ", "telegram    connected as @nacre_test_bot", "queue       empty", ", served", "open in the running server"} {
		if !strings.Contains(out, says) {
			t.Errorf("output lacks %q:\n%s", says, out)
		}
	}

	for _, test := range []struct{ name, variable, value, line, says string }{
		{"another model", "NACRE_MODEL", "openai/test-2", "warn  server", "here it is openai/test-2; restart it"},
		{"another address", "NACRE_WEB_LISTEN", freePort(t), "FAIL  web page", "does not answer at 127.0.0.1:"},
	} {
		was := c.env[test.variable]
		c.env[test.variable] = test.value
		out, _ := c.doctor(t.Context())
		if lines := unwell(out); len(lines) != 1 || !strings.HasPrefix(lines[0], test.line) || !strings.Contains(lines[0], test.says) {
			t.Errorf("%s: lines %q", test.name, lines)
		}
		c.env[test.variable] = was
	}
	c.api.Fail("sendMessage", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 403, Words: "Forbidden: bot was blocked by the user"})
	c.api.Fail("getUpdates", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 409, Words: "Conflict: terminated by other getUpdates request", Times: -1})
	c.api.Text(1001, "/status")
	want := []string{"FAIL  telegram    another program receives this bot's messages; stop it, or give Nacre a bot of its own",
		"warn  queue       empty; 1 could not be delivered; nacre status lists them with the reasons"}
	c.eventually(want)
	p.stop()
}

func TestDoctorInJSON(t *testing.T) {
	c := newClinic(t).used()
	c.env["OPENAI_API_KEY"] = "sk-other" + canary
	var out, errs bytes.Buffer
	var environ []string
	for k, v := range c.env {
		environ = append(environ, k+"="+v)
	}
	code := run(t.Context(), []string{"doctor", "--json"}, environ, console{nil, &out, &errs})
	var d diagnosis
	if err := json.Unmarshal(out.Bytes(), &d); err != nil || code != exitFault {
		t.Fatalf("exit code %d, %v in %s", code, err, out.String())
	}
	i := slices.IndexFunc(d.Findings, func(f finding) bool { return f.Level != fine })
	if want := (finding{"Model", "provider", problem, d.Findings[i].Found, "set OPENAI_API_KEY to one that it knows"}); d.Version != version || d.Findings[i] != want {
		t.Errorf("version %q, first finding that is not fine: %+v, want %+v", d.Version, d.Findings[i], want)
	}
	if n := d.count(fine); n < 9 || n != len(d.Findings)-1 {
		t.Errorf("%d of %d findings are fine", n, len(d.Findings))
	}
	if strings.Contains(out.String()+errs.String(), canary) {
		t.Error("a secret is shown")
	}
}

// A provider that has no list of models is as good as one that has the model.
func TestDoctorAcceptsWhatProvidersAnswer(t *testing.T) {
	for _, test := range []struct {
		name, model, list string
		status            int
		says              string
	}{
		{"listed", "openai/test", `{"data":[{"id":"test"}]}`, 0, "answers and has the model"},
		{"listed with a date", "openai/test", `{"data":[{"id":"test-2025-08-07"}]}`, 0, "answers and has the model"},
		{"listed with a tag", "openai/test", `{"object":"list","data":[{"id":"test:latest"}]}`, 0, "answers and has the model"},
		{"an empty list", "openai/test", `{"data":null}`, 0, "lists no models"},
		{"of Anthropic", "anthropic/test", `{"data":[{"id":"test-20250929"}]}`, 0, "answers and has the model"},
		{"by the first key", "", `{"data":[{"id":"gpt-5.4-mini"}]}`, 0, "openai/gpt-5.4-mini, because there is a key"},
		{"offline", "offline", "", 500, "for a real one set NACRE_MODEL"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newClinic(t)
			c.env["NACRE_MODEL"], c.list, c.status = test.model, test.list, test.status
			out, code := c.doctor(t.Context())
			if code != exitOK || len(unwell(out)) > 0 || !strings.Contains(out, test.says) {
				t.Errorf("exit code %d, want %q in\n%s", code, test.says, out)
			}
		})
	}
}
