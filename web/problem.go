package web

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"nacre"
)

// apiVersion is what the form of problems, and of all else the API says, is
// counted by.
const apiVersion = 1

// problem is what the other side is told of an error.
type problem struct {
	Version int    `json:"version"`
	Kind    string `json:"kind"` // a code for programs
	Text    string `json:"text"` // a sentence or phrase for people
}

// kindCodes are the kinds of error as the API calls them, in the order of nacre's.
var kindCodes = []string{"internal", "invalid", "denied", "not_found", "conflict", "transient"}

var statusOf = map[nacre.Kind]int{
	nacre.Internal:  http.StatusInternalServerError,
	nacre.Invalid:   http.StatusBadRequest,
	nacre.Denied:    http.StatusForbidden,
	nacre.NotFound:  http.StatusNotFound,
	nacre.Conflict:  http.StatusConflict,
	nacre.Transient: http.StatusServiceUnavailable,
}

// newProblem is an error of a kind in words.
func newProblem(kind nacre.Kind, text string) problem {
	return problem{apiVersion, kindCodes[kind], text}
}

// inside is what is said of faults that are nobody's business outside.
const inside = "something went wrong inside; see the log of the server"

// problemOf is what the other side is told of an error.
func problemOf(err error) problem {
	kind := nacre.KindOf(err)
	if kind == nacre.Internal {
		return newProblem(kind, inside)
	}
	return newProblem(kind, err.Error())
}

// kind is the kind of error that a problem tells of; Internal if it is unknown.
func (p problem) kind() nacre.Kind { return nacre.Kind(max(0, slices.Index(kindCodes, p.Kind))) }

// answer ends a request with a problem.
func (p problem) answer(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeWait)) // anew, since it may have taken long
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(p)
}

// handler lets handlers return errors; only here they become status codes, and
// log lines where they are nobody's business outside.
type handler func(http.ResponseWriter, *http.Request) error

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	err := h(w, r)
	if err == nil {
		return
	}
	p := problemOf(err)
	if p.kind() == nacre.Internal && r.Context().Err() == nil {
		logOf(r.Context()).Error("a request failed", "method", r.Method, "path", r.URL.Path, "err", err)
	}
	if after := nacre.RetryAfter(err); after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(after.Seconds()))))
	}
	p.answer(w, statusOf[p.kind()])
}

type logKey struct{}

// logOf is the log of a request.
func logOf(ctx context.Context) *slog.Logger { return ctx.Value(logKey{}).(*slog.Logger) }

// logged lends requests a log, and makes of a panic a fault of this one alone.
func logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch p := recover(); p {
			case nil:
			case http.ErrAbortHandler:
				panic(p)
			default:
				log.Error("a request panicked", "method", r.Method, "path", r.URL.Path, "cause", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
				newProblem(nacre.Internal, inside).answer(w, http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), logKey{}, log)))
	})
}
