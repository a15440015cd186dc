// Package web is what Nacre serves over HTTP: to the operator's own programs
// over a socket in the data directory, and to the outside a sign of life.
//
// Both speak to one Desk, so that a subcommand does the same whether it asks a
// running server or works by itself.
package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"

	"nacre"
)

// Desk is what the operator can ask of a running Nacre, and what a subcommand
// does by itself where none is running.
type Desk interface {
	// Status reads how everything is.
	Status(ctx context.Context) (Status, error)
	// Pair admits the stranger who was shown a code, or returns a code to join
	// with if code is empty. It returns a sentence to show.
	Pair(ctx context.Context, code string) (string, error)
}

// Chat serves one terminal chat on a connection until it ends. in has what the
// chat sends, conn takes what it shall see; Chat closes conn.
type Chat func(conn net.Conn, in io.Reader) error

// upgrade names the protocol to which a connection of the socket changes for a
// chat.
const upgrade = "nacre-chat"

// Control serves the socket in the data directory, whose file rights are its
// only guard.
func Control(desk Desk, chat Chat) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /healthz", alive(desk))
	mux.Handle("GET /v1/status", handler(func(w http.ResponseWriter, r *http.Request) error {
		s, err := desk.Status(r.Context())
		if err != nil {
			return err
		}
		return json.NewEncoder(w).Encode(s)
	}))
	mux.Handle("POST /v1/pair", handler(func(w http.ResponseWriter, r *http.Request) error {
		var in pairRequest
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<10)).Decode(&in); err != nil {
			return nacre.Errorf(nacre.Invalid, "the request is not the JSON of a code")
		}
		text, err := desk.Pair(r.Context(), in.Code)
		if err != nil {
			return err
		}
		return json.NewEncoder(w).Encode(pairAnswer{text})
	}))
	mux.Handle("POST /v1/chat", handler(func(w http.ResponseWriter, r *http.Request) error {
		return attach(w, chat)
	}))
	return mux
}

// Public serves the address that browsers reach.
func Public(desk Desk) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /healthz", alive(desk))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "Nacre is running. Talk to it with: nacre chat\n")
	})
	return mux
}

type (
	pairRequest struct {
		Code string `json:"code"`
	}
	pairAnswer struct {
		Text string `json:"text"`
	}
	problem struct {
		Kind nacre.Kind `json:"kind"`
		Text string     `json:"text"`
	}
)

// alive answers 200 when the database can be read, else 503, and tells nothing
// else.
func alive(desk Desk) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := desk.Status(r.Context()); err != nil {
			http.Error(w, "not well", http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "ok\n")
	})
}

// attach turns the connection of a request over to a chat.
func attach(w http.ResponseWriter, chat Chat) error {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: "+upgrade+"\r\n\r\n"); err != nil {
		return errors.Join(err, conn.Close())
	}
	return chat(conn, buffered)
}

// handler lets handlers return errors; only here they become status codes.
type handler func(http.ResponseWriter, *http.Request) error

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	err := h(w, r)
	if err == nil {
		return
	}
	p := problem{nacre.KindOf(err), err.Error()}
	if p.Kind == nacre.Internal {
		p.Text = "something went wrong inside; see the log of the server"
	}
	w.WriteHeader(statusOf[p.Kind])
	json.NewEncoder(w).Encode(p)
}

var statusOf = map[nacre.Kind]int{
	nacre.Internal:  http.StatusInternalServerError,
	nacre.Invalid:   http.StatusBadRequest,
	nacre.Denied:    http.StatusForbidden,
	nacre.NotFound:  http.StatusNotFound,
	nacre.Conflict:  http.StatusConflict,
	nacre.Transient: http.StatusServiceUnavailable,
}
