package nacre

import "time"

// LinkStep is what a person who links an account sees next. Exactly one of QR,
// Code and Account is set.
type LinkStep struct {
	QR      string    `json:"qr,omitempty"`      // to be shown as a QR code and scanned; it takes the place of the one before
	Code    string    `json:"code,omitempty"`    // to be typed on the phone
	Account string    `json:"account,omitempty"` // linked, as this account; the last step
	Until   time.Time `json:"until,omitzero"`    // when QR or Code is good no longer
}
