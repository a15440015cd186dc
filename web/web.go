// Package web is what Nacre serves over HTTP: to the operator's own programs
// over a socket in the data directory (Control), and to browsers a page to chat
// on, behind a one-time login link (Public).
//
// Both speak to one Desk, so that a subcommand does the same whether it asks a
// running server or works by itself.
//
// The page and its Channel, Chat, speak over a websocket in frames, JSON
// objects of one text message each:
//
//	server → {"t":"ready","owner":O,"mark":M}    the first frame: the page is attached, and is O's; M is
//	                                             another after a forgetting and after a start
//	page   → {"t":"say","id":I,"text":…}         a message; I is the page's own id of it
//	server → {"t":"stored","id":I}               message I is durable
//	server → {"t":"said","id":I,"text":…,"files":[…]}  another page of the owner, or a script, said this; files are names
//	server → {"t":"error","id":I,"text":…}       message I is refused for good, and why
//	server → {"t":"part","id":D,"turn":T,"text":…,"file":{"name":…,"mime":…,"data":…},
//	          "question":Q,"options":[…],"repeat":…}  show this; D is the id of the delivery
//	page   → {"t":"shown","id":D}                part D is on the page
//	page   → {"t":"press","question":Q,"option":N}  the N-th option of Q, from 0
//	server → {"t":"chosen","question":Q,"text":…}   what question Q was answered with
//	server → {"t":"error","question":Q,"text":…} the press is refused, and why
//	server → {"t":"stream","turn":T,"text":…}    an answer as far as it got; a part ends it
//	server → {"t":"typing"}                      an answer is being made
//	server → {"t":"changed","topics":[…]}        what the page shows of these is not so any more
//	server → {"t":"error","text":…}              something else is wrong
//
// Texts are Markdown, data is base64. Each side repeats what the other has not
// acknowledged, with the same id, and each side ignores ids that it knows; a
// repeated part is labelled by a page which has not shown its id. So a server
// that is killed at any moment loses and doubles nothing on a page that stays
// open.
//
// All else is asked over HTTP: see routes, openapi.yaml and, for those who write
// scripts, API.md.
package web

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"

	"nacre"
	"nacre/memory"
)

// Terminal serves one terminal chat on a connection until it ends. in has what
// the chat sends, conn takes what it shall see; Terminal closes conn.
type Terminal func(conn net.Conn, in io.Reader) error

// upgrade names the protocol to which a connection of the socket changes for a
// chat.
const upgrade = "nacre-chat"

// Control serves the socket in the data directory, whose file rights are its
// only guard: who reaches it is the operator. What goes wrong is logged to log.
func Control(desk Desk, chat Terminal, log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /healthz", alive(desk))
	shell := api(routes(desk), func(nacre.OwnerID) bool { return true })
	mux.Handle("/api/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shell.ServeHTTP(w, r.WithContext(withHand(r.Context(), Hand{By: memory.ByShell})))
	}))
	mux.Handle("POST /terminal", handler(func(w http.ResponseWriter, r *http.Request) error {
		return attach(w, chat)
	}))
	return logged(log, mux)
}

// alive answers 200 when the database can be read and every channel works, else
// 503 with what does not.
func alive(desk Desk) http.Handler {
	return handler(func(w http.ResponseWriter, r *http.Request) error {
		if ill := ailment(r.Context(), desk); ill != "" {
			return nacre.Errorf(nacre.Transient, "%s", ill)
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, err := io.WriteString(w, "ok\n")
		return err
	})
}

// ailment is what does not work, empty if all is well.
func ailment(ctx context.Context, desk Desk) string {
	s, err := desk.Status(ctx)
	if err != nil {
		return "the database cannot be read"
	}
	var ill []string
	for _, c := range s.Channels {
		if !c.OK {
			ill = append(ill, string(c.Name))
		}
	}
	if ill == nil {
		return ""
	}
	slices.Sort(ill)
	return "not working: " + strings.Join(ill, ", ") + "; nacre status says why"
}

// attach turns the connection of a request over to a chat.
func attach(w http.ResponseWriter, chat Terminal) error {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: "+upgrade+"\r\n\r\n"); err != nil {
		return errors.Join(err, conn.Close())
	}
	return chat(conn, buffered)
}
