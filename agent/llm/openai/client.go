// Package openai is a Model over any server that speaks OpenAI's Chat
// Completions: OpenAI itself, DeepSeek, OpenRouter, Ollama, llama.cpp, vLLM.
// It is a thin client of its own because the wire format is small and stable,
// while the official library takes minutes to build and drops the fields in
// which the other servers differ.
//
// Format: https://platform.openai.com/docs/api-reference/chat.
package openai

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"nacre/agent/llm"
)

// Options say which server and model a Client uses.
type Options struct {
	BaseURL  string       // up to and without /chat/completions; empty means OpenAI's own
	Key      string       // empty for servers that want none
	Model    string       // as the server names it
	Client   *http.Client // nil for one tuned for long streams
	Provider string       // its name in errors; empty means "openai"
}

// Client is an llm.Model. It keeps connections, so make one and share it.
type Client struct {
	endpoint string
	key      string
	model    string
	provider string
	own      bool // the server is OpenAI's own
	http     *http.Client
}

const ownURL = "https://api.openai.com/v1"

// New returns a Client. It opens no connection; a wrong URL, key or model
// shows in the first Complete.
func New(o Options) *Client {
	base := strings.TrimRight(cmp.Or(o.BaseURL, ownURL), "/")
	c := &Client{
		endpoint: base + "/chat/completions",
		key:      o.Key,
		model:    o.Model,
		provider: cmp.Or(o.Provider, "openai"),
		http:     o.Client,
	}
	if u, err := url.Parse(base); err == nil {
		c.own = u.Hostname() == "api.openai.com"
	}
	if c.http == nil {
		c.http = newHTTPClient()
	}
	return c
}

// newHTTPClient is tuned for many long streams to one host. It has no timeout
// for the first byte, because a model may think for minutes; the context of
// the call bounds that. It does not ask for compression, which would make the
// server hold text back, and follows no redirect, which would turn the POST
// into a GET.
func newHTTPClient() *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         dialer.DialContext,
			ForceAttemptHTTP2:   true,
			TLSHandshakeTimeout: 10 * time.Second,
			MaxIdleConns:        256,
			MaxIdleConnsPerHost: 256,
			IdleConnTimeout:     90 * time.Second,
			DisableCompression:  true,
			// A dead HTTP/2 connection would otherwise swallow every call
			// until the kernel gives it up.
			HTTP2: &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Complete implements llm.Model. Besides ctx it is bounded by silence: an
// answer that has begun and then brings nothing for 90 s fails as Network. It
// does not try again; that is for llm.Retry.
func (c *Client) Complete(ctx context.Context, req llm.Request, emit func(string)) (llm.Response, error) {
	body, err := c.encode(req)
	if err != nil {
		return llm.Response{}, fmt.Errorf("%s request: %w", c.provider, err)
	}
	callCtx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	a := newAnswer(c.model, req, emit)
	resp, err := c.exchange(callCtx, cancel, body, a)
	if err != nil {
		return llm.Response{}, c.fault(ctx, callCtx, err, a.shown)
	}
	return resp, nil
}

// exchange sends one request and reads its answer into a. cancel ends ctx.
func (c *Client) exchange(ctx context.Context, cancel context.CancelCauseFunc, body []byte, a *answer) (llm.Response, error) {
	resp, err := c.post(ctx, body)
	if err != nil {
		return llm.Response{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return llm.Response{}, refusal(resp)
	}
	in := newPatient(io.LimitReader(resp.Body, maxAnswer), cancel)
	switch kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind {
	case "application/json":
		err = readWhole(in, a)
	case "text/html":
		err = problem{cause: llm.BadAnswer, status: resp.StatusCode, words: "it answered with a web page; check the base URL"}
	default:
		err = readStream(in, a)
	}
	if err != nil {
		return llm.Response{}, err
	}
	return a.response()
}

func (c *Client) post(ctx context.Context, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("User-Agent", "nacre")
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	// An empty key is not sent; it tells net/http that this POST may be sent
	// again when a kept connection turns out to be closed.
	r.Header["Idempotency-Key"] = nil
	return c.http.Do(r)
}

// readWhole reads the answer of a server that does not stream.
func readWhole(in *patient, a *answer) error {
	raw, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	return a.event(raw)
}

// readStream reads the events of a streaming server. The usage comes in an
// event after the one that ends the text, so it reads on until [DONE] or the
// end of the body. Once the text has ended, nothing that goes wrong with the
// rest can spoil the answer.
func readStream(in *patient, a *answer) error {
	events := newEvents(in)
	for {
		data, err := events.next()
		ended := a.finish != ""
		switch {
		case err != nil && ended:
			return nil
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return errCut
		case err != nil:
			return err
		case string(data) == "[DONE]":
			in.drain()
			return nil
		}
		if err := a.event(data); err != nil && !ended {
			return err
		}
		if a.finish != "" {
			in.wait = tail
		}
	}
}
