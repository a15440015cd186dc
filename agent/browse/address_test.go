package browse

import (
	"net"
	"net/netip"
	"testing"
)

func TestPublic(t *testing.T) {
	for address, want := range map[string]bool{
		"1.1.1.1": true, "8.8.8.8": true, "93.184.216.34": true, "223.255.255.255": true,
		"9.255.255.255": true, "11.0.0.0": true, "100.63.255.255": true, "100.128.0.0": true, "126.255.255.255": true, "128.0.0.0": true,
		"169.253.255.255": true, "169.255.0.0": true, "172.15.255.255": true, "172.32.0.0": true, "192.0.1.0": true, "192.0.3.0": true,
		"192.167.255.255": true, "192.169.0.0": true, "198.17.255.255": true, "198.20.0.0": true, "168.63.129.15": true,
		"2606:4700::1111": true, "2001:4860:4860::8888": true, "2a00:1450::1": true, "2003::1": true, "2001:200::1": true,

		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.0": false, "10.255.255.255": false, "100.64.0.0": false, "100.100.100.200": false, "100.127.255.255": false,
		"127.0.0.0": false, "127.0.0.1": false, "127.255.255.255": false, "168.63.129.16": false, "169.254.0.0": false, "169.254.169.254": false, "169.254.255.255": false,
		"172.16.0.0": false, "172.31.255.255": false, "192.0.0.1": false, "192.0.0.192": false, "192.0.2.1": false, "192.88.99.1": false,
		"192.168.0.0": false, "192.168.255.255": false, "198.18.0.0": false, "198.19.255.255": false, "198.51.100.7": false, "203.0.113.7": false,
		"224.0.0.1": false, "239.255.255.255": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::127.0.0.1": false, "::8.8.8.8": false, "::ffff:127.0.0.1": false, "::ffff:8.8.8.8": false, "::ffff:0:8.8.8.8": false,
		"64:ff9b::7f00:1": false, "64:ff9b::808:808": false, "64:ff9b:1::1": false, "100::1": false,
		"2001::1": false, "2001:0:4136:e378:8000:63bf:3fff:fdd2": false, "2001:2::1": false, "2001:10::1": false, "2001:20::1": false, "2001:1ff:ffff::1": false,
		"2001:db8::1": false, "2002:7f00:1::": false, "2002:808:808::1": false, "3fff::1": false, "5f00::1": false,
		"fc00::1": false, "fdff::1": false, "fe80::1": false, "fe80::1%eth0": false, "fec0::1": false, "ff02::1": false, "2606:4700::1111%eth0": false,
	} {
		if got := public(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s public: %v, want %v", address, got, want)
		}
	}
}

func TestNeighbour(t *testing.T) {
	var own []net.Addr
	for _, s := range []string{"127.0.0.1/8", "93.184.216.34/20", "2a00:1450:1:2::7/64"} {
		ip, n, err := net.ParseCIDR(s)
		if err != nil {
			t.Fatal(err)
		}
		own = append(own, &net.IPNet{IP: ip, Mask: n.Mask})
	}
	for address, want := range map[string]bool{
		"93.184.216.34":        true,
		"93.184.216.35":        false, // somebody else's at the same provider
		"2a00:1450:1:2::7":     true,
		"2a00:1450:1:2:9::9":   true, // in the same house
		"2a00:1450:1:3::7":     false,
		"2606:4700::1111":      false,
		"2a00:1450:1:2::ffff":  true,
		"2a00:1450:1:2:1:1::1": true,
	} {
		if got := neighbour(netip.MustParseAddr(address), own); got != want {
			t.Errorf("%s neighbour: %v, want %v", address, got, want)
		}
	}
}

func TestUsualPorts(t *testing.T) {
	for port, want := range map[uint16]bool{80: true, 443: true, 1024: true, 3000: true, 8080: true, 8443: true, 65535: true,
		0: false, 21: false, 22: false, 23: false, 25: false, 53: false, 445: false, 587: false, 1023: false} {
		if got := usual(port); got != want {
			t.Errorf("port %d: %v, want %v", port, got, want)
		}
	}
}

func TestGuard(t *testing.T) {
	for address, want := range map[string]bool{
		"93.184.216.34:80": true, "93.184.216.34:8080": true, "[2606:4700::1111]:443": true,
		"93.184.216.34:22": false, "127.0.0.1:80": false, "[::1]:443": false, "[fe80::1%lo]:80": false,
		"example.com:80": false, "93.184.216.34": false, "": false,
	} {
		if err := guard(t.Context(), "tcp", address, nil); (err == nil) != want {
			t.Errorf("%q: %v, want passed %v", address, err, want)
		}
	}
}
