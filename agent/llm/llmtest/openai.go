package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"nacre/agent/llm"
)

// Reply is one scripted answer of the OpenAI double. The zero Reply echoes.
type Reply struct {
	Gate *Gate // wait here first, if set

	// A refusal, for a Status other than 0 and 200.
	Status     int
	RetryAfter string // the header
	Message    string // the provider's words; also those of Break
	Code       string // such as insufficient_quota
	HTML       bool   // the body is a web page, as proxies send

	// An answer. Without Text and Calls it is the echo.
	Text      string
	Calls     []llm.ToolCall
	Reasoning string // sent as reasoning_content
	Finish    string // empty means tool_calls with Calls, else stop
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

// Received is one request as it arrived.
type Received struct {
	Header http.Header
	Body   []byte
}

// OpenAI is an http.Handler that answers Chat Completions at any path that ends
// in /chat/completions. Requests take the replies of its script in the order of
// their arrival. Set the exported fields before it serves. The zero OpenAI
// echoes.
type OpenAI struct {
	Strict bool   // refuse with 400 what Check refuses
	Key    string // refuse with 401 any other key, if set

	mu       sync.Mutex // guards what follows
	replies  []Reply
	received []Received
}

// Push adds replies to the end of the script.
func (o *OpenAI) Push(replies ...Reply) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.replies = append(o.replies, replies...)
}

// Received returns every request so far, refused ones included.
func (o *OpenAI) Received() []Received {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.received)
}

// ServeHTTP implements http.Handler.
func (o *OpenAI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		Reply{Status: http.StatusNotFound, Message: "no such path"}.refuse(w)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	in, reply := o.take(r.Header, body)
	if reply.Gate.pass(r.Context()) != nil {
		return
	}
	switch {
	case reply.Status != 0 && reply.Status != http.StatusOK:
		reply.refuse(w)
	case in.Stream && !reply.Whole:
		reply.stream(w, r, in)
	default:
		send(w, http.StatusOK, reply.whole(in))
	}
}

// take records a request and returns the reply to it. A request that the
// server itself refuses takes none from the script.
func (o *OpenAI) take(h http.Header, body []byte) (completion, Reply) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.received = append(o.received, Received{h.Clone(), body})
	if got := h.Get("Authorization"); o.Key != "" && got != "Bearer "+o.Key {
		return completion{}, Reply{Status: http.StatusUnauthorized, Code: "invalid_api_key",
			Message: "Incorrect API key provided: " + strings.TrimPrefix(got, "Bearer ")}
	}
	var in completion
	err := json.Unmarshal(body, &in)
	if err == nil {
		err = in.check(o.Strict)
	}
	if err != nil {
		return completion{}, Reply{Status: http.StatusBadRequest, Code: "invalid_request_error", Message: err.Error()}
	}
	var reply Reply
	if len(o.replies) > 0 {
		reply, o.replies = o.replies[0], o.replies[1:]
	}
	if reply.Text == "" && len(reply.Calls) == 0 && reply.Reasoning == "" {
		reply.Text = Echo(in.request())
	}
	if reply.Usage == (llm.Usage{}) {
		reply.Usage = llm.Usage{Input: len(body) / 4, Output: len(reply.Text)/4 + 1}
	}
	return in, reply
}

// completion is the body of a request, as far as the double looks at it.
type completion struct {
	Model         string `json:"model"`
	Stream        bool   `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Messages []struct {
		Role       string  `json:"role"`
		Content    *string `json:"content"`
		ToolCallID string  `json:"tool_call_id"`
		ToolCalls  []struct {
			ID       string `json:"id"`
			Type     string `json:"type"`
			Function struct {
				Name      string `json:"name"`
				Arguments string `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"messages"`
}

func (c *completion) check(strict bool) error {
	switch {
	case c.Model == "":
		return fmt.Errorf("you must provide a model parameter")
	case len(c.Messages) == 0:
		return fmt.Errorf("messages is too short")
	case strict:
		return Check(c.request())
	}
	return nil
}

// request is the conversation without its system messages.
func (c *completion) request() llm.Request {
	var req llm.Request
	for _, m := range c.Messages {
		if m.Role == "system" {
			continue
		}
		out := llm.Message{Role: llm.Role(m.Role), CallID: m.ToolCallID}
		if m.Content != nil {
			out.Text = *m.Content
		}
		for _, t := range m.ToolCalls {
			out.Calls = append(out.Calls, llm.ToolCall{ID: t.ID, Name: t.Function.Name, Args: json.RawMessage(t.Function.Arguments)})
		}
		req.Messages = append(req.Messages, out)
	}
	return req
}
