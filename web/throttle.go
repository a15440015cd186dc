package web

import (
	"maps"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// mostFailed bounds the memory of those who failed.
const mostFailed = 10_000

// patience is what those may expect who fail again and again.
type patience struct {
	free  int           // failures before the first pause
	first time.Duration // the pause after the next one; each further one doubles it
	most  time.Duration // that a pause may be
	kept  time.Duration // how long after a pause the failures are remembered
}

var (
	// secretPatience is with who shows secrets of 256 bits, which nobody can guess: it
	// tells programs that go on with a wrong one to do so less often.
	secretPatience = patience{free: 10, first: time.Minute, most: time.Minute, kept: time.Minute}
	// passwordPatience is with who types passwords, which can be guessed.
	passwordPatience = patience{free: 5, first: time.Second, most: 15 * time.Minute, kept: 24 * time.Hour}
)

// throttle slows down who guesses, by what they are known by.
type throttle struct {
	patience
	mu     sync.Mutex // guards what follows
	failed map[string]fails
}

type fails struct {
	n     int
	until time.Time // nothing may be tried before
	was   time.Time // until, before the last failure
}

func newThrottle(p patience) *throttle { return &throttle{patience: p, failed: map[string]fails{}} }

// wait is how long somebody has to wait before they may try; 0 if they may now.
func (t *throttle) wait(who string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(0, t.failed[who].until.Sub(now))
}

// fail notes that somebody failed.
func (t *throttle) fail(who string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count(who, now)
}

// try is wait, and where nobody has to, fail: so that nobody tries much at once
// before the first failure is known. Who did not fail is pardoned.
func (t *throttle) try(who string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	pause := max(0, t.failed[who].until.Sub(now))
	if pause == 0 {
		t.count(who, now)
	}
	return pause
}

// pardon takes one failure back.
func (t *throttle) pardon(who string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.failed[who]
	f.n, f.until = f.n-1, f.was
	if t.failed[who] = f; f.n <= 0 {
		delete(t.failed, who)
	}
}

// forgive forgets all failures of somebody.
func (t *throttle) forgive(who string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.failed, who)
}

func (t *throttle) count(who string, now time.Time) {
	f := t.failed[who]
	if t.old(f, now) {
		f = fails{}
	}
	f.n, f.was = f.n+1, f.until
	f.until = now.Add(t.pause(f.n))
	if len(t.failed) >= mostFailed {
		t.shrink(now)
	}
	t.failed[who] = f
}

// pause is the one after n failures.
func (p patience) pause(n int) time.Duration {
	if n < p.free {
		return 0
	}
	return min(p.most, p.first<<min(n-p.free, 20))
}

func (p patience) old(f fails, now time.Time) bool { return now.After(f.until.Add(p.kept)) }

// shrink makes room: first of those who need not wait.
func (t *throttle) shrink(now time.Time) {
	maps.DeleteFunc(t.failed, func(_ string, f fails) bool { return !now.Before(f.until) })
	if len(t.failed) >= mostFailed {
		clear(t.failed)
	}
}

// sender is whom a request counts for: an address, or the /64 network that one
// subscriber has of IPv6. Behind a proxy the address is the one that the proxy itself
// saw, which it adds at the end of X-Forwarded-For; what stands before that anybody
// can have written.
func (s Site) sender(r *http.Request) string {
	address := r.RemoteAddr
	if list := r.Header.Values("X-Forwarded-For"); s.proxy && len(list) > 0 {
		last := list[len(list)-1]
		address = strings.TrimSpace(last[strings.LastIndex(last, ",")+1:])
	}
	ip, err := netip.ParseAddr(address)
	if err != nil {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return ""
		}
		ip = at.Addr()
	}
	ip = ip.Unmap().WithZone("")
	bits := ip.BitLen()
	if ip.Is6() {
		bits = 64
	}
	p, _ := ip.Prefix(bits) // the bits are in range
	return p.String()
}
