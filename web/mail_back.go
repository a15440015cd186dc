package web

import (
	"context"
	"net/http"
	"time"

	"nacre"
)

// MailBack is the path to which Google sends a browser after consent.
const MailBack = "/gmail"

// Consent takes the address to which Google sent a browser in which nobody is logged
// in. Its error is a sentence for the person, which holds nothing of the address.
type Consent func(ctx context.Context, address string) error

// landing is the page at MailBack, the same for everybody: browsers do not say who is
// logged in when another site leads to a page. Its script brings the address to
// Mail.Finish, as who is logged in, or else to consented.
func landing() http.Handler {
	page := asset("gmail.html")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Referrer-Policy", "no-referrer") // the address holds a code
		page.ServeHTTP(w, r)
	})
}

// consented takes the address from landing where nobody is logged in, which does for
// consents that were begun so. Who tries others is slowed down as with wrong links; a
// right one always works.
func (d *door) consented(w http.ResponseWriter, r *http.Request) error {
	if !d.Site.from(r) {
		return errForeign
	}
	var back MailReturn
	if err := read(w, r, &back); err != nil {
		return err
	}
	from, now := d.Site.sender(r), time.Now()
	err := d.Consented(r.Context(), back.URL)
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if nacre.KindOf(err) == nacre.Denied {
		if pause := d.secrets.wait(from, now); pause > 0 {
			refuse(w, pause)
			return nil
		}
		d.secrets.fail(from, now)
	}
	return err
}
