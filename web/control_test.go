package web

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"

	"nacre"
)

// brokenDesk cannot make links.
type brokenDesk struct{ plainDesk }

func (brokenDesk) Login(context.Context, Hand) (string, error) {
	return "", errors.New("secret words")
}

// serveControl serves a desk in a data directory until the test ends.
func serveControl(t *testing.T, d Desk) *Client {
	t.Helper()
	dir := t.TempDir()
	l, err := ListenSocket(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: Control(d, func(conn net.Conn, in io.Reader) error { return conn.Close() }, slog.New(slog.DiscardHandler))}
	ended := make(chan error)
	go func() { ended <- s.Serve(l) }()
	t.Cleanup(func() { s.Close(); <-ended })
	return NewClient(dir)
}

func TestClientIsADesk(t *testing.T) {
	var c Desk = serveControl(t, plainDesk{})
	if link, err := c.Login(t.Context(), Hand{}); link != "http://localhost/login#s" || err != nil {
		t.Errorf("Login = %q, %v", link, err)
	}
	if s, err := c.Status(t.Context()); s.Version != "v1" || err != nil {
		t.Errorf("Status = %+v, %v", s, err)
	}
	if text, err := c.Pair(t.Context(), "ABCD"); text != "paired ABCD" || err != nil {
		t.Errorf("Pair = %q, %v", text, err)
	}
}

// illDesk has channels that do not work.
type illDesk struct {
	plainDesk
	ill []nacre.ChannelName
}

func (d illDesk) Status(context.Context) (Status, error) {
	s := Status{Channels: []ChannelStatus{{Name: nacre.Web, OK: true, Words: "1 page is open"}}}
	for _, name := range d.ill {
		s.Channels = append(s.Channels, ChannelStatus{Name: name, Words: "of +15550000001"})
	}
	return s, nil
}

func TestSignOfLifeNamesWhatDoesNotWork(t *testing.T) {
	for _, c := range []struct {
		ill  []nacre.ChannelName
		want string
	}{
		{nil, ""},
		{[]nacre.ChannelName{nacre.WhatsApp}, "not working: whatsapp; nacre status says why"},
		{[]nacre.ChannelName{nacre.WhatsApp, nacre.Telegram}, "not working: telegram, whatsapp; nacre status says why"},
	} {
		got := ""
		if err := serveControl(t, illDesk{ill: c.ill}).Healthy(t.Context()); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("Healthy = %q, want %q", got, c.want)
		}
	}
}

func TestClientTellsWhatWentWrong(t *testing.T) {
	link, err := serveControl(t, brokenDesk{}).Login(t.Context(), Hand{})
	if want := "something went wrong inside; see the log of the server"; err == nil || err.Error() != want || link != "" {
		t.Errorf("Login = %q, %v, want %q", link, err, want)
	}
	if _, err := NewClient(t.TempDir()).Login(t.Context(), Hand{}); nacre.KindOf(err) != nacre.Transient {
		t.Errorf("without a server Login = %v, want a Transient error", err)
	}
}
