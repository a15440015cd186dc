package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"nacre"
	"nacre/gateway"
)

const (
	pollTime  = 50 * time.Second // how long Telegram may hold a poll; its maximum
	pollGrace = 15 * time.Second // by when its answer must be here after that
	callTime  = 30 * time.Second // for every other call
	pollLimit = "100"            // updates in one answer; Telegram's maximum
)

// allowedUpdates are the kinds that we ask for. Others may still come for a
// while if an earlier program asked for them.
const allowedUpdates = `["message"]`

// Run receives updates until ctx ends. It returns an error only if Telegram
// refuses the token. All that happens here happens in one goroutine, one call
// after the other, so there are never two polls in flight.
func (c *Channel) Run(ctx context.Context, host gateway.Host) error {
	p := &poller{
		Channel:  c,
		host:     host,
		trouble:  backoff{first: 500 * time.Millisecond, most: 30 * time.Second},
		conflict: backoff{first: 5 * time.Second, most: time.Minute},
	}
	for {
		err := p.step(ctx)
		switch {
		case ctx.Err() != nil:
			c.setState(false, "stopped")
			return nil
		case err == nil:
			continue
		case p.refused(err):
			c.setState(false, errRefused.Error())
			return errRefused
		}
		c.log.Warn("receiving failed", "err", err)
		sleep(ctx, p.mend(err))
	}
}

// errRefused is final: only another token helps.
var errRefused = nacre.Errorf(nacre.Denied,
	"Telegram refused the bot token; get the right one from @BotFather and set NACRE_TELEGRAM_TOKEN")

// poller is the state of one Run.
type poller struct {
	*Channel
	host gateway.Host

	me      user            // zero until Telegram told
	offset  int64           // of the next poll; 0 asks for all that is unconfirmed
	next    int64           // the offset once batch is stored; 0 if all is stored
	batch   []nacre.Message // received and not yet stored
	unhook  bool            // a webhook stands in the way
	unhooks int             // webhooks taken away

	trouble, conflict backoff
}

// step does the one thing that is due. It leaves the state as it was where it
// fails, so that it can be tried again.
func (p *poller) step(ctx context.Context) error {
	switch {
	case p.me.ID == 0:
		return p.identify(ctx)
	case p.unhook:
		return p.deleteWebhook(ctx)
	case p.next != 0:
		return p.store(ctx)
	default:
		return p.poll(ctx)
	}
}

func (p *poller) identify(ctx context.Context) error {
	if !wellFormed(p.api.token) {
		return errRefused
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var me user
	if err := p.api.call(ctx, "getMe", nil, &me); err != nil {
		return err
	}
	p.me = me
	p.well()
	p.log.Info("connected", "bot", me.Username)
	return nil
}

// wellFormed reports whether a token can stand in a URL as it is.
func wellFormed(token string) bool {
	for _, r := range token {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && r != ':' && r != '-' && r != '_' {
			return false
		}
	}
	return token != ""
}

// well notes that Telegram answers as it should.
func (p *poller) well() {
	p.trouble.reset()
	p.conflict.reset()
	p.setState(true, "connected as @"+p.me.Username)
}

// deleteWebhook makes way for polls and leaves the waiting updates alone.
func (p *poller) deleteWebhook(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var done bool
	err := p.api.call(ctx, "deleteWebhook", params{"drop_pending_updates": "false"}, &done)
	if err == nil {
		p.unhook = false
		p.unhooks++
		p.log.Info("took away a webhook, which kept updates from us")
	}
	return err
}

// poll waits for updates and converts them.
func (p *poller) poll(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pollTime+pollGrace)
	defer cancel()
	ask := params{
		"timeout":         strconv.Itoa(int(pollTime / time.Second)),
		"limit":           pollLimit,
		"allowed_updates": allowedUpdates,
	}
	if p.offset != 0 {
		ask["offset"] = itoa(p.offset)
	}
	var updates []json.RawMessage
	if err := p.api.call(ctx, "getUpdates", ask, &updates); err != nil {
		return err
	}
	p.well()
	return p.take(updates)
}

// take makes a batch of updates. The new offset follows the last update even
// if that is lower than before: Telegram restarts its count after a quiet
// week, and another server has a count of its own.
func (p *poller) take(updates []json.RawMessage) error {
	now := time.Now()
	for _, raw := range updates {
		u := p.decode(raw)
		if u.ID == 0 {
			continue
		}
		p.next = u.ID + 1
		if m, ok := convert(u, p.me); ok {
			m.Received = now
			p.batch = append(p.batch, m)
		}
	}
	if len(updates) > 0 && p.next == 0 {
		return errors.New("getUpdates: the updates have no ids")
	}
	return nil
}

// decode reads one update. One that makes no sense keeps its id at most, and
// is confirmed with the others: waiting for it to get better would stop
// everything that comes after it.
func (p *poller) decode(raw json.RawMessage) update {
	var u update
	err := json.Unmarshal(raw, &u)
	if err == nil {
		return u
	}
	var id struct {
		ID int64 `json:"update_id"`
	}
	json.Unmarshal(raw, &id) // leaves 0 if there is none
	var field string
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		field = mismatch.Field
	}
	p.log.Error("skipped an unreadable update", "update", id.ID, "field", field)
	return update{ID: id.ID}
}

// store hands the batch to the gateway. Only then may the offset pass it. Any
// error means that the same is offered again.
func (p *poller) store(ctx context.Context) error {
	if len(p.batch) > 0 {
		if err := p.host.Receive(ctx, p.batch); err != nil {
			return &storeError{err}
		}
	}
	p.offset, p.next, p.batch = p.next, 0, nil
	p.well()
	return nil
}

// storeError is trouble on our side of the channel.
type storeError struct{ err error }

func (e *storeError) Error() string { return "messages could not be stored: " + e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }

// refused reports whether err is final. Telegram answers 404 to what does not
// even look like a token.
func (p *poller) refused(err error) bool {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		return errors.Is(err, errRefused)
	}
	return f.code == 401 || f.code == 404 && p.me.ID == 0
}

// mend says in the state what is wrong, prepares the next step, and returns
// how long to wait before it.
func (p *poller) mend(err error) time.Duration {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		p.setState(false, err.Error())
		return max(p.trouble.wait(), nacre.RetryAfter(err))
	}
	p.setState(false, f.sentence())
	switch {
	case f.code == 429:
		return max(f.after, time.Second)
	case f.code == 409 && f.says("webhook") && p.unhooks == 0:
		p.unhook = true
		return 0
	case f.code == 409:
		return p.conflict.wait()
	case errors.Is(f, context.DeadlineExceeded):
		// The connection of the silent call is closed with it. Those that
		// wait to be used again may have lost their way as well.
		p.api.client.CloseIdleConnections()
	}
	return p.trouble.wait()
}

// sentence tells the operator what a failure to receive means.
func (f *failure) sentence() string {
	switch {
	case f.code == 409 && f.says("webhook"):
		return "another program keeps setting a webhook for this bot; stop it, or give Nacre a bot of its own"
	case f.code == 409:
		return "another program receives this bot's messages; stop it, or give Nacre a bot of its own"
	case f.code == 429:
		return "Telegram asks for a pause of " + f.after.String()
	case f.code != 0:
		return "Telegram has trouble: it answered " + strconv.Itoa(f.code) + " " + f.words
	case f.status != 0:
		return "the answer is not Telegram's (HTTP status " + strconv.Itoa(f.status) + "); if it stays so, check NACRE_TELEGRAM_API and the network's proxies"
	default:
		return "Telegram cannot be reached; trying again: " + f.err.Error()
	}
}
