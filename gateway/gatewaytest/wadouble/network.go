package wadouble

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"go.mau.fi/whatsmeow/store"

	"nacre/gateway/gatewaytest"
)

// Serve answers on Net until the test ends. It works inside a bubble of
// testing/synctest.
func (s *Server) Serve(t testing.TB) { s.net.Serve(t, s) }

// Net is the network of pipes on which Serve answers. Cutting it is the network's
// failure; Cut is the server's.
func (s *Server) Net() *gatewaytest.PipeNet { return s.net }

// Transport carries the requests of a client over Net, whatever their host, the
// socket included. It is for http.Client.Transport.
func (s *Server) Transport() http.RoundTripper { return over(s.net.DialContext) }

// Listen answers on a loopback port too until the test ends, for other processes,
// which reach it by Reach.
func (s *Server) Listen(t testing.TB) (addr string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	web := &http.Server{Handler: s}
	served := make(chan struct{})
	go func() {
		defer close(served)
		web.Serve(listener)
	}()
	t.Cleanup(func() {
		s.Cut()
		web.Close()
		<-served
	})
	return listener.Addr().String()
}

// Reach carries requests to a server that listens elsewhere, like Transport.
func Reach(addr string) http.RoundTripper {
	return over(func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, addr)
	})
}

// over is a transport whose encrypted connections are plain ones too: the double
// has no certificates for the hosts that clients ask for.
func over(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *http.Transport {
	return &http.Transport{DialContext: dial, DialTLSContext: dial}
}

// ServeHTTP is the socket, the page that tells the version, and the media.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/ws/chat":
		s.connect(w, r)
	case strings.HasPrefix(r.Host, "web.") && r.URL.Path == "/":
		fmt.Fprintf(w, `<script>{"server_revision":1,"client_revision":%d,"tier":1}</script>`, s.told())
	default:
		s.serveMedia(w, r)
	}
}

// told is the last part of the version that the server tells.
func (s *Server) told() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.latest.IsZero() {
		return store.GetWAVersion()[2]
	}
	return s.latest[2]
}

func (s *Server) serveMedia(w http.ResponseWriter, r *http.Request) {
	kind := UploadError
	if r.Method == http.MethodGet {
		kind = DownloadError
	}
	s.mu.Lock()
	fault, met := s.meet(kind, "")
	s.mu.Unlock()
	if met {
		http.Error(w, http.StatusText(fault.Code), fault.Code)
		return
	}
	s.media.ServeHTTP(w, r)
}

func (s *Server) connect(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	refuse := s.refuse
	s.mu.Unlock()
	if refuse {
		http.Error(w, "", http.StatusServiceUnavailable)
		return
	}
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // the client was told
	}
	s.attend(&wire{ws: ws})
}
