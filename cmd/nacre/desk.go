package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"nacre"
	"nacre/memory/ledger"
	"nacre/web"
)

// atDesk runs f with the running server as its desk; without one it takes the
// data directory itself.
func (c call) atDesk(f func(web.Desk) error) error {
	cfg, err := c.config()
	if err != nil {
		return err
	}
	if server := web.NewClient(cfg.Data); server.Running(c.ctx) {
		return f(server)
	}
	if !c.anew && !ledger.Exists(cfg.Data) {
		return nacre.Errorf(nacre.NotFound, "there is nothing in %s yet; start Nacre first, or name its directory with NACRE_DATA", cfg.Data)
	}
	o, err := reach(c.ctx, cfg, slog.New(slog.DiscardHandler), true)
	if err != nil {
		return err
	}
	o.older = c.older
	a, err := build(c.ctx, cfg, slog.New(slog.DiscardHandler), o)
	if err != nil {
		return err
	}
	defer a.ledger.Close()
	defer a.drain() // what f posted goes out
	if err := a.takeUp(c.ctx); err != nil {
		return err
	}
	return f(a)
}

type chatCommand struct{}

// Run attaches this terminal to the running server. Without one it runs the
// conversation by itself, without the channels that reach outside.
func (chatCommand) Run(c call) error {
	cfg, err := c.config()
	if err != nil {
		return err
	}
	server := web.NewClient(cfg.Data)
	if server.Running(c.ctx) {
		return c.chat(c.ctx, server)
	}
	log := newLogger(cfg, c.console, max(cfg.Log.Level, slog.LevelWarn))
	o, err := reach(c.ctx, cfg, log, false)
	if err != nil {
		return err
	}
	a, err := build(c.ctx, cfg, log, o)
	if err != nil {
		return err
	}
	defer a.ledger.Close()
	s, err := a.listen("")
	if err != nil {
		return err
	}
	defer s.close()
	ctx, cancel := context.WithCancel(c.ctx)
	served := make(chan error, 1)
	go func() {
		defer cancel()
		served <- a.serve(ctx, s)
	}()
	err = c.chat(ctx, server)
	cancel()
	if served := <-served; err == nil {
		err = served
	}
	return err
}

type statusCommand struct {
	JSON bool `help:"Print it as JSON."`
}

// Run prints the status.
func (s statusCommand) Run(c call) error {
	return c.atDesk(func(d web.Desk) error {
		st, err := d.Status(c.ctx)
		if err != nil {
			return err
		}
		if s.JSON {
			return c.printJSON(st)
		}
		_, err = fmt.Fprintln(c.out, strings.TrimSpace(st.Text(time.Now())))
		return err
	})
}

type healthCommand struct{}

// Run asks the running server; none is an error.
func (healthCommand) Run(c call) error {
	cfg, err := c.config()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.ctx, 5*time.Second)
	defer cancel()
	if err := web.NewClient(cfg.Data).Healthy(ctx); err != nil {
		return errors.New(err.Error()) // plain, for exit code 1: container engines reserve 2
	}
	return nil
}
