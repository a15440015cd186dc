package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"testing"
	"time"
)

func TestThrottle(t *testing.T) {
	th, start := newThrottle(patience{free: 3, first: time.Second, most: 5 * time.Second, kept: time.Minute}), now()
	at := start
	for i, want := range []time.Duration{0, 0, time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Second, 5 * time.Second} {
		if wait := th.try("a", at); wait > 0 {
			t.Fatalf("try %d has to wait for %v", i, wait)
		}
		if got := th.wait("a", at); got != want {
			t.Errorf("after %d failures the pause is %v, want %v", i+1, got, want)
		}
		if got := th.try("a", at.Add(want-1)); want > 0 && got != 1 {
			t.Errorf("after %d failures, a moment too early, it has to wait for %v", i+1, got)
		}
		at = at.Add(want)
	}
	th.pardon("a")
	for _, c := range []struct {
		name, who string
		at        time.Duration
		want      time.Duration
	}{
		{"who is pardoned", "a", -time.Second, 0},
		{"another", "b", -time.Second, 0},
	} {
		if got := th.wait(c.who, at.Add(c.at)); got != c.want {
			t.Errorf("%s: has to wait for %v, want %v", c.name, got, c.want)
		}
	}
	th.fail("a", at)
	if got := th.wait("a", at); got != 5*time.Second {
		t.Errorf("the next pause is %v", got)
	}
	th.fail("a", at.Add(5*time.Second+time.Minute+1))
	if got := th.failed["a"].n; got != 1 {
		t.Errorf("long after that %d failures are remembered", got)
	}
	th.forgive("a")
	if len(th.failed) != 0 {
		t.Errorf("remembered: %v", th.failed)
	}
}

func TestPardon(t *testing.T) {
	th := newThrottle(patience{free: 2, first: time.Second, most: time.Minute, kept: time.Minute})
	for range 10 {
		if wait := th.try("a", now()); wait > 0 {
			t.Fatalf("somebody who never failed has to wait for %v", wait)
		}
		th.pardon("a")
	}
	if len(th.failed) != 0 {
		t.Errorf("remembered: %v", th.failed)
	}
	for range 2 {
		th.try("a", now())
	}
	if th.pardon("a"); th.wait("a", now()) != 0 {
		t.Error("who failed once has to wait")
	}
}

// Whoever fails as many others, of whom none has to wait, does not get around a pause.
func TestThrottleForgetsSome(t *testing.T) {
	th := newThrottle(patience{free: 2, first: time.Minute, most: time.Minute, kept: time.Minute})
	th.try("a", now())
	th.try("a", now())
	for i := range 2 * mostFailed {
		th.try(fmt.Sprint(i), now())
	}
	if n := len(th.failed); n > mostFailed {
		t.Errorf("%d are remembered", n)
	}
	if th.wait("a", now()) == 0 {
		t.Error("the pause is forgotten")
	}
}

func TestSender(t *testing.T) {
	for _, c := range []struct {
		name, address string
		proxy         bool
		forwarded     []string
		want          string
	}{
		{"IPv4", "192.0.2.1:1234", false, nil, "192.0.2.1/32"},
		{"IPv4 in IPv6", "[::ffff:192.0.2.1]:1", false, nil, "192.0.2.1/32"},
		{"IPv6", "[2001:db8:1:2:3::4]:1", false, nil, "2001:db8:1:2::/64"},
		{"with a zone", "[fe80::1%eth0]:1", false, nil, "fe80::/64"},
		{"none", "pipe", false, nil, ""},
		{"forwarded by nobody we know", "192.0.2.1:1", false, []string{"198.51.100.1"}, "192.0.2.1/32"},
		{"behind a proxy", "192.0.2.1:1", true, []string{"198.51.100.1"}, "198.51.100.1/32"},
		{"behind a proxy that says nothing", "192.0.2.1:1", true, nil, "192.0.2.1/32"},
		{"what others wrote before", "192.0.2.1:1", true, []string{"203.0.113.1, 198.51.100.1"}, "198.51.100.1/32"},
		{"in a line of its own", "192.0.2.1:1", true, []string{"203.0.113.1", "203.0.113.2,2001:db8::1"}, "2001:db8::/64"},
		{"with a port", "192.0.2.1:1", true, []string{"198.51.100.1:5000"}, "198.51.100.1/32"},
		{"nonsense", "192.0.2.1:1", true, []string{"198.51.100.1, unknown"}, ""},
	} {
		r := &http.Request{RemoteAddr: c.address, Header: http.Header{"X-Forwarded-For": c.forwarded}}
		if got := (Site{proxy: c.proxy}).sender(r); got != c.want {
			t.Errorf("%s: counts for %s, want %s", c.name, got, c.want)
		}
	}
}

// What strangers write into a header counts for an address, or a network of one
// subscriber, or nothing.
func FuzzSender(f *testing.F) {
	f.Add("198.51.100.1", true)
	f.Add("203.0.113.1, [2001:db8::1%eth0]:80", true)
	f.Fuzz(func(t *testing.T, forwarded string, proxy bool) {
		r := &http.Request{RemoteAddr: "192.0.2.1:1", Header: http.Header{"X-Forwarded-For": {forwarded}}}
		got := (Site{proxy: proxy}).sender(r)
		if got == "" && proxy || !proxy && got == "192.0.2.1/32" {
			return
		}
		p, err := netip.ParsePrefix(got)
		if err != nil || p != p.Masked() || p.Bits() != 32 && p.Bits() != 64 || p.Addr().Zone() != "" || p.Addr().Is4In6() {
			t.Errorf("%q counts for %q", forwarded, got)
		}
	})
}
