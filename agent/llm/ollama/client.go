// Package ollama is a Model over a local Ollama by its own chat endpoint. The
// OpenAI format that Ollama speaks too cannot set the window of a model, and
// prompts longer than its small default are cut there without a word.
//
// Format: https://docs.ollama.com/api/chat and, for what that page leaves out,
// https://github.com/ollama/ollama/blob/main/api/types.go.
package ollama

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// DefaultURL is where Ollama listens when nobody told it otherwise.
const DefaultURL = "http://127.0.0.1:11434"

// Options say which server and model a Client uses.
type Options struct {
	BaseURL  string        // up to and without /api; empty means DefaultURL
	Model    string        // as "ollama list" names it
	Window   int           // tokens of prompt and answer together; 0 leaves it to the server, often 4,096
	Client   *http.Client  // nil for one tuned for long streams
	Provider string        // its name in errors; empty means "ollama"
	Patience time.Duration // longest wait for an answer to begin, which includes loading the model; 0 leaves it to the context
	Silence  time.Duration // longest silence inside an answer; 0 means wire.Idle
}

// Client is an llm.Model. It keeps connections, so make one and share it.
type Client struct {
	endpoint *wire.Endpoint
	model    string
	window   int
	toolless atomic.Bool // the model has refused tools
}

// New returns a Client. It opens no connection; a wrong URL or model shows in
// the first Complete.
func New(o Options) *Client {
	return &Client{
		endpoint: wire.New(wire.Endpoint{
			Provider: cmp.Or(o.Provider, "ollama"),
			URL:      address(o.BaseURL, "/api/chat"),
			Header:   http.Header{"Accept": {"application/x-ndjson"}},
			Client:   o.Client,
			Patience: o.Patience,
			Silence:  o.Silence,
		}),
		model:  o.Model,
		window: o.Window,
	}
}

func address(base, path string) string {
	return strings.TrimRight(cmp.Or(base, DefaultURL), "/") + path
}

// Complete implements llm.Model. Besides ctx it is bounded by Options.Silence: an
// answer that has begun and then brings nothing for so long fails as Network.
//
// A model that cannot use tools answers without them, from then on. A prompt
// that exceeds the window fails as TooLong rather than be cut, which Ollama is
// asked for in every request. Versions before 0.12.6 cut it nevertheless; that
// shows in their count of the prompt, and fails as well unless text was emitted
// by then.
func (c *Client) Complete(ctx context.Context, req llm.Request, emit func(string)) (llm.Response, error) {
	if c.toolless.Load() {
		req.Tools = nil
	}
	resp, err := c.complete(ctx, &req, emit)
	if len(req.Tools) > 0 && refusesTools(err) {
		c.toolless.Store(true)
		req.Tools = nil
		resp, err = c.complete(ctx, &req, emit)
	}
	return resp, err
}

func (c *Client) complete(ctx context.Context, req *llm.Request, emit func(string)) (llm.Response, error) {
	body, err := c.encode(req)
	if err != nil {
		return llm.Response{}, fmt.Errorf("%s request: %w", c.endpoint.Provider, err)
	}
	a := c.newAnswer(req, emit)
	if err := c.endpoint.Post(ctx, body, a.text, a.read); err != nil {
		return llm.Response{Usage: a.response.Usage, Model: a.response.Model}, c.explain(err)
	}
	a.response.Model = cmp.Or(a.response.Model, c.model)
	return a.response, nil
}

func refusesTools(err error) bool {
	var e *llm.Error
	return errors.As(err, &e) && e.Status == http.StatusBadRequest && strings.Contains(e.Message, "does not support tools")
}

// explain sorts what only Ollama says, and tells what to do about a model that
// is not there.
func (c *Client) explain(err error) error {
	var e *llm.Error
	if !errors.As(err, &e) {
		return err
	}
	switch {
	case exceeds(e.Message):
		e.Cause = llm.TooLong
	case e.Status == http.StatusNotFound && strings.HasPrefix(e.Message, "model "):
		e.Message = fmt.Sprintf("the model %s is not there; get it with: ollama pull %s", c.model, c.model)
	}
	return e
}

// exceeds reports whether Ollama complains about the length of the prompt, in
// the words of its versions since 0.12.6 and since 0.33; wire knows those of
// its engine, which it passes on since 0.34.
func exceeds(words string) bool {
	return strings.Contains(words, "input length exceeds the context length") ||
		strings.Contains(words, "prompt is longer than the context length")
}
