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
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
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
	Silence  time.Duration // longest silence inside an answer; 0 means wire.Idle
}

// Client is an llm.Model. It keeps connections, so make one and share it.
type Client struct {
	endpoint    *wire.Endpoint
	host        string // whose peculiarities count
	origin      string // to which its kept reasoning goes back
	model       string
	thoughtless atomic.Bool // the model takes tools only if it does not reason
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
		c.origin = cmp.Or(o.Provider, "openai") + "@" + u.Host
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
		Silence:  o.Silence,
	})
	return c
}

// Complete implements llm.Model. Besides ctx it is bounded by Options.Silence: an
// answer that has begun and then brings nothing for so long fails as Network.
// It does not try again; that is for llm.Retry.
//
// Some of OpenAI's own models, since GPT-5.4, refuse tools in this format while
// they reason. Such a one answers without reasoning where there are tools, from
// then on; one that cannot do without either fails as BadRequest.
func (c *Client) Complete(ctx context.Context, req llm.Request, emit func(string)) (llm.Response, error) {
	thoughtless := c.thoughtless.Load()
	resp, err := c.complete(ctx, &req, thoughtless, emit)
	if !thoughtless && c.host == ownHost && len(req.Tools) > 0 && refusesEffort(err) {
		if resp, err = c.complete(ctx, &req, true, emit); err == nil {
			c.thoughtless.Store(true)
		}
	}
	return resp, err
}

func (c *Client) complete(ctx context.Context, req *llm.Request, thoughtless bool, emit func(string)) (llm.Response, error) {
	body, err := c.encode(req, thoughtless)
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

// refusesEffort reports whether err is the one of
// https://community.openai.com/t/1386454: "Function tools with reasoning_effort
// are not supported for … in /v1/chat/completions. To use function tools, use
// /v1/responses or set reasoning_effort to 'none'."
func refusesEffort(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && e.Status == http.StatusBadRequest && !e.Streamed && strings.Contains(e.Message, "reasoning_effort") && strings.Contains(e.Message, "tools")
}
