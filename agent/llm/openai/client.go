// Package openai is a Model over any server that speaks OpenAI's Chat
// Completions: OpenAI itself, DeepSeek, OpenRouter, llama.cpp, vLLM. It is a
// thin client of its own because the wire format is small and stable, while the
// official library takes minutes to build and drops the fields in which the
// other servers differ.
//
// Format: https://platform.openai.com/docs/api-reference/chat.
package openai

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
	BaseURL  string        // up to and without /chat/completions; empty means OpenAI's own
	Key      string        // empty for servers that want none
	Model    string        // as the server names it
	Client   *http.Client  // nil for one tuned for long streams
	Provider string        // its name in errors; empty means "openai"
	Patience time.Duration // longest wait for an answer to begin, for a model with a fallback; 0 leaves it to the context
}

// Client is an llm.Model. It keeps connections, so make one and share it.
type Client struct {
	endpoint *wire.Endpoint
	host     string // whose peculiarities count
	model    string
}

// The hosts whose format has more than what all servers share.
const (
	ownHost    = "api.openai.com"
	deepSeek   = "api.deepseek.com"
	openRouter = "openrouter.ai"
)

// New returns a Client. It opens no connection; a wrong URL, key or model
// shows in the first Complete.
func New(o Options) *Client {
	base := strings.TrimRight(cmp.Or(o.BaseURL, "https://"+ownHost+"/v1"), "/")
	c := &Client{model: o.Model}
	if u, err := url.Parse(base); err == nil {
		c.host = u.Hostname()
	}
	header := http.Header{"Accept": {"text/event-stream"}}
	if o.Key != "" {
		header.Set("Authorization", "Bearer "+o.Key)
	}
	c.endpoint = wire.New(wire.Endpoint{
		Provider: cmp.Or(o.Provider, "openai"),
		URL:      base + "/chat/completions",
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
