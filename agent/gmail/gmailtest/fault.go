package gmailtest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Fault makes requests fail.
type Fault struct {
	Path       string // how the path of the requests begins
	Times      int    // how many requests it meets; less than 0 for all
	Status     int
	Reason     string        // as Google gives it, such as rateLimitExceeded; for /token the error, such as invalid_grant
	RetryAfter string        // the header, if not empty
	Body       string        // instead of Google's form of an error
	Location   string        // where it redirects to, if not empty
	Slow       time.Duration // how long nothing comes; the request is answered as usual then, if there is no Status
	Cut        bool          // the connection is closed without an answer
}

// Break makes requests fail from now on. The oldest fault that fits a request meets it.
func (g *Google) Break(f Fault) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.faults = append(g.faults, &f)
}

// Fail makes the next n requests of a path fail with a status and Google's reason.
func (g *Google) Fail(path string, n, status int, reason string) {
	g.Break(Fault{Path: path, Times: n, Status: status, Reason: reason})
}

// Heal takes all faults away that were not met.
func (g *Google) Heal() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.faults = nil
}

// fault takes the fault that meets a request.
func (g *Google) fault(path string) (Fault, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, f := range g.faults {
		if f.Times != 0 && strings.HasPrefix(path, f.Path) {
			f.Times--
			return *f, true
		}
	}
	return Fault{}, false
}

// answer fails a request. It reports whether there is nothing more to answer.
func (f Fault) answer(w http.ResponseWriter, r *http.Request) bool {
	if f.Slow > 0 {
		select {
		case <-time.After(f.Slow):
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
	}
	if f.Cut {
		panic(http.ErrAbortHandler)
	}
	if f.Status == 0 {
		return false
	}
	f.refuse(w, r)
	return true
}

// refuse answers with what is wrong.
func (f Fault) refuse(w http.ResponseWriter, r *http.Request) {
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	if f.Location != "" {
		w.Header().Set("Location", f.Location)
	}
	switch {
	case f.Body != "":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(f.Status)
		w.Write([]byte(f.Body))
	case strings.HasPrefix(r.URL.Path, "/gmail/"):
		refuse(w, f.Status, f.Reason)
	default:
		refuseToken(w, f.Status, f.Reason)
	}
}

// refuse is how Gmail refuses.
func refuse(w http.ResponseWriter, status int, reason string) {
	words := "words of Google for " + reason
	send(w, status, map[string]any{"error": map[string]any{
		"code": status, "message": words, "status": strings.ToUpper(strconv.Itoa(status)),
		"errors": []map[string]string{{"message": words, "domain": "global", "reason": reason}},
	}})
}

// refuseToken is how the token endpoint refuses.
func refuseToken(w http.ResponseWriter, status int, reason string) {
	send(w, status, map[string]string{"error": reason, "error_description": "words of Google for " + reason})
}

// send answers with JSON.
func send(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}
