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
//	server → {"t":"ready"}                       the first frame: the page is attached
//	page   → {"t":"say","id":I,"text":…}         a message; I is the page's own id of it
//	server → {"t":"stored","id":I}               message I is durable
//	server → {"t":"said","id":I,"text":…}        another page of the owner said this
//	server → {"t":"error","id":I,"text":…}       message I is refused for good, and why
//	server → {"t":"part","id":D,"text":…,"file":{"name":…,"mime":…,"data":…},
//	          "question":Q,"options":[…],"repeat":…}  show this; D is the id of the delivery
//	page   → {"t":"shown","id":D}                part D is on the page
//	page   → {"t":"press","question":Q,"option":N}  the N-th option of Q, from 0
//	server → {"t":"chosen","question":Q,"text":…}   what question Q was answered with
//	server → {"t":"error","question":Q,"text":…} the press is refused, and why
//	server → {"t":"stream","turn":T,"text":…}    an answer as far as it got; a part ends it
//	server → {"t":"typing"}                      an answer is being made
//	server → {"t":"error","text":…}              something else is wrong
//
// Texts are Markdown, data is base64. Each side repeats what the other has not
// acknowledged, with the same id, and each side ignores ids that it knows; a
// repeated part is labelled by a page which has not shown its id. So a server
// that is killed at any moment loses and doubles nothing on a page that stays
// open.
package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	"nacre"
	"nacre/memory"
)

// Desk is what the operator can ask of a running Nacre, and what a subcommand
// does by itself where none is running.
type Desk interface {
	// Status reads how everything is.
	Status(ctx context.Context) (Status, error)
	// Pair admits the stranger who was shown a code, or returns a code to join
	// with if code is empty. It returns a sentence to show.
	Pair(ctx context.Context, code string) (string, error)
	// Login returns a fresh link with which a browser logs in as the operator,
	// once.
	Login(ctx context.Context) (string, error)
	// LinkWhatsApp links an account by a QR code or, where phone is a number with
	// its country code, by a code to be typed there. show gets each step as it
	// comes; when the last was shown the account is linked. It takes as long as the
	// person takes. Conflict if an account is linked already, NotFound if WhatsApp
	// is off.
	LinkWhatsApp(ctx context.Context, phone string, show func(nacre.LinkStep)) error
	// UnlinkWhatsApp logs the linked account out and forgets it. NotFound if there
	// is none.
	UnlinkWhatsApp(ctx context.Context) error
	// Memory is the operator's memory, never another owner's, for a person who
	// changes it by ByShell or ByPage.
	Memory(by memory.Writer) Memory
	// Jobs is the operator's jobs, never another owner's.
	Jobs() Jobs
}

// Terminal serves one terminal chat on a connection until it ends. in has what
// the chat sends, conn takes what it shall see; Terminal closes conn.
type Terminal func(conn net.Conn, in io.Reader) error

// upgrade names the protocol to which a connection of the socket changes for a
// chat.
const upgrade = "nacre-chat"

// Control serves the socket in the data directory, whose file rights are its
// only guard.
func Control(desk Desk, chat Terminal) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /healthz", alive(desk))
	mux.Handle("/v1/", requests(desk, memory.ByShell))
	mux.Handle("POST /v1/chat", handler(func(w http.ResponseWriter, r *http.Request) error {
		return attach(w, chat)
	}))
	return mux
}

// requests serves what the operator can ask of a Desk. Whose hand changes memory
// is said by the way in, never by a request.
func requests(desk Desk, by memory.Writer) http.Handler {
	mux := http.NewServeMux()
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
	mux.Handle("POST /v1/login", handler(func(w http.ResponseWriter, r *http.Request) error {
		link, err := desk.Login(r.Context())
		if err != nil {
			return err
		}
		return json.NewEncoder(w).Encode(loginAnswer{link})
	}))
	whatsAppRoutes(mux, desk)
	memoryRoutes(mux, desk.Memory(by))
	jobsRoutes(mux, desk.Jobs())
	return mux
}

type (
	pairRequest struct {
		Code string `json:"code"`
	}
	pairAnswer struct {
		Text string `json:"text"`
	}
	loginAnswer struct {
		Link string `json:"link"`
	}
	problem struct {
		Kind nacre.Kind `json:"kind"`
		Text string     `json:"text"`
	}
)

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

// handler lets handlers return errors; only here they become status codes.
type handler func(http.ResponseWriter, *http.Request) error

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	err := h(w, r)
	if err == nil {
		return
	}
	p := problemOf(err)
	p.answer(w, statusOf[p.Kind])
}

// problemOf is what the other side is told of an error.
func problemOf(err error) problem {
	p := problem{nacre.KindOf(err), err.Error()}
	if p.Kind == nacre.Internal {
		p.Text = "something went wrong inside; see the log of the server"
	}
	return p
}

// answer ends a request with a problem.
func (p problem) answer(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
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
