package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"nacre"
	"nacre/gateway/terminal"
	"nacre/web"
)

type serveCommand struct{}

// Run serves until a signal. In a terminal it is also a chat, and ends with it.
func (serveCommand) Run(c call) error {
	cfg, err := c.config()
	if err != nil {
		return err
	}
	interactive := isTerminal(c.in) && isTerminal(c.out)
	level := cfg.Log.Level
	if interactive {
		level = max(level, slog.LevelWarn) // the person is talking here
	}
	log := newLogger(cfg, c.console, level)
	o, err := reach(c.ctx, cfg, log, true)
	if err != nil {
		return err
	}
	if o.memory == nil && !o.chat[0].simple {
		log.Warn("no memory model is configured; the chat model does its work too", "model", o.chat[0].name)
	}
	a, err := build(c.ctx, cfg, log, o)
	if err != nil {
		return err
	}
	defer a.ledger.Close()
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	s, err := a.listen(cfg.Web.Listen)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.profile(cfg.Pprof); err != nil {
		return err
	}
	if isTerminal(c.out) && cfg.Web.Listen != "" {
		if err := a.greet(ctx, c.out); err != nil {
			return err
		}
	}
	var beside sync.WaitGroup // what runs beside the server
	if interactive {
		beside.Go(func() {
			defer cancel()
			if err := c.chat(ctx, web.NewClient(cfg.Data)); err != nil {
				log.Error("chat ended", "err", err)
			}
		})
	}
	beside.Go(func() { stayLean(ctx) })
	err = a.serve(ctx, s)
	cancel()
	beside.Wait()
	return err
}

// greet shows the operator the way to the page.
func (a *app) greet(ctx context.Context, out io.Writer) error {
	link, err := a.porter.Link(ctx, a.site, a.operator)
	if err == nil {
		_, err = fmt.Fprintf(out, "This opens the page once, within 10 minutes:\n%s\n\n", link)
	}
	return err
}

// leanEvery is how long what a burst of work needed is kept at hand for another.
const leanEvery = time.Minute

// stayLean gives back now and then what is not used at the moment, until ctx ends: a
// conversation touches much of the program that rests again afterwards.
func stayLean(ctx context.Context) {
	often := time.NewTicker(leanEvery)
	defer often.Stop()
	for {
		select {
		case <-often.C:
			settle()
		case <-ctx.Done():
			return
		}
	}
}

// serve runs until ctx ends or a channel is refused, then drains.
func (a *app) serve(ctx context.Context, s *servers) error {
	defer a.drain()
	if err := a.start(ctx); err != nil {
		return err
	}
	s.run(a.log)
	defer a.keepMemory(ctx)()
	a.log.Info("nacre is running", "version", version, "data", a.cfg.Data, "model", a.model, "web", a.cfg.Web.Listen)
	defer a.log.Info("nacre is ending")
	defer time.AfterFunc(time.Second, settle).Stop()
	return a.gateway.Run(ctx)
}

// servers are the two places where Nacre listens.
type servers struct {
	listeners []net.Listener
	https     []*http.Server
}

// listen opens the control socket and, unless it is off, the web address.
func (a *app) listen(address string) (*servers, error) {
	s := &servers{}
	socket, err := web.ListenSocket(a.cfg.Data)
	if err != nil {
		return nil, err
	}
	s.add(socket, web.Control(a, a.attach, a.log), nil)
	if address == "" {
		return s, nil
	}
	public, err := net.Listen("tcp", address)
	if err != nil {
		s.close()
		return nil, nacre.Errorf(nacre.Invalid, "the web address %s cannot be used (%w); stop what uses it, or set NACRE_WEB_LISTEN to another address or to off", address, err)
	}
	if err := a.open(s, public); err != nil {
		s.close()
		public.Close()
		return nil, err
	}
	return s, nil
}

// open serves the page, by https where there is a certificate.
func (a *app) open(s *servers, public net.Listener) (err error) {
	var secure *tls.Config
	if cfg := a.cfg.Web; cfg.TLSCert != "" {
		cert, err := web.NewCertificate(cfg.TLSCert, cfg.TLSKey, a.log)
		if err != nil {
			return err
		}
		secure = cert.Config()
	}
	a.site, err = web.NewSite(web.Serving{Listen: public.Addr().String(), URL: a.cfg.Web.URL, TLS: secure != nil, Proxy: a.cfg.Web.Proxy})
	if err != nil {
		return err
	}
	_, a.port, _ = net.SplitHostPort(public.Addr().String()) // which has one
	s.add(public, web.Public(web.Options{Desk: a, Chat: a.page, Porter: a.porter, Site: a.site, Token: a.cfg.Web.Token.Reveal(),
		Operator: func() nacre.OwnerID { return a.operator }, Metrics: a.meter.Handler(), Webhook: a.hook, Consented: a.consented, Log: a.log}), secure)
	return nil
}

// How long who asks over HTTP may take to say what they want, and to take an answer.
// What takes longer, such as a websocket, sets times of its own.
const (
	headWait   = 10 * time.Second
	askWait    = 30 * time.Second
	answerWait = time.Minute
	idleWait   = 2 * time.Minute // between two questions
)

// add serves a listener, by https if secure is not nil.
func (s *servers) add(l net.Listener, h http.Handler, secure *tls.Config) {
	s.listeners = append(s.listeners, l)
	s.https = append(s.https, &http.Server{Handler: h, TLSConfig: secure, ReadHeaderTimeout: headWait, ReadTimeout: askWait,
		WriteTimeout: answerWait, IdleTimeout: idleWait, MaxHeaderBytes: 64 << 10})
}

func (s *servers) run(log *slog.Logger) {
	for i := range s.https {
		go func() {
			serve := s.https[i].Serve
			if s.https[i].TLSConfig != nil {
				serve = func(l net.Listener) error { return s.https[i].ServeTLS(l, "", "") }
			}
			if err := serve(s.listeners[i]); !errors.Is(err, http.ErrServerClosed) {
				log.Error("server stopped", "err", err)
			}
		}()
	}
}

func (s *servers) close() {
	for i := range s.https {
		s.https[i].Close()
		s.listeners[i].Close()
	}
}

// attach serves one terminal chat.
func (a *app) attach(conn net.Conn, in io.Reader) error {
	err := a.terminal.Serve(conn, in)
	if err != nil {
		a.log.Warn("terminal chat ended", "err", err)
	}
	return nil // the connection is gone, there is nobody to tell
}

func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// chat is the terminal chat over a server's socket.
func (c call) chat(ctx context.Context, server *web.Client) error {
	return terminal.Chat(ctx, terminal.Options{Dial: server.Chat, In: c.in, Out: c.out, Err: c.err, Getenv: c.getenv})
}
