package whatsapp

import (
	"context"
	"time"

	wastore "go.mau.fi/whatsmeow/store"

	"nacre"
	"nacre/gateway"
)

const (
	reconnectFirst = time.Second     // after a connection that was lost
	reconnectMost  = 5 * time.Minute // between tries
	steady         = 6 * time.Minute // how long a connection must hold to be a success: longer than the longest wait
	probeTime      = 20 * time.Second
)

// Run keeps the account connected until ctx ends. It waits for a person by itself
// where only one can help, so it returns nothing but nil.
func (c *Channel) Run(ctx context.Context, host gateway.Host) error {
	defer c.custody.run()()
	c.setHost(host)
	k := &keeper{Channel: c, host: host, pause: gateway.Backoff{First: reconnectFirst, Most: reconnectMost}}
	for ctx.Err() == nil {
		k.step(ctx)
	}
	c.setState(false, "not connected")
	return nil
}

// keeper keeps one account connected, one connection at a time.
type keeper struct {
	*Channel
	host  gateway.Host
	pause gateway.Backoff

	down    bool // the last connection failed, and that was said
	renewed bool // the version was renewed since the last login
	banned  bool // a ban was waited out since the last login
}

// step makes one connection, keeps it until it ends, and waits until there should be
// another. It is over when the account changes hands.
func (k *keeper) step(ctx context.Context) {
	ctx, leave := k.custody.enter(ctx)
	defer leave()
	if !k.custody.take(ctx) {
		return
	}
	why := k.weigh(ctx, k.live(ctx))
	k.custody.release()
	if ctx.Err() != nil {
		return
	}
	k.setState(why.quiet, why.words)
	k.tell(ctx, why)
	k.rest(ctx, why)
}

// live connects the account and returns why that ended.
func (k *keeper) live(ctx context.Context) *ending {
	if k.custody.isClaimed() {
		return claimed
	}
	if is, err := k.file.exists(); err == nil && !is {
		return k.absent()
	}
	a, err := k.file.open(ctx, libraryLog{k.log})
	if err != nil {
		return unusable(err)
	}
	defer a.Close()
	device, err := a.device(ctx)
	if err != nil {
		return unusable(err)
	}
	switch noted := k.memo.read().Whose; {
	case device == nil:
		return k.absent()
	case noted == k.whose():
	case k.opts.Own && noted != assistants: // it was lost, and an own number can harm nobody
		k.memo.change(func(f *facts) { f.Whose = operators })
	default:
		return misused(noted)
	}
	k.version.refresh(ctx, k.files())
	return k.connect(ctx, device)
}

// absent is why there is no account.
func (k *keeper) absent() *ending {
	if why := k.memo.read().Ended; why != "" {
		return &ending{words: why, final: true, told: true}
	}
	return unlinked
}

// connect makes one connection and returns why it ended.
func (k *keeper) connect(ctx context.Context, device *wastore.Device) *ending {
	number := device.GetJID().User
	if k.opts.Own {
		if err := k.host.Own(ctx, addressOf(device.GetJID())); err != nil {
			return &ending{words: "it could not be stored whose account this is; trying again"}
		}
	}
	l := k.newLine(ctx, k.host, device)
	defer l.close()
	l.login()
	if l.life.Err() != nil {
		return l.why()
	}
	k.down, k.renewed, k.banned = false, false, false
	k.log.Info("connected to WhatsApp")
	k.setLine(l, number)
	defer k.setLine(nil, "")
	since := time.Now()
	<-l.life.Done()
	why := l.why()
	if why != unstored && time.Since(since) >= steady {
		k.pause.Reset()
	}
	return why
}

// unusable is the end of what did not begin, because the account's file cannot be
// used.
func unusable(err error) *ending {
	return &ending{words: err.Error(), final: nacre.KindOf(err) != nacre.Transient}
}

// weigh does what an ending asks for before the wait, and decides whether a person
// must be waited for.
func (k *keeper) weigh(ctx context.Context, why *ending) *ending {
	switch {
	case why.gone:
		ended := why.words
		if why.quiet || k.custody.isClaimed() { // there was none, or somebody unlinks it here
			ended = ""
		}
		if err := k.forget(ctx, ended); err != nil {
			k.log.Warn("the keys of the account that was unlinked could not be erased", "error", err)
		}
	case why.stale && !k.renewed:
		k.renewed = true
		if k.version.renew(ctx, k.files()) {
			return &ending{words: "WhatsApp asked for a newer version; trying again with it"}
		}
	case why.away > 0 && k.banned:
		return &ending{words: why.words + "; it did so already, so restart Nacre after that time", final: true}
	case why.away > 0:
		k.banned = true
	}
	return why
}

// tell tells the operator where they may not be looking.
func (k *keeper) tell(ctx context.Context, why *ending) {
	switch {
	case why.quiet, why.told:
	case why.final || why.away > 0:
		k.log.Error("WhatsApp waits", "why", why.words)
		if k.opts.Notice != nil {
			k.opts.Notice(ctx, "WhatsApp: "+why.words+".")
		}
	case !k.down:
		k.down = true
		k.log.Info("no connection to WhatsApp", "why", why.words)
	}
}

// rest waits until there should be another connection, or the step is over.
func (k *keeper) rest(ctx context.Context, why *ending) {
	switch {
	case why.final:
		<-ctx.Done()
	case why.away > 0:
		gateway.Sleep(ctx, why.away)
	default:
		gateway.Sleep(ctx, k.pause.Wait())
	}
}

// Probe asks for a sign of life, which changes nothing: it says once more that we
// take messages.
func (c *Channel) Probe(ctx context.Context) error {
	l, err := c.current()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	if err := l.client.SetPassive(ctx, false); err != nil {
		return nacre.Errorf(nacre.Transient, "WhatsApp does not answer")
	}
	return nil
}
