package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"nacre"
)

const socketName = "nacre.sock"

// ListenSocket opens the socket of a data directory for its owner alone. The
// caller holds the directory's lock, so a socket that is already there was
// left by a process that died.
func ListenSocket(dir string) (net.Listener, error) {
	if err := os.Remove(filepath.Join(dir, socketName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nacre.Errorf(nacre.Invalid, "the old socket in %s cannot be removed (%w); remove it by hand", dir, err)
	}
	path, done, err := socketPath(dir)
	if err != nil {
		return nil, err
	}
	defer done()
	// The mask, not a later chmod, so that there is no moment in which others
	// may connect.
	mask := syscall.Umask(0o177)
	l, err := net.Listen("unix", path)
	syscall.Umask(mask)
	if err != nil {
		return nil, nacre.Errorf(nacre.Invalid, "the control socket cannot be made in %s (%w); the data directory must lie on a local disk", dir, err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	return l, nil
}

// socketPath gives a path short enough for the kernel's limit of about 100
// bytes, through the open directory where the real one is longer.
func socketPath(dir string) (path string, done func(), err error) {
	if path = filepath.Join(dir, socketName); len(path) < 100 {
		return path, func() {}, nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", f.Fd(), socketName), func() { f.Close() }, nil
}

// Client asks a running Nacre over its socket. It is a Desk.
type Client struct {
	dir  string
	http *http.Client
}

// NewClient makes a client for the server of a data directory.
func NewClient(dir string) *Client {
	c := &Client{dir: dir}
	c.http = &http.Client{Transport: &http.Transport{
		DialContext:        func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) },
		DisableCompression: true, // nothing is gained on a socket
	}}
	return c
}

func (c *Client) dial(ctx context.Context) (net.Conn, error) {
	path, done, err := socketPath(c.dir)
	if err != nil {
		return nil, err
	}
	defer done()
	var d net.Dialer
	return d.DialContext(ctx, "unix", path)
}

// Running reports whether a server answers on the socket.
func (c *Client) Running(ctx context.Context) bool {
	conn, err := c.dial(ctx)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// Healthy returns nil if the server runs and all is well with it.
func (c *Client) Healthy(ctx context.Context) error {
	return c.call(ctx, http.MethodGet, "/healthz", nil, nil)
}

// Chat opens a connection that speaks the terminal channel's frames.
func (c *Client) Chat(ctx context.Context) (net.Conn, error) {
	conn, err := c.dial(ctx)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Now()) })()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://nacre/terminal", nil)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", upgrade)
	if err := req.Write(conn); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, req)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	if resp.StatusCode != http.StatusSwitchingProtocols {
		return nil, errors.Join(fmt.Errorf("chat refused: %s", resp.Status), conn.Close())
	}
	return &bufferedConn{conn, in}, nil
}

// bufferedConn reads first what arrived together with the answer.
type bufferedConn struct {
	net.Conn
	in *bufio.Reader
}

func (b *bufferedConn) Read(p []byte) (int, error) { return b.in.Read(p) }

// call makes a request and reads the answer.
func (c *Client) call(ctx context.Context, method, path string, in, out any) error {
	answer, err := c.open(ctx, method, path, in)
	if err != nil {
		return err
	}
	defer answer.Close()
	if out == nil {
		return nil
	}
	return json.NewDecoder(answer).Decode(out)
}

// open makes a request and returns the answer for the caller to read and close.
func (c *Client) open(ctx context.Context, method, path string, in any) (io.ReadCloser, error) {
	var body io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(b)
	}
	return c.send(ctx, method, path, body)
}

// send makes a request of a body, which may be nil, and returns the answer as open
// does.
func (c *Client) send(ctx context.Context, method, path string, body io.Reader) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://nacre"+path, body)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, nacre.Errorf(nacre.Transient, "no Nacre answers for %s; is it running? (%w)", c.dir, err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	defer resp.Body.Close()
	p := problem{Text: "the server answered " + resp.Status}
	json.NewDecoder(resp.Body).Decode(&p)
	return nil, &nacre.Error{Kind: p.kind(), Text: p.Text}
}
