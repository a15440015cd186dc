package telegram

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"nacre"
	"nacre/gateway"
)

// allowedUpdates are the kinds that we ask for. Others may still come for a
// while if an earlier program asked for them.
const allowedUpdates = `["message","edited_message","callback_query","message_reaction","my_chat_member"]`

// receiver is the state of one Run.
type receiver struct {
	*Channel
	host gateway.Host

	life context.Context // ends with Run
	busy sync.WaitGroup  // what Run waits for after life ended

	me                user // zero until Telegram told
	trouble, conflict gateway.Backoff
}

// way is how updates come to a receiver.
type way interface {
	// step does the one thing that is due. It leaves the state as it was where
	// it fails, so that it can be tried again.
	step(ctx context.Context) error
	// mend says in the state what is wrong, prepares the next step, and
	// returns how long to wait before it.
	mend(err error) time.Duration
}

// Run receives updates until ctx ends, by polls or, with Options.Webhook, by
// ServeHTTP. It returns an error only if Telegram refuses the token or the
// webhook's secret is none.
func (c *Channel) Run(ctx context.Context, host gateway.Host) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	r := &receiver{
		Channel:  c,
		host:     host,
		life:     ctx,
		trouble:  gateway.Backoff{First: 500 * time.Millisecond, Most: 30 * time.Second},
		conflict: gateway.Backoff{First: 5 * time.Second, Most: time.Minute},
	}
	c.setHost(host)
	defer func() {
		cancel()
		r.end(err)
	}()
	if c.webhook.URL != "" {
		return r.run(ctx, &hook{receiver: r})
	}
	return r.run(ctx, &poller{receiver: r})
}

// run takes one step after the other, so that there are never two polls in
// flight.
func (r *receiver) run(ctx context.Context, w way) error {
	for {
		err := w.step(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			continue
		}
		if end := r.final(err); end != nil {
			return end
		}
		r.log.Warn("receiving failed", "err", err)
		gateway.Sleep(ctx, w.mend(err))
	}
}

// end waits for what is under way; nothing new begins.
func (r *receiver) end(err error) {
	r.shut()
	r.busy.Wait()
	if err != nil {
		r.setState(false, err.Error())
		return
	}
	r.setState(false, "stopped")
}

// errRefused is final: only another token helps.
var errRefused = nacre.Errorf(nacre.Denied,
	"Telegram refused the bot token; get the right one from @BotFather and set NACRE_TELEGRAM_TOKEN")

// final is the error with which Run ends after err, nil if it goes on.
// Telegram answers 404 to what does not even look like a token.
func (r *receiver) final(err error) error {
	if errors.Is(err, errRefused) || errors.Is(err, errSecret) {
		return err
	}
	f, ok := errors.AsType[*failure](err)
	if ok && (f.code == 401 || f.code == 404 && r.me.ID == 0) {
		return errRefused
	}
	return nil
}

// identify asks who we are, and then fills in the menu of commands.
func (r *receiver) identify(ctx context.Context) error {
	if !wellFormed(r.api.token) {
		return errRefused
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var me user
	if err := r.api.call(ctx, "getMe", nil, &me); err != nil {
		return err
	}
	r.me = me
	r.well()
	r.log.Info("connected", "bot", me.Username)
	r.busy.Go(r.setMenus)
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
func (r *receiver) well() {
	r.trouble.Reset()
	r.conflict.Reset()
	r.setConnected()
}

func (r *receiver) setConnected() { r.setState(true, "connected as @"+r.me.Username) }

// mend is that of a way without remedies of its own.
func (r *receiver) mend(err error) time.Duration {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		r.setState(false, err.Error())
		return max(r.trouble.Wait(), nacre.RetryAfter(err))
	}
	r.setState(false, f.sentence())
	switch {
	case f.code == 429:
		return max(f.after, time.Second)
	case f.code == 409:
		return r.conflict.Wait()
	case errors.Is(f, context.DeadlineExceeded):
		// The connection of the silent call is closed with it. Those that
		// wait to be used again may have lost their way as well.
		r.api.client.CloseIdleConnections()
	}
	return r.trouble.Wait()
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
	case f.code == 400 && f.method == "setWebhook":
		return "Telegram does not take the webhook's address: " + f.words
	case f.code != 0:
		return "Telegram has trouble: it answered " + strconv.Itoa(f.code) + " " + f.words
	case f.status != 0:
		return "the answer is not Telegram's (HTTP status " + strconv.Itoa(f.status) + "); if it stays so, check NACRE_TELEGRAM_API and the network's proxies"
	default:
		return "Telegram cannot be reached; trying again: " + f.err.Error()
	}
}
