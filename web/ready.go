package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"

	"nacre"
)

// Readiness is whether a Nacre can do its work, and each part of it.
type Readiness struct {
	Ready    bool                       `json:"ready"`
	Database bool                       `json:"database"`
	Clock    bool                       `json:"clock"`            // what runs jobs
	Rounds   map[nacre.JobID]bool       `json:"rounds,omitempty"` // whether the newest of each hourly round went well, of those that ran
	Channels map[nacre.ChannelName]bool `json:"channels,omitempty"`

	// Why says of channels that are not ready what is wrong. Only those who may scrape
	// see it.
	Why map[nacre.ChannelName]string `json:"why,omitempty"`
}

// readier is a Desk that knows whether its clock and its rounds work; what is no server
// of its own does not.
type readier interface {
	Ready(ctx context.Context) (clock bool, rounds map[nacre.JobID]bool)
}

// ready answers 200 where everything that others wait for works: the database, the clock
// and each channel; else 503. A channel to which no account is linked is not ready,
// though /healthz takes no offence at it. A round that failed is told and makes nothing
// unready: it comes again in an hour, and messages are answered meanwhile. It is open to
// everybody, and says to strangers no more than whether each part works.
func (d *door) ready(w http.ResponseWriter, r *http.Request) error {
	now := readiness(r.Context(), d.Desk)
	if v, err := d.known(r); !d.straight(r) && (err != nil || v.owner != d.Operator()) {
		now.Why = nil
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if !now.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	return json.NewEncoder(w).Encode(now)
}

func readiness(ctx context.Context, desk Desk) Readiness {
	s, err := desk.Status(ctx)
	now := Readiness{Database: err == nil, Clock: true, Channels: map[nacre.ChannelName]bool{}, Why: map[nacre.ChannelName]string{}}
	if d, ok := desk.(readier); ok {
		now.Clock, now.Rounds = d.Ready(ctx)
	}
	now.Ready = now.Database && now.Clock
	for _, c := range s.Channels {
		ok := c.OK && (c.Name != nacre.WhatsApp || s.WhatsApp == nil || s.WhatsApp.Linked)
		now.Channels[c.Name], now.Ready = ok, now.Ready && ok
		if !ok {
			now.Why[c.Name] = c.Words
		}
	}
	return now
}

// scrapers lets in who may see how everything is: whoever shows a token of the
// operator's, as for the API, or is logged in as them, and who asks straight from this
// machine. Straight is a page that listens on this machine alone, for which no public
// address and no proxy are configured, and a request without the marks of a proxy: one
// that hides all of that, in front of a Nacre that was told nothing of it, would let
// everybody in.
func (d *door) scrapers(next http.Handler) http.Handler {
	return handler(func(w http.ResponseWriter, r *http.Request) error {
		if !d.straight(r) {
			v, ok := d.visitor(w, r)
			if !ok {
				return nil
			}
			if v.owner != d.Operator() {
				return nacre.Errorf(nacre.Denied, "Only the operator can ask for this.")
			}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// straight reports whether a request comes from this machine with nothing in between.
func (d *door) straight(r *http.Request) bool {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	for _, mark := range []string{"Authorization", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via"} {
		if r.Header.Get(mark) != "" {
			return false
		}
	}
	return err == nil && d.Site.alone && at.Addr().Unmap().IsLoopback() && d.Site.originOf(r) != ""
}
