package browse

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"syscall"

	"nacre"
)

// globalUnicast is all of IPv6 that the Internet routes. What lies outside
// needs no list: loopback, link-local, site-local, unique local, multicast,
// IPv4-mapped and -compatible addresses and both prefixes of NAT64.
var globalUnicast = netip.MustParsePrefix("2000::/3")

// special lists what is inside IPv4 and globalUnicast and is still no place on
// the Internet, by the registries of RFC 6890
// (https://www.iana.org/assignments/iana-ipv4-special-registry and
// iana-ipv6-special-registry).
var special = [...]netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),        // this network
	netip.MustParsePrefix("10.0.0.0/8"),       // private
	netip.MustParsePrefix("100.64.0.0/10"),    // shared by customers of a carrier
	netip.MustParsePrefix("127.0.0.0/8"),      // loopback
	netip.MustParsePrefix("168.63.129.16/32"), // the host of a virtual machine at Azure, seen from inside
	netip.MustParsePrefix("169.254.0.0/16"),   // link-local, where clouds keep their metadata
	netip.MustParsePrefix("172.16.0.0/12"),    // private
	netip.MustParsePrefix("192.0.0.0/24"),     // protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),     // documentation
	netip.MustParsePrefix("192.88.99.0/24"),   // 6to4 relays
	netip.MustParsePrefix("192.168.0.0/16"),   // private
	netip.MustParsePrefix("198.18.0.0/15"),    // benchmarks
	netip.MustParsePrefix("198.51.100.0/24"),  // documentation
	netip.MustParsePrefix("203.0.113.0/24"),   // documentation
	netip.MustParsePrefix("224.0.0.0/3"),      // multicast, reserved, broadcast
	netip.MustParsePrefix("2001::/23"),        // protocol assignments: Teredo, ORCHID, benchmarks
	netip.MustParsePrefix("2001:db8::/32"),    // documentation
	netip.MustParsePrefix("2002::/16"),        // 6to4, which wraps any IPv4 address
	netip.MustParsePrefix("3fff::/20"),        // documentation
}

// public reports whether an address is a place on the Internet, so that asking
// it for a page discloses nothing of the network that Nacre stands in.
func public(a netip.Addr) bool {
	if a.Zone() != "" || !a.Is4() && !globalUnicast.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(special[:], func(p netip.Prefix) bool { return p.Contains(a) })
}

// neighbour reports whether an otherwise public address is this machine, whose
// services often trust itself, or shares an IPv6 network with it, as all things
// in a home do.
func neighbour(a netip.Addr, own []net.Addr) bool {
	return slices.ContainsFunc(own, func(o net.Addr) bool {
		p, err := netip.ParsePrefix(o.String())
		if err != nil {
			return false
		}
		return p.Addr() == a || a.Is6() && p.Masked().Contains(a)
	})
}

// usual reports whether a port may speak HTTP. The other privileged ones
// belong to mail, shells and the like, to which a request line is a command.
func usual(port uint16) bool { return port == 80 || port == 443 || port >= 1024 }

// guard refuses to connect anywhere but to the Internet. A net.Dialer calls it
// with each address that a name has resolved to, right before it is dialled, so
// neither a spelling, a redirect nor a second look-up gets around it.
func guard(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return nacre.Errorf(nacre.Denied, "the web address leads to no place on the Internet, which is all I may read")
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return nacre.Errorf(nacre.Internal, "the own addresses cannot be listed: %w", err)
	}
	if !public(at.Addr()) || neighbour(at.Addr(), own) {
		return nacre.Errorf(nacre.Denied, "the web address leads into a private or special network; I may read only what is on the Internet")
	}
	if !usual(at.Port()) {
		return nacre.Errorf(nacre.Denied, "port %d is not one for web pages; 80, 443 and those from 1024 are", at.Port())
	}
	return nil
}
