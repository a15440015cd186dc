package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

const (
	pollTime  = 50 * time.Second // how long Telegram may hold a poll; its maximum
	pollGrace = 15 * time.Second // by when its answer must be here after that
	callTime  = 30 * time.Second // for every other call
	pollLimit = "100"            // updates in one answer; Telegram's maximum
)

// poller is a receiver that asks for updates.
type poller struct {
	*receiver

	offset  int64   // of the next poll; 0 asks for all that is unconfirmed
	next    int64   // the offset once batch is delivered; 0 if all is
	batch   []event // received and not yet delivered
	unhook  bool    // a webhook stands in the way
	unhooks int     // webhooks taken away
}

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

// mend takes away a webhook that was left over, once. One that comes back is
// another program's.
func (p *poller) mend(err error) time.Duration {
	wait := p.receiver.mend(err)
	f, ok := errors.AsType[*failure](err)
	if ok && f.code == 409 && f.says("webhook") && p.unhooks == 0 {
		p.unhook = true
		return 0
	}
	return wait
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

// poll waits for updates and reads them.
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
		p.batch = p.add(p.batch, u, now)
	}
	if len(updates) > 0 && p.next == 0 {
		return errors.New("getUpdates: the updates have no ids")
	}
	return nil
}

// store hands the batch to the gateway. Only then may the offset pass it. What
// an error left over is offered again.
func (p *poller) store(ctx context.Context) (err error) {
	if p.batch, err = p.deliver(ctx, p.batch); err != nil {
		return err
	}
	p.offset, p.next = p.next, 0
	p.well()
	return nil
}
