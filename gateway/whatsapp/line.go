package whatsapp

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"go.mau.fi/whatsmeow"
	wastore "go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/types/events"

	"nacre/gateway"
)

const (
	loginTime = 2 * time.Minute // from the first packet until we are logged in, the first keys of a new account included
	quietTime = 3 * time.Minute // how long the server may leave our pings unanswered
)

// line is one client of the linked account while it is connected. Each connection
// has a client of its own, so that nothing of an old one reaches a new one.
type line struct {
	*Channel
	client *whatsmeow.Client
	host   gateway.Host
	ids    idKey
	life   context.Context // ends with the connection

	end      context.CancelCauseFunc // ends life; the first cause is why
	wire     *cutter                 // carries the connection
	using    context.Context         // of the library; ends after life, when nothing is read any more
	free     context.CancelFunc      // ends using
	hear     func(event any) bool    // takes what the library says
	ready    chan struct{}           // takes one when the login is done
	tidiness tidiness
	door     sync.RWMutex // held for reading while an event is handled, and for good when no more may be
}

// newLine makes a client that is not connected yet. It is closed by close.
func (c *Channel) newLine(ctx context.Context, host gateway.Host, device *wastore.Device) *line {
	l := &line{Channel: c, host: host, ids: newIDKey(device.AdvSecretKey), ready: make(chan struct{}, 1), wire: &cutter{base: c.opts.Transport}}
	l.life, l.end = context.WithCancelCause(ctx)
	l.using, l.free = context.WithCancel(context.WithoutCancel(ctx))
	l.hear = l.handle
	l.tidiness.since = time.Now()
	device.EventBuffer = buffer{device.EventBuffer, l}
	l.client = whatsmeow.NewClient(device, libraryLog{c.log})
	web := &http.Client{Transport: l.wire}
	l.client.SetPreLoginHTTPClient(web)
	l.client.SetWebsocketHTTPClient(web)
	l.client.SetMediaHTTPClient(c.files())
	l.client.EnableAutoReconnect = false
	l.client.DisableLoginAutoReconnect = true
	l.client.SetMaxParallelRetryReceiptHandling(1) // two at once would write to the same message
	l.client.SynchronousAck = true
	l.client.EnableDecryptedEventBuffer = true
	l.client.BackgroundEventCtx = l.life
	l.client.GetMessageForRetry = l.again
	l.client.PreRetryCallback = l.mayGoAgain
	l.client.RefreshCAT = func(context.Context) error { return errNoCAT }
	l.client.AddEventHandlerWithSuccessStatus(l.guard)
	return l
}

// errNoCAT keeps the library, which calls this without a look, from a nil function.
var errNoCAT = errors.New("there is no crypto auth token on this network")

func (c *Channel) web() *http.Client { return &http.Client{Transport: c.opts.Transport} }

// connect makes the connection. Where it fails it ends the line.
func (l *line) connect() {
	if err := l.client.ConnectContext(l.using); err != nil {
		l.end(unreached(err))
	}
}

// unreached is the end of a connection that did not come about.
func unreached(err error) *ending {
	words := "WhatsApp cannot be reached"
	if cause := causeOf(err); cause != "" {
		words += " (" + cause + ")"
	}
	return &ending{words: words + "; trying again"}
}

// login connects and returns when the login is done or the line at its end.
func (l *line) login() {
	go l.connect() // a handshake cannot be cancelled
	timeout := time.NewTimer(loginTime)
	defer timeout.Stop()
	select {
	case <-l.ready:
	case <-l.life.Done():
	case <-timeout.C:
		l.end(silent)
	}
}

// close ends the line, if it has not ended, and returns when no event is handled any
// more.
func (l *line) close() {
	l.end(nil)
	l.wire.cut()
	l.free()
	l.door.Lock()
}

// why is the reason for which the line ended.
func (l *line) why() *ending {
	if why, ok := errors.AsType[*ending](context.Cause(l.life)); ok {
		return why
	}
	return lost
}

// handle takes an event of the library. False means that it is not handled: the
// network keeps it and brings it again after a new connection.
func (l *line) handle(event any) (handled bool) {
	switch e := event.(type) {
	case *events.Message:
		return l.receive(e)
	case *events.UndecryptableMessage:
		return l.undecryptable(e)
	case *events.OfflineSyncCompleted:
		return l.caughtUp()
	case *events.MediaRetry:
		l.mediaRetried(e)
	case *events.Receipt:
		l.follow(e)
	case *events.NotifyAccountReachoutTimelock:
		l.locked(e)
	default:
		l.heed(event)
	}
	return true
}

// heed takes what the library says about the connection itself.
func (l *line) heed(event any) {
	switch e := event.(type) {
	case *events.Connected:
		select {
		case l.ready <- struct{}{}:
		default: // it was said before
		}
	case *events.KeepAliveTimeout:
		if time.Since(e.LastSuccess) >= quietTime {
			l.end(silent)
		}
	default:
		if why := endingOf(event); why != nil {
			l.end(why)
		}
	}
}
