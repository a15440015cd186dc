package main

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
	"nacre/web"
)

// slowDesk takes its time.
type slowDesk struct{ web.Desk }

func (slowDesk) Pair(context.Context, string) (string, error) {
	time.Sleep(20 * time.Minute)
	return "at last", nil
}

func (slowDesk) Status(context.Context) (web.Status, error) {
	time.Sleep(20 * time.Minute)
	return web.Status{}, nacre.Errorf(nacre.Transient, "not at all")
}

func (slowDesk) LinkWhatsApp(_ context.Context, _ string, show func(nacre.LinkStep)) error {
	for range 10 {
		time.Sleep(2 * time.Minute)
		show(nacre.LinkStep{Code: "ABCD-EFGH"})
	}
	show(nacre.LinkStep{Account: "+15550000001"})
	return nil
}

// Nobody holds a connection for nothing, and nobody is cut off who waits for what
// takes long.
func TestTimesOfTheServer(t *testing.T) {
	for _, c := range []struct {
		name, sent string
		took       time.Duration
		gets       string // a line that comes; empty for none at all
	}{
		{"nothing is said", "", headWait, ""},
		{"half a head", "GET /healthz HTTP/1.1\r\nHost: x\r\n", headWait, ""},
		{"half a body", "POST /api/pair HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", askWait, "did not come in whole"},
		{"a body that is not asked for, and does not come", "GET /api/status HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", askWait, ""},
		{"what takes long", "POST /api/pair HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 20 * time.Minute, "at last"},
		{"what takes long and fails", "GET /api/status HTTP/1.1\r\nHost: x\r\n\r\n", 20 * time.Minute, "not at all"},
		{"linking", "POST /api/whatsapp/link HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 20 * time.Minute, `{"account":"+15550000001"}`},
		{"nothing is said any more", "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n", 0, "404 page not found"},
		{"a huge head", "GET /nothing HTTP/1.1\r\nHost: x\r\nX-Big: " + strings.Repeat("x", 100<<10) + "\r\n\r\n", 0, "HTTP/1.1 431"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn := serving(t)
				begin := time.Now()
				go io.WriteString(conn, c.sent)
				var came []string
				var at time.Time // when what is to come came
				for in := bufio.NewScanner(conn); in.Scan(); {
					if came = append(came, in.Text()); strings.Contains(in.Text(), c.gets) {
						at = time.Now()
					}
				}
				if c.gets == "" && came == nil {
					at = time.Now()
				}
				if at.Sub(begin) != c.took {
					t.Errorf("after %v came %q, want %q after %v", time.Since(begin), came, c.gets, c.took)
				}
				if end := time.Since(at); end > idleWait {
					t.Errorf("the connection stays open for %v", end)
				}
			})
		})
	}
}

// serving is a connection to the server of a slowDesk.
func serving(t *testing.T) net.Conn {
	t.Helper()
	pipe, s, log := gatewaytest.NewPipeNet(), &servers{}, slog.New(slog.DiscardHandler)
	s.add(pipe, web.Control(slowDesk{}, nil, log), nil)
	ended := make(chan struct{})
	go func() { defer close(ended); s.https[0].Serve(pipe) }()
	t.Cleanup(func() { s.https[0].Close(); <-ended })
	conn, err := pipe.DialContext(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}
