package main

import (
	"net"
	"net/http"
	"net/http/pprof"

	"nacre"
)

// profile lets this machine ask Go's profiler, at an address of its own that the
// configuration keeps to this machine. Requests that name another host are those of a
// stranger's web page, whose name was made to lead here.
func (s *servers) profile(address string) error {
	if address == "" {
		return nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nacre.Errorf(nacre.Invalid, "the address for profiles, %s, cannot be used (%w); stop what uses it, or set NACRE_PPROF to another address or to off", address, err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	s.add(l, reachedAs(l.Addr().String(), mux), nil)
	return nil
}

// reachedAs answers requests for one host:port, or its port on localhost, and no others.
func reachedAs(address string, next http.Handler) http.Handler {
	_, port, _ := net.SplitHostPort(address) // which has one
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != address && r.Host != net.JoinHostPort("localhost", port) {
			http.Error(w, "This is not reached by this name.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
