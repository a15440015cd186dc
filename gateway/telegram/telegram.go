// Package telegram is a gateway.Channel over the Telegram Bot API. It polls for
// updates and moves the offset, by which Telegram learns that we have them,
// only past updates that the gateway has stored. The library
// go-telegram-bot-api carries the requests; its types stay in api.go and its
// parameters in the calls.
package telegram

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"

	"nacre"
	"nacre/gateway"
)

// Options say which bot to be and how to reach the Bot API.
type Options struct {
	// Token is the bot's secret from @BotFather. It leaves the package only
	// inside request URLs.
	Token string

	// API is the base URL of the Bot API; empty means https://api.telegram.org.
	API string

	// Dial makes connections; nil uses the machine's network.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Webhook makes Telegram call us; the zero Webhook polls.
	Webhook Webhook

	// Log takes what an operator may want to know; nil discards it.
	Log *slog.Logger
}

// Channel is one bot. It is a gateway.Channel, a gateway.Typer, a
// gateway.Streamer, a gateway.Fetcher and a gateway.Reporter, and its methods
// may be called from many goroutines; Run from one at a time.
type Channel struct {
	api     *api
	log     *slog.Logger
	webhook Webhook

	limits    limiter
	glimpses  glimpses
	draftless atomic.Bool // the server knows no drafts

	mu    sync.Mutex // guards all below
	ok    bool
	words string
	host  gateway.Host // nil before the first Run
	door  *receiver    // of webhook calls; nil while there is none
}

// New returns a Channel that has not spoken with Telegram yet, so that a start
// without network succeeds.
func New(o Options) *Channel {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Channel{
		api:     newAPI(o),
		log:     log.With("channel", nacre.Telegram),
		webhook: o.Webhook,
		words:   "not connected yet",
	}
}

// Name is nacre.Telegram.
func (c *Channel) Name() nacre.ChannelName { return nacre.Telegram }

// State says whether updates arrive, in words for the operator.
func (c *Channel) State() (ok bool, words string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ok, c.words
}

func (c *Channel) setState(ok bool, words string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ok, c.words = ok, words
}

// currentHost is the host of the latest Run.
func (c *Channel) currentHost() gateway.Host {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.host
}

func (c *Channel) setHost(host gateway.Host) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.host = host
}

// Probe asks Telegram for the bot's name, which changes nothing.
func (c *Channel) Probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var me user
	return c.api.call(ctx, "getMe", nil, &me)
}
