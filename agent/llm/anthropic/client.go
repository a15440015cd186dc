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
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// Options say which server and model a Client uses.
type Options struct {
	BaseURL   string        // up to and without /v1/messages; empty means Anthropic's own
	Key       string        // sent as x-api-key
	Model     string        // as the server names it
	MaxTokens int           // most tokens of an answer where the request leaves it open; 0 means 8192
	Client    *http.Client  // nil for one tuned for long streams
	Provider  string        // its name in errors; empty means "anthropic"
	Patience  time.Duration // longest wait for an answer to begin, for a model with a fallback; 0 leaves it to the context
}

// Client is an llm.Model. It keeps connections, so make one and share it.
type Client struct {
	endpoint  *wire.Endpoint
	host      string // to which its kept reasoning goes back
	model     string
	maxTokens int
}

const (
	ownURL  = "https://api.anthropic.com"
	version = "2023-06-01"

	// maxTokens is enough for any chat message. The API wants a limit; every
	// model it serves allows this one.
	maxTokens = 8192
)

// New returns a Client. It opens no connection; a wrong URL, key or model
// shows in the first Complete.
func New(o Options) *Client {
	base := strings.TrimRight(cmp.Or(o.BaseURL, ownURL), "/")
	c := &Client{model: o.Model, maxTokens: cmp.Or(o.MaxTokens, maxTokens)}
	if u, err := url.Parse(base); err == nil {
		c.host = u.Hostname()
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
	})
	return c
}

// Complete implements llm.Model. Besides ctx it is bounded by silence: an
// answer that has begun and then brings nothing for wire.Idle fails as Network.
// It does not try again; that is for llm.Retry.
func (c *Client) Complete(ctx context.Context, req llm.Request, emit func(string)) (llm.Response, error) {
	body, err := c.encode(&req)
	if err != nil {
		return llm.Response{}, fmt.Errorf("%s request: %w", c.endpoint.Provider, err)
	}
	a := c.newAnswer(&req, emit)
	if err := c.endpoint.Post(ctx, body, a.text, a.read); err != nil {
		return llm.Response{Usage: a.response.Usage, Model: a.response.Model}, err
	}
	return a.response, nil
}
