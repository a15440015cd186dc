package web

import (
	"maps"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

const (
	// mostFails is how many logins of one address may fail in a failTime.
	mostFails = 10
	failTime  = time.Minute
	// mostFailed bounds the memory of those who failed.
	mostFailed = 10_000
)

// throttle slows down who guesses. Secrets have 256 bits, so it guards the
// machine's time rather than them. Behind a proxy all share one address.
type throttle struct {
	mu     sync.Mutex // guards what follows
	failed map[netip.Prefix]fails
}

type fails struct {
	n     int
	until time.Time // then they are forgotten
}

func newThrottle() *throttle { return &throttle{failed: map[netip.Prefix]fails{}} }

// open reports whether an address may try to log in.
func (t *throttle) open(from netip.Prefix, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.failed[from]
	return f.n < mostFails || !now.Before(f.until)
}

// fail notes that an address could not log in.
func (t *throttle) fail(from netip.Prefix, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.failed[from]
	if !now.Before(f.until) {
		f = fails{until: now.Add(failTime)}
	}
	f.n++
	if len(t.failed) >= mostFailed {
		maps.DeleteFunc(t.failed, func(_ netip.Prefix, f fails) bool { return !now.Before(f.until) })
	}
	if len(t.failed) >= mostFailed {
		clear(t.failed)
	}
	t.failed[from] = f
}

// sender is whom a request counts for: an address, or the /64 network that one
// subscriber has of IPv6.
func sender(r *http.Request) netip.Prefix {
	a, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Prefix{}
	}
	ip := a.Addr().Unmap().WithZone("")
	bits := ip.BitLen()
	if ip.Is6() {
		bits = 64
	}
	p, _ := ip.Prefix(bits) // the bits are in range
	return p
}
