package telegram

import (
	"context"
	"errors"
	"net/http"
	"time"

	"nacre"
)

// Probed is what Telegram says of a bot.
type Probed struct {
	Username string
	Webhook  string    // the URL that Telegram calls with the bot's messages; empty if they wait to be fetched
	Date     time.Time // of the answer, by Telegram's clock, in full seconds; zero if it was not said
}

// Probe asks Telegram who a bot is and where its messages go. It receives and
// changes nothing, so it may run beside a Channel of the same bot. The error
// is a sentence for the operator: Denied if the token is refused, Transient if
// Telegram cannot be reached or asked now.
func Probe(ctx context.Context, o Options) (Probed, error) {
	if !wellFormed(o.Token) {
		return Probed{}, errRefused
	}
	a := newAPI(o)
	defer a.client.CloseIdleConnections()
	seen := &dated{base: a.client.Transport}
	a.client.Transport = seen
	var me user
	if err := a.call(ctx, "getMe", nil, &me); err != nil {
		return Probed{}, unreached(err)
	}
	var hook struct {
		URL string `json:"url"`
	}
	if err := a.call(ctx, "getWebhookInfo", nil, &hook); err != nil {
		return Probed{}, unreached(err)
	}
	return Probed{Username: me.Username, Webhook: hook.URL, Date: seen.date}, nil
}

// dated notes the time that the newest answer tells. It is not safe for use
// from several goroutines.
type dated struct {
	base http.RoundTripper
	date time.Time
}

func (d *dated) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := d.base.RoundTrip(r)
	if err == nil {
		d.date, _ = http.ParseTime(resp.Header.Get("Date"))
	}
	return resp, err
}

// CloseIdleConnections lets the client close those of base.
func (d *dated) CloseIdleConnections() {
	if base, ok := d.base.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

// unreached makes a sentence of why a probe failed.
func unreached(err error) error {
	f, ok := errors.AsType[*failure](err)
	switch {
	case !ok:
		return err
	case f.code == http.StatusUnauthorized, f.code == http.StatusNotFound:
		return errRefused
	case f.code == http.StatusTooManyRequests:
		return nacre.Errorf(nacre.Transient, "Telegram asks for a pause of %s; try again after it", f.after)
	case f.code != 0:
		return nacre.Errorf(nacre.Transient, "Telegram has trouble, it answered %d %s; try again later", f.code, f.words)
	case f.status != 0:
		return nacre.Errorf(nacre.Transient, "the answer is not Telegram's (HTTP status %d); check NACRE_TELEGRAM_API and the network's proxies", f.status)
	case errors.Is(f, context.DeadlineExceeded):
		return nacre.Errorf(nacre.Transient, "Telegram does not answer in time; check the network, its proxies and NACRE_TELEGRAM_API")
	default:
		return nacre.Errorf(nacre.Transient, "Telegram cannot be reached (%w); check the network, its proxies and NACRE_TELEGRAM_API", f.err)
	}
}
