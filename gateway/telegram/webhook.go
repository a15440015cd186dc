package telegram

import (
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"time"

	"nacre"
	"nacre/gateway"
)

// Webhook is how Telegram calls us instead of being polled. Whoever serves
// HTTP sends what arrives at the URL to Channel.ServeHTTP. With the zero
// Webhook the channel polls.
type Webhook struct {
	// URL is what Telegram calls: https, on port 443, 80, 88 or 8443.
	URL string

	// Secret comes with every call and proves that it is Telegram's: 1 to 256
	// letters, digits, "_" and "-", known to nobody else.
	Secret string
}

const (
	secretHeader = "X-Telegram-Bot-Api-Secret-Token"
	updateLimit  = 1 << 20 // bytes of one update; they are some kB

	// checkEvery is how often we look whether Telegram still calls us.
	checkEvery = time.Minute
)

// errSecret is final: without a secret anybody could write as an owner.
var errSecret = nacre.Errorf(nacre.Denied,
	"the webhook needs a secret of 1 to 256 letters, digits, underscores and hyphens; set one, or remove the webhook's address to poll")

// hook is a receiver that waits to be called.
type hook struct {
	*receiver
	set bool // Telegram knows the URL
}

func (h *hook) step(ctx context.Context) error {
	switch {
	case !secretShaped(h.webhook.Secret):
		return errSecret
	case h.me.ID == 0:
		return h.identify(ctx)
	case !h.set:
		return h.register(ctx)
	default:
		gateway.Sleep(ctx, checkEvery)
		return h.check(ctx)
	}
}

func secretShaped(s string) bool {
	const most = 256
	for _, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && r != '-' && r != '_' {
			return false
		}
	}
	return s != "" && len(s) <= most
}

// register tells Telegram where to call. We are ready before it knows.
func (h *hook) register(ctx context.Context) error {
	h.open(h.receiver)
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var done bool
	err := h.api.call(ctx, "setWebhook", params{
		"url":             h.webhook.URL,
		"secret_token":    h.webhook.Secret,
		"allowed_updates": allowedUpdates,
		"max_connections": "40",
	}, &done)
	if err == nil {
		h.set = true
		h.well()
	}
	return err
}

// check sees to it that the webhook is still ours and that calls arrive.
func (h *hook) check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var info struct {
		URL       string `json:"url"`
		Pending   int    `json:"pending_update_count"`
		ErrorDate int64  `json:"last_error_date"`
		Error     string `json:"last_error_message"`
	}
	if err := h.api.call(ctx, "getWebhookInfo", nil, &info); err != nil {
		return err
	}
	h.well()
	switch {
	case info.URL != h.webhook.URL:
		h.set = false
		h.log.Warn("the webhook was changed; setting it again")
	case info.Pending > 0 && time.Since(time.Unix(info.ErrorDate, 0)) < 2*checkEvery:
		h.setState(false, "Telegram's calls of the webhook fail: "+clip(info.Error))
	}
	return nil
}

// open lets ServeHTTP give updates to a receiver, until shut.
func (c *Channel) open(r *receiver) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.door = r
}

func (c *Channel) shut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.door = nil
}

// enter returns the receiver if it is there, which then stays until leave.
func (c *Channel) enter() (r *receiver, leave func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.door == nil {
		return nil, nil
	}
	c.door.busy.Add(1)
	return c.door, c.door.busy.Done
}

// ServeHTTP takes one update from Telegram, which calls again with it until
// the answer is 200. That is given once the gateway has stored what the update
// says, and for an update that says nothing to us.
func (c *Channel) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	switch {
	case req.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(http.StatusMethodNotAllowed)
	case !c.knows(req.Header.Get(secretHeader)):
		w.WriteHeader(http.StatusUnauthorized)
	default:
		raw, err := io.ReadAll(http.MaxBytesReader(w, req.Body, updateLimit))
		w.WriteHeader(c.accept(req.Context(), raw, err))
	}
}

// knows compares a secret with ours in a time that tells nothing of it.
func (c *Channel) knows(secret string) bool {
	ours := c.webhook.Secret
	return secretShaped(ours) && subtle.ConstantTimeCompare([]byte(secret), []byte(ours)) == 1
}

// accept delivers an update that was read with err, and returns the HTTP status
// to answer with.
func (c *Channel) accept(ctx context.Context, raw []byte, err error) int {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge
	}
	if err != nil {
		return http.StatusBadRequest
	}
	r, leave := c.enter()
	if r == nil {
		return http.StatusServiceUnavailable
	}
	defer leave()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.life, cancel)()
	if _, err := r.deliver(ctx, r.add(nil, c.decode(raw), time.Now())); err != nil {
		c.log.Warn("receiving failed", "err", err)
		c.setState(false, err.Error())
		return http.StatusServiceUnavailable
	}
	r.setConnected()
	return http.StatusOK
}
