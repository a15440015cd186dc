package llm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Record returns a Model that asks m and writes each call to w as one line of
// JSON, an Exchange, when it has ended. It makes recordings for tests, which
// llmtest.Replay answers from, and no log: the lines hold the whole prompt. A
// line that cannot be written is an error of the call. Calls may run at once;
// each line is one Write.
func Record(m Model, w io.Writer) Model {
	return &recorder{model: m, out: w}
}

type recorder struct {
	model Model

	mu  sync.Mutex // guards out
	out io.Writer
}

func (r *recorder) Complete(ctx context.Context, req Request, emit func(string)) (Response, error) {
	x := NewExchange(req)
	noted := emit
	if emit != nil {
		noted = func(text string) {
			x.Pieces = append(x.Pieces, text)
			emit(text)
		}
	}
	resp, err := r.model.Complete(ctx, req, noted)
	x.end(resp, err)
	if werr := r.write(x); werr != nil {
		return resp, errors.Join(err, fmt.Errorf("write the recording: %w", werr))
	}
	return resp, err
}

func (r *recorder) write(x *Exchange) error {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := r.out.Write(line.Bytes())
	return err
}

// Exchange is one call of a Model as a recording holds it.
type Exchange struct {
	Request  recordedRequest   `json:"request"`
	Pieces   []string          `json:"pieces,omitempty"` // what was emitted
	Response *recordedResponse `json:"response,omitempty"`
	Error    *recordedError    `json:"error,omitempty"`
}

// The parts of an Exchange have the names of what they record. Arguments of
// calls are text, because they may be no JSON, and images only what tells them
// apart. The Account and the CacheKey are left out: they are not the prompt.
type (
	recordedRequest struct {
		System    string            `json:"system,omitempty"`
		Tools     []recordedTool    `json:"tools,omitempty"`
		Messages  []recordedMessage `json:"messages"`
		Tail      string            `json:"tail,omitempty"`
		MaxTokens int               `json:"max_tokens,omitempty"`
	}
	recordedTool struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"schema,omitempty"`
	}
	recordedMessage struct {
		Message
		Images []recordedImage `json:"images,omitempty"`
		Calls  []recordedCall  `json:"calls,omitempty"`
	}
	recordedImage struct {
		MIME   string `json:"mime"`
		Bytes  int    `json:"bytes"`
		SHA256 string `json:"sha256"`
	}
	recordedCall struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		Args string `json:"args"`
	}
	recordedResponse struct {
		Text  string          `json:"text,omitempty"`
		Calls []recordedCall  `json:"calls,omitempty"`
		Stop  Stop            `json:"stop,omitempty"`
		Usage recordedUsage   `json:"usage"`
		Blob  json.RawMessage `json:"blob,omitempty"`
		Model string          `json:"model,omitempty"`
	}
	recordedUsage struct {
		Input      int `json:"input,omitempty"`
		Output     int `json:"output,omitempty"`
		CacheRead  int `json:"cache_read,omitempty"`
		CacheWrite int `json:"cache_write,omitempty"`
	}
	recordedError struct {
		Cause    Cause         `json:"cause,omitempty"` // empty for what is no *Error
		Provider string        `json:"provider,omitempty"`
		Status   int           `json:"status,omitempty"`
		Message  string        `json:"message,omitempty"`
		After    time.Duration `json:"after,omitempty"` // nanoseconds
		Streamed bool          `json:"streamed,omitempty"`
	}
)

// NewExchange returns an Exchange that has no answer yet.
func NewExchange(req Request) *Exchange {
	x := &Exchange{Request: recordedRequest{System: req.System, Tail: req.Tail, MaxTokens: req.MaxTokens}}
	for _, t := range req.Tools {
		x.Request.Tools = append(x.Request.Tools, recordedTool(t))
	}
	for _, m := range req.Messages {
		out := recordedMessage{Message: m, Calls: recordCalls(m.Calls)}
		for _, i := range m.Images {
			out.Images = append(out.Images, recordedImage{i.MIME, len(i.Data), fmt.Sprintf("%x", sha256.Sum256(i.Data))})
		}
		x.Request.Messages = append(x.Request.Messages, out)
	}
	return x
}

func recordCalls(calls []ToolCall) []recordedCall {
	var out []recordedCall
	for _, c := range calls {
		out = append(out, recordedCall{c.ID, c.Name, string(c.Args)})
	}
	return out
}

// end takes in what became of the call.
func (x *Exchange) end(r Response, err error) {
	if err == nil || r.Usage != (Usage{}) {
		x.Response = &recordedResponse{r.Text, recordCalls(r.Calls), r.Stop, recordedUsage(r.Usage), r.Blob, r.Model}
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		x.Error = &recordedError{e.Cause, e.Provider, e.Status, e.Message, e.After, e.Streamed}
	case err != nil:
		x.Error = &recordedError{Message: err.Error()}
	}
}

// Answer returns what Complete returned, as far as it was recorded.
func (x *Exchange) Answer() (Response, error) {
	var resp Response
	if r := x.Response; r != nil {
		resp = Response{Text: r.Text, Stop: r.Stop, Usage: Usage(r.Usage), Blob: r.Blob, Model: r.Model}
		for _, c := range r.Calls {
			resp.Calls = append(resp.Calls, ToolCall{c.ID, c.Name, json.RawMessage(c.Args)})
		}
	}
	switch e := x.Error; {
	case e == nil:
		return resp, nil
	case e.Cause == "":
		return resp, errors.New(e.Message)
	default:
		return resp, &Error{Cause: e.Cause, Provider: e.Provider, Status: e.Status, Message: e.Message, After: e.After, Streamed: e.Streamed}
	}
}
