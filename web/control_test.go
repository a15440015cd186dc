package web

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"

	"nacre"
)

// brokenDesk cannot make links.
type brokenDesk struct{ plainDesk }

func (brokenDesk) Login(context.Context) (string, error) { return "", errors.New("secret words") }

// serveControl serves a desk in a data directory until the test ends.
func serveControl(t *testing.T, d Desk) *Client {
	t.Helper()
	dir := t.TempDir()
	l, err := ListenSocket(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: Control(d, func(conn net.Conn, in io.Reader) error { return conn.Close() })}
	ended := make(chan error)
	go func() { ended <- s.Serve(l) }()
	t.Cleanup(func() { s.Close(); <-ended })
	return NewClient(dir)
}

func TestClientIsADesk(t *testing.T) {
	var c Desk = serveControl(t, plainDesk{})
	if link, err := c.Login(t.Context()); link != "http://localhost/login#s" || err != nil {
		t.Errorf("Login = %q, %v", link, err)
	}
	if s, err := c.Status(t.Context()); s.Version != "v1" || err != nil {
		t.Errorf("Status = %+v, %v", s, err)
	}
	if text, err := c.Pair(t.Context(), "ABCD"); text != "paired ABCD" || err != nil {
		t.Errorf("Pair = %q, %v", text, err)
	}
}

func TestClientTellsWhatWentWrong(t *testing.T) {
	link, err := serveControl(t, brokenDesk{}).Login(t.Context())
	if want := "something went wrong inside; see the log of the server"; err == nil || err.Error() != want || link != "" {
		t.Errorf("Login = %q, %v, want %q", link, err, want)
	}
	if _, err := NewClient(t.TempDir()).Login(t.Context()); nacre.KindOf(err) != nacre.Transient {
		t.Errorf("without a server Login = %v, want a Transient error", err)
	}
}
