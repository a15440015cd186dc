// Package anthropic is a Model over Anthropic's Messages API. It is a thin
// client of its own for the reasons of package openai, and speaks the native
// format because only that has cache breakpoints, counts of cached tokens and
// reasoning that can be sent back.
//
// Format: https://platform.claude.com/docs/en/api/messages.
package anthropic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// Options say which server and model a Client uses.
type Options struct {
	BaseURL   string        // up to and without /v1/messages; empty means Anthropic's own
	Key       string        // sent as x-api-key
	Model     string        // as the server names it
	MaxTokens int           // most tokens of an answer, reasoning included, where the request leaves it open; 0 means 16,000
	Client    *http.Client  // nil for one tuned for long streams
	Provider  string        // its name in errors; empty means "anthropic"
	Patience  time.Duration // longest wait for an answer to begin, for a model with a fallback; 0 leaves it to the context
	Silence   time.Duration // longest silence inside an answer; 0 means wire.Idle
}

// Client is an llm.Model. It keeps connections, so make one and share it.
type Client struct {
	endpoint   *wire.Endpoint
	origin     string // to which its kept reasoning goes back
	model      string
	maxTokens  int
	forgetting atomic.Bool // it does not take its reasoning back
}

const (
	ownURL  = "https://api.anthropic.com"
	version = "2023-06-01"

	// maxTokens leaves room for reasoning, which counts, before any chat message.
	// The API wants a limit; every model since Claude 4 allows twice this one.
	maxTokens = 16_000
)

// New returns a Client. It opens no connection; a wrong URL, key or model
// shows in the first Complete.
func New(o Options) *Client {
	base := strings.TrimRight(cmp.Or(o.BaseURL, ownURL), "/")
	c := &Client{model: o.Model, maxTokens: cmp.Or(o.MaxTokens, maxTokens)}
	if u, err := url.Parse(base); err == nil {
		c.origin = cmp.Or(o.Provider, "anthropic") + "@" + u.Host
	}
	header := http.Header{"Accept": {"text/event-stream"}}
	header.Set("anthropic-version", version)
	if o.Key != "" {
		header.Set("x-api-key", o.Key)
	}
	c.endpoint = wire.New(wire.Endpoint{
		Provider: cmp.Or(o.Provider, "anthropic"),
		URL:      base + "/v1/messages",
		Header:   header,
		Secret:   o.Key,
		Client:   o.Client,
		Patience: o.Patience,
		Silence:  o.Silence,
	})
	return c
}

// Complete implements llm.Model. Besides ctx it is bounded by Options.Silence: an
// answer that has begun and then brings nothing for so long fails as Network.
// It does not try again; that is for llm.Retry.
//
// Reasoning that led to tool calls goes back with them, except to models that
// bind it to all that stood before it, as those since Claude Fable 5.1 do:
// there stood the Tail, which no later request repeats. Such a model refuses the
// request, which is then made again without any reasoning, as the API allows,
// and so are all later ones.
// Format: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking.
func (c *Client) Complete(ctx context.Context, req llm.Request, emit func(string)) (llm.Response, error) {
	if c.forgetting.Load() {
		req = forget(req)
	}
	resp, err := c.complete(ctx, &req, emit)
	if refusesThinking(err) && c.reminds(&req) {
		req = forget(req)
		if resp, err = c.complete(ctx, &req, emit); err == nil {
			c.forgetting.Store(true)
		}
	}
	return resp, err
}

// forget returns req without any reasoning.
func forget(req llm.Request) llm.Request {
	req.Messages = slices.Clone(req.Messages)
	for i := range req.Messages {
		req.Messages[i].Blob = nil
	}
	return req
}

// reminds reports whether req sends reasoning back.
func (c *Client) reminds(req *llm.Request) bool {
	return slices.ContainsFunc(req.Messages, func(m llm.Message) bool { return len(c.thoughts(&m)) > 0 })
}

func (c *Client) complete(ctx context.Context, req *llm.Request, emit func(string)) (llm.Response, error) {
	body, err := c.encode(req)
	if err != nil {
		return llm.Response{}, fmt.Errorf("%s request: %w", c.endpoint.Provider, err)
	}
	a := c.newAnswer(req, emit)
	if err := c.endpoint.Post(ctx, body, a.text, a.read); err != nil {
		return llm.Response{Usage: a.response.Usage, Model: a.response.Model}, err
	}
	a.response.Model = cmp.Or(a.response.Model, c.model)
	return a.response, nil
}

// refusesThinking reports whether err complains about a block of reasoning:
// "Invalid `signature` in `thinking` block. The block is bound to a different
// conversation. …" and the like.
func refusesThinking(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && e.Status == http.StatusBadRequest && !e.Streamed && strings.Contains(e.Message, "thinking")
}
