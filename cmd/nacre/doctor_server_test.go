package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"
)

// certified gives the page a certificate that ends at a time.
func (c *clinic) certified(from, to time.Time) {
	c.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	c.must(err)
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: from, NotAfter: to}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, key.Public(), key)
	c.must(err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	c.must(err)
	c.env["NACRE_WEB_LISTEN"] = freePort(c.t)
	c.env["NACRE_WEB_TLS_CERT"] = c.file("cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	c.env["NACRE_WEB_TLS_KEY"] = c.file("key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
}

func TestDoctorLooksAtTheCertificate(t *testing.T) {
	now := time.Now()
	well := newClinic(t).used()
	for _, test := range []struct {
		name  string
		spoil func(c *clinic)
		line  string // empty where all is well
	}{
		{"good", func(c *clinic) { c.certified(now.Add(-time.Hour), now.Add(90*24*time.Hour)) }, ""},
		{"soon over", func(c *clinic) { c.certified(now.Add(-time.Hour), now.Add(24*time.Hour)) }, "warn  certificate  valid until"},
		{"over", func(c *clinic) { c.certified(now.Add(-2*time.Hour), now.Add(-time.Hour)) }, "FAIL  certificate  not valid since"},
		{"not yet", func(c *clinic) { c.certified(now.Add(time.Hour), now.Add(90*24*time.Hour)) }, "FAIL  certificate  not valid before"},
		{"of another key", func(c *clinic) {
			c.certified(now.Add(-time.Hour), now.Add(90*24*time.Hour))
			cert, err := os.ReadFile(c.env["NACRE_WEB_TLS_CERT"])
			c.must(err)
			c.certified(now.Add(-time.Hour), now.Add(90*24*time.Hour))
			c.must(os.WriteFile(c.env["NACRE_WEB_TLS_CERT"], cert, 0o600))
		}, "FAIL  certificate  "},
		{"missing", func(c *clinic) {
			c.certified(now.Add(-time.Hour), now.Add(90*24*time.Hour))
			c.must(os.Remove(c.env["NACRE_WEB_TLS_KEY"]))
		}, "FAIL  certificate  "},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newClinic(t)
			c.like(well)
			test.spoil(c)
			out, _ := c.doctor(t.Context())
			lines := unwell(out)
			if test.line == "" && len(lines) == 0 && strings.Contains(out, "ok    certificate  valid until") {
				return
			}
			if test.line == "" || len(lines) != 1 || !strings.HasPrefix(lines[0], test.line) {
				t.Errorf("lines %q, want %q", lines, test.line)
			}
		})
	}
}

// What the server tells of its work is told on, with what to do.
func TestDoctorLooksAtTheWork(t *testing.T) {
	now := time.Now().UTC()
	at := func(ago time.Duration) string { return now.Add(-ago).Format(time.RFC3339) }
	well := newClinic(t).used()
	for _, test := range []struct {
		name, status, line, says string
		wal                      int64
	}{
		{"all well", `"jobs":{"active":2,"next":"` + at(-time.Hour) + `"},"spent":{"day":10,"day_limit":20,"month":10,"month_limit":20}`, "", "", 1 << 20},
		{"job that is not begun", `"jobs":{"active":2,"next":"` + at(time.Hour) + `"}`, "warn  jobs", "due for 1h0m", 0},
		{"failing jobs", `"jobs":{"active":2,"failing":1}`, "warn  jobs", "1 fails", 0},
		{"parked jobs", `"jobs":{"parked":2}`, "warn  jobs", "2 have no chat", 0},
		{"day's budget spent", `"spent":{"day":20,"day_limit":20,"month":20,"month_limit":100}`, "warn  budget", "NACRE_BUDGET_DAY", 0},
		{"month's budget spent", `"spent":{"day":1,"day_limit":20,"month":120,"month_limit":100}`, "warn  budget", "NACRE_BUDGET_MONTH", 0},
		{"memory that is full", `"full":1`, "warn  notes", "1 owner is full", 0},
		{"messages that nobody read", `"aside":2`, "warn  reading back", "2 batches", 0},
		{"Gmail without consent", `"mail_lost":1`, "warn  Gmail", "nacre gmail connect", 0},
		{"answer that stays", `"waiting":2,"oldest":"` + at(time.Hour) + `"`, "warn  queue", "the oldest for 1h0m", 0},
		{"answer on its way", `"waiting":2,"oldest":"` + at(time.Minute) + `","jobs":{"active":2}`, "", "", 0},
		{"log that only grows", `"jobs":{}`, "warn  database", "restart Nacre", longLog + 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newClinic(t)
			c.like(well)
			c.answer(200, fmt.Sprintf(`{"version":"dev","model":"openai/test","since":%q,%s}`, at(0), test.status))
			if test.wal > 0 {
				c.must(os.WriteFile(c.data("nacre.db-wal"), nil, 0o600))
				c.must(os.Truncate(c.data("nacre.db-wal"), test.wal))
				c.serving = true // its content is not compared
			}
			out, _ := c.doctor(t.Context())
			lines := unwell(out)
			if test.line == "" {
				if len(lines) > 0 || !strings.Contains(out, "2 jobs are active") {
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
