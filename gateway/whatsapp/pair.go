package whatsapp

import (
	"context"
	"errors"
	"strings"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
)

const (
	firstCode  = 60 * time.Second // how long WhatsApp takes the first QR code
	laterCodes = 20 * time.Second // and each of the others
	finishTime = 10 * time.Second // from the phone's consent until WhatsApp wants us to log in
)

// pairing is one try to link a device. It belongs to the goroutine that runs it,
// except for events.
type pairing struct {
	*line
	number string // of the phone that is to be given a code; empty for QR codes
	show   func(nacre.LinkStep)
	events chan any // what the library says

	codes   []string    // QR codes that were not shown yet
	timer   *time.Timer // for the first code, the next, and the end of the last
	offered bool        // there was a code
	paired  bool        // the phone consented and the device is stored
	asked   bool        // WhatsApp asked to log in with it
}

func (c *Channel) newPairing(ctx context.Context, a *account, number string, show func(nacre.LinkStep)) *pairing {
	p := &pairing{number: number, show: show, events: make(chan any, 16)}
	p.line = c.newLine(ctx, nil, a.newDevice())
	p.hear = p.note
	return p
}

// note passes an event to the goroutine that runs the pairing.
func (p *pairing) note(event any) bool {
	select {
	case p.events <- event:
	case <-p.life.Done():
	}
	return true
}

// run returns when the device is linked and can log in.
func (p *pairing) run() error {
	defer p.close()
	go p.connect()
	p.timer = time.NewTimer(loginTime)
	defer p.timer.Stop()
	for {
		done, err := p.step()
		if done || err != nil {
			return err
		}
	}
}

func (p *pairing) step() (done bool, err error) {
	select {
	case event := <-p.events:
		return p.take(event)
	case <-p.timer.C:
		return p.next()
	case <-p.life.Done():
		return false, p.stopped()
	}
}

// stopped is why the line ended, which a pairing does not by itself.
func (p *pairing) stopped() error {
	if why, ok := errors.AsType[*ending](context.Cause(p.life)); ok {
		return why
	}
	return stopped(p.life)
}

// take takes an event. It is done when the device is linked and WhatsApp wants it to
// log in.
func (p *pairing) take(event any) (done bool, err error) {
	switch e := event.(type) {
	case *events.QR:
		return false, p.offer(e.Codes)
	case *events.PairSuccess:
		p.paired = true
		p.timer.Reset(finishTime)
		return p.asked, nil
	case *events.ManualLoginReconnect: // the library may say it first
		p.asked = true
		return p.paired, nil
	case *events.PairError:
		return false, errPairing
	case *events.PairPasskeyRequest, *events.PairPasskeyError:
		return false, errPasskey
	case *events.QRScannedWithoutMultidevice:
		return false, errOldPhone
	}
	why := endingOf(event)
	switch {
	case why == nil:
		return false, nil
	case p.paired:
		return true, nil
	}
	return false, why
}

var (
	errPairing  = nacre.Errorf(nacre.Transient, "WhatsApp and the phone did not agree on the link; start again")
	errPasskey  = nacre.Errorf(nacre.Denied, "this account asks for its passkey when a device is linked, and a program without a screen cannot show one; remove the passkey in WhatsApp on the phone (Settings, Account, Passkeys), or use another number")
	errOldPhone = nacre.Errorf(nacre.Denied, "WhatsApp on this phone is too old to link devices; update it and start again")
	errRejected = nacre.Errorf(nacre.Invalid, "WhatsApp does not take this number; look at its country code, or use a QR code")
	errTooMany  = nacre.Errorf(nacre.Transient, "WhatsApp gives this number no more codes for now; use a QR code, or try again in some hours")
)

// offer begins to show codes.
func (p *pairing) offer(codes []string) error {
	p.offered = true
	if p.number != "" {
		return p.offerCode(len(codes))
	}
	p.codes = codes
	_, err := p.next()
	return err
}

// offerCode asks for a code to be typed and shows it. It is good for as long as QR
// codes would have been.
func (p *pairing) offerCode(codes int) error {
	until := firstCode + time.Duration(max(codes-1, 0))*laterCodes
	began := time.Now()
	code, err := p.client.PairPhone(p.life, p.number, true, whatsmeow.PairClientChrome, "Chrome (Linux)")
	switch {
	case errors.Is(err, whatsmeow.ErrIQRateOverLimit):
		return errTooMany
	case errors.Is(err, whatsmeow.ErrIQBadRequest), errors.Is(err, whatsmeow.ErrIQNotFound), errors.Is(err, whatsmeow.ErrIQNotAcceptable):
		return errRejected
	case p.life.Err() != nil:
		return p.stopped()
	case err != nil:
		return nacre.Errorf(nacre.Transient, "WhatsApp gave no code; start again")
	}
	p.timer.Reset(time.Until(began.Add(until)))
	p.show(nacre.LinkStep{Code: code, Until: began.Add(until)})
	return nil
}

// next shows the next QR code when the time of the one before is over. After the
// last there is nothing more to wait for, unless the phone consented.
func (p *pairing) next() (done bool, err error) {
	switch {
	case p.paired:
		return true, nil
	case !p.offered:
		return false, silent
	case len(p.codes) == 0:
		return false, errNobody
	}
	good := laterCodes
	if len(p.codes) == 6 {
		good = firstCode
	}
	code := p.codes[0]
	p.codes = p.codes[1:]
	p.timer.Reset(good)
	p.show(nacre.LinkStep{QR: code, Until: time.Now().Add(good)})
	return false, nil
}

// dialable is a phone number as WhatsApp wants it: its digits, country code first.
// It is empty for an empty one.
func dialable(phone string) (string, error) {
	digits := strings.NewReplacer(" ", "", "-", "", "(", "", ")", "", ".", "", "/", "", "+", "").Replace(phone)
	if digits == "" && phone == "" {
		return "", nil
	}
	if strings.Trim(digits, "0123456789") != "" || len(digits) < 7 || len(digits) > 15 || digits[0] == '0' {
		return "", nacre.Errorf(nacre.Invalid, "a phone number begins with its country code and has digits only, as in +1 555 000 0001")
	}
	return digits, nil
}
