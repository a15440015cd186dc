// Package embed asks a server for vectors of texts that are close where the texts
// mean the same: any server that speaks OpenAI's embeddings, or an Ollama.
//
// Formats: https://platform.openai.com/docs/api-reference/embeddings and
// https://docs.ollama.com/api/embed.
package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// Kind is a format.
type Kind string

// The kinds.
const (
	OpenAI Kind = "openai"
	Ollama Kind = "ollama"
)

// Options say which server and model a Client uses.
type Options struct {
	Kind       Kind
	BaseURL    string // up to and without /embeddings or /api/embed
	Key        string // empty for servers that want none
	Model      string // as the server names it
	Dimensions int    // of the vectors, for models that can be told; 0 leaves it to the model
	Provider   string // its name in errors and in Name; empty means the Kind
	Client     *http.Client

	// Allow, if set, is asked before each request on an account's behalf; its error
	// is what becomes of the call. Count, if set, is told what the server counted,
	// or an estimate where it tells nothing.
	Allow func(ctx context.Context, account string) error
	Count func(account string, used llm.Usage)
}

// Client turns texts into vectors. It keeps connections, so make one and share it.
type Client struct {
	endpoint *wire.Endpoint
	o        Options
}

const (
	patience = 60 * time.Second // for an answer to begin, which includes loading the model
	longest  = 5 * time.Minute  // of one Embed, whatever has to be tried again
)

// New returns a Client. It opens no connection; a wrong URL, key or model shows in
// the first Embed.
func New(o Options) *Client {
	o.Provider = cmp.Or(o.Provider, string(o.Kind))
	header := http.Header{"Accept": {"application/json"}}
	if o.Key != "" {
		header.Set("Authorization", "Bearer "+o.Key)
	}
	path := "/embeddings"
	if o.Kind == Ollama {
		path = "/api/embed"
	}
	return &Client{o: o, endpoint: wire.New(wire.Endpoint{
		Provider: o.Provider,
		URL:      strings.TrimRight(o.BaseURL, "/") + path,
		Header:   header,
		Secret:   o.Key,
		Client:   o.Client,
		Patience: patience,
	})}
}

// Name says which model makes the vectors, and how long they are if that was
// chosen: those of different names do not compare.
func (c *Client) Name() string {
	name := c.o.Provider + "/" + c.o.Model
	if c.o.Dimensions > 0 {
		name += fmt.Sprintf("@%d", c.o.Dimensions)
	}
	return name
}

// Embed returns a vector for each text, all of one length, and counts what that
// uses for an account. Long texts count by
// their beginning. Failures that pass are tried again, for five minutes at most
// in all. The error is ctx.Err() once ctx has ended, that of Allow, or an
// *llm.Error.
func (c *Client) Embed(ctx context.Context, account string, texts []string) ([][]float32, error) {
	timed, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	vectors := make([][]float32, 0, len(texts))
	for len(vectors) < len(texts) {
		made, err := c.batch(timed, account, batch(texts[len(vectors):]))
		if err != nil {
			return nil, c.late(ctx, err)
		}
		vectors = append(vectors, made...)
	}
	if err := equallyLong(vectors); err != nil {
		return nil, c.senseless(err)
	}
	return vectors, nil
}

// late tells our own deadline, which is the network's fault, from that of ctx.
func (c *Client) late(ctx context.Context, err error) error {
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return &llm.Error{Cause: llm.Network, Provider: c.o.Provider, Message: "it took too long", Err: err}
	}
	return err
}

// batch asks for the vectors of one request. Where the texts are too long for the
// model, whose tokens nobody can count here, a shorter beginning has to do.
func (c *Client) batch(ctx context.Context, account string, texts []string) ([][]float32, error) {
	vectors, err := c.persist(ctx, account, beginnings(texts, longText))
	if e, ok := errors.AsType[*llm.Error](err); ok && e.Cause == llm.TooLong {
		return c.persist(ctx, account, beginnings(texts, shortText))
	}
	return vectors, err
}

// attempt is one request in the form of a Model, which llm.Retry tries again.
type attempt func(ctx context.Context) error

// Complete implements llm.Model.
func (a attempt) Complete(ctx context.Context, _ llm.Request, _ func(string)) (llm.Response, error) {
	return llm.Response{}, a(ctx)
}

// persist asks until it is answered, or for as long as llm.Retry does.
func (c *Client) persist(ctx context.Context, account string, texts []string) (vectors [][]float32, err error) {
	ask := attempt(func(ctx context.Context) error {
		vectors, err = c.ask(ctx, account, texts)
		return err
	})
	_, err = llm.Retry(ask, llm.Policy{}).Complete(ctx, llm.Request{}, nil)
	return vectors, err
}

// ask sends one request.
func (c *Client) ask(ctx context.Context, account string, texts []string) ([][]float32, error) {
	if c.o.Allow != nil {
		if err := c.o.Allow(ctx, account); err != nil {
			return nil, err
		}
	}
	body, err := wire.Encode(request{Model: c.o.Model, Input: texts, Dimensions: c.o.Dimensions})
	if err != nil {
		return nil, err
	}
	var got answer
	err = c.endpoint.Post(ctx, body, wire.NewText(nil), func(in *wire.Body) error {
		var err error
		got, err = read(c.o.Kind, in, len(texts))
		return err
	})
	if err == nil && c.o.Count != nil {
		c.o.Count(account, llm.Usage{Input: cmp.Or(got.tokens, len(body)/bytesPerToken)})
	}
	return got.vectors, err
}

// bytesPerToken is what a token holds, about, in most languages.
const bytesPerToken = 4

func (c *Client) senseless(err error) error {
	return &llm.Error{Cause: llm.BadAnswer, Provider: c.o.Provider, Message: err.Error()}
}
