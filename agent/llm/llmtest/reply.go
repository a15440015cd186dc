package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf16"

	"nacre/agent/llm"
)

// Reply is one scripted answer of a double of a provider's server, which sends
// it in that provider's format. The zero Reply echoes.
type Reply struct {
	Gate *Gate // wait here first, if set

	// A refusal, for a Status other than 0 and 200.
	Status     int
	RetryAfter string // the header
	Message    string // the provider's words; also those of Break
	Code       string // such as insufficient_quota or, for Anthropic, overloaded_error
	HTML       bool   // the body is a web page, as proxies send

	// An answer. Without Text and Calls it is the echo.
	Text      string
	Calls     []llm.ToolCall
	Reasoning string // sent apart from the text
	Finish    string // the provider's own word; empty means the usual one
	Usage     llm.Usage
	Whole     bool // ignore that a stream was asked for

	// How a stream is sent, and how it fails.
	Pause    time.Duration // before every event
	Comments bool          // ": OPENROUTER PROCESSING" before every event
	CRLF     bool          // line ends as some proxies make them
	Halves   bool          // one character a delta, and emoji in two escaped halves
	Cut      bool          // drop the connection half-way
	Break    bool          // half-way, an error object instead of the rest
}

type object = map[string]any

func send(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

// refuses reports whether r is a refusal rather than an answer.
func (r Reply) refuses() bool { return r.Status != 0 && r.Status != http.StatusOK }

// refuse sends a refusal, whose error object has the provider's form.
func (r Reply) refuse(w http.ResponseWriter, complaint object) {
	if r.RetryAfter != "" {
		w.Header().Set("Retry-After", r.RetryAfter)
	}
	if r.HTML {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(r.Status)
		fmt.Fprintf(w, "<html><body><h1>%d</h1><hr>proxy</body></html>\n", r.Status)
		return
	}
	send(w, r.Status, complaint)
}

// stream sends the events one by one, with the faults of r. Each is written as
// it is, line ends included; broken is the one that Break sends.
func (r Reply) stream(w http.ResponseWriter, req *http.Request, contentType string, events []string, broken string) {
	w.Header().Set("Content-Type", contentType)
	for i, e := range events {
		if !r.pause(req) {
			return
		}
		half := i == len(events)/2
		if half && r.Cut {
			panic(http.ErrAbortHandler)
		}
		if half && r.Break {
			r.write(w, broken)
			return
		}
		r.write(w, e)
	}
}

// pause waits before an event; false means that the client has gone.
func (r Reply) pause(req *http.Request) bool {
	if r.Pause == 0 {
		return true
	}
	select {
	case <-time.After(r.Pause):
		return true
	case <-req.Context().Done():
		return false
	}
}

func (r Reply) write(w http.ResponseWriter, event string) {
	if r.Comments {
		event = ": OPENROUTER PROCESSING\n\n" + event
	}
	if r.CRLF {
		event = strings.ReplaceAll(event, "\n", "\r\n")
	}
	w.Write([]byte(event))
	w.(http.Flusher).Flush()
}

// literals are the JSON strings of the text deltas: a word each, or with
// Halves a UTF-16 unit each.
func (r Reply) literals() []string {
	var out []string
	if r.Halves {
		for _, unit := range utf16.Encode([]rune(r.Text)) {
			out = append(out, fmt.Sprintf(`"\u%04x"`, unit))
		}
		return out
	}
	for piece := range strings.SplitAfterSeq(r.Text, " ") {
		out = append(out, marshal(piece))
	}
	return out
}

// marshal encodes what is made of plain values and cannot fail.
func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
