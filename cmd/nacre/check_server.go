package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"nacre/web"
)

// askServer asks the running server how it is.
func (x *examination) askServer(ctx context.Context) []finding {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client := web.NewClient(x.cfg.Data)
	if x.running = client.Running(ctx); !x.running {
		return []finding{{Name: "server", Level: fine, Found: "not running", Do: "start it with: nacre serve"}}
	}
	s, err := client.Status(ctx)
	if err != nil {
		return []finding{{Name: "server", Level: problem, Found: fmt.Sprintf("running, but it does not say how it is (%v)", err), Do: "see its log, then restart it"}}
	}
	x.status = &s
	list := append([]finding{x.server(s)}, channels(s)...)
	return append(list, queue(s))
}

// server compares the running server with this program and its configuration.
func (x *examination) server(s web.Status) finding {
	f := finding{Name: "server", Level: fine, Found: "running for " + time.Since(s.Since).Round(time.Second).String()}
	switch {
	case s.Version != version:
		f.Level, f.Do = warning, "restart it to run the newer one"
		f.Found = fmt.Sprintf("it has version %s and this program is %s", s.Version, version)
	case s.Model != modelWords(x.models):
		f.Level, f.Do = warning, "restart it, or run this with the environment and the file that the server has"
		f.Found = fmt.Sprintf("it runs with another configuration: its model is %s, here it is %s", s.Model, modelWords(x.models))
	}
	return f
}

func channels(s web.Status) []finding {
	var list []finding
	for _, c := range s.Channels {
		f := finding{Name: string(c.Name), Level: fine, Found: c.Words}
		if !c.OK {
			f.Level = problem
		}
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b finding) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// stuckOutbox is how long an answer may wait that is only held up by a network.
const stuckOutbox = 15 * time.Minute

// queue tells what waits and what was given up.
func queue(s web.Status) finding {
	f := finding{Name: "queue", Level: fine, Found: fmt.Sprintf("%s not answered yet, %s of answers not delivered yet", number(s.Pending, "message", "messages"), number(s.Waiting, "part", "parts"))}
	if s.Pending == 0 && s.Waiting == 0 {
		f.Found = "empty"
	}
	if s.Waiting > 0 {
		f.Found += ", the oldest for " + time.Since(s.Oldest).Round(time.Second).String()
	}
	if s.Waiting > 0 && time.Since(s.Oldest) > stuckOutbox {
		f.Level, f.Do = warning, "see how its channel is, here and in the log"
	}
	if s.Dead > 0 {
		f.Level = warning
		f.Found += fmt.Sprintf("; %d could not be delivered", s.Dead)
		f.Do = "nacre status lists them with the reasons"
	}
	return f
}

// page looks whether the web address is free, or served by the running server.
func (x *examination) page(ctx context.Context) []finding {
	address := x.cfg.Web.Listen
	f := finding{Name: "web page", Level: fine, Found: address}
	switch {
	case address == "":
		f.Found = "off"
	case x.running && anyPort(address):
		f.Found = address + ", a port that the server chose"
	case x.running && !served(ctx, address, x.cfg.Web.TLSCert != ""):
		f.Level, f.Found = problem, "the server does not answer at "+address
		f.Do = "restart it with this configuration"
	case x.running:
		f.Found += ", served"
	default:
		return []finding{free(address)}
	}
	return []finding{f}
}

// free tries to listen for a moment, as only that shows who may.
func free(address string) finding {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return finding{Name: "web page", Level: problem, Found: fmt.Sprintf("%s cannot be used (%v)", address, err),
			Do: "stop what uses it, or set NACRE_WEB_LISTEN to another address or to off"}
	}
	l.Close()
	return finding{Name: "web page", Level: fine, Found: address + " is free"}
}

func anyPort(address string) bool {
	_, port, _ := net.SplitHostPort(address)
	return port == "0"
}

// served reports whether a Nacre answers at a listening address. One that is
// not well, as the other lines tell, says so with a 503.
func served(ctx context.Context, address string, secure bool) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	host, port, _ := net.SplitHostPort(address)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	scheme := "http"
	if secure {
		scheme = "https"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return false
	}
	// No proxy: it is this machine, for whose name no certificate is made.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	resp, err := client.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 64))
	well := err == nil && resp.StatusCode == http.StatusOK && string(body) == "ok\n"
	return well || resp.StatusCode == http.StatusServiceUnavailable
}
