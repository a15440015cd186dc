package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"nacre/memory"
	"nacre/web"
)

// webCommand is who may act as the operator on the page, on the command line.
type webCommand struct {
	Link   webLink   `cmd:"" default:"withargs" help:"Print a link that opens the page, once (the default)."`
	Token  webToken  `cmd:"" help:"Make a token, with which a program acts as you over the API."`
	Tokens webTokens `cmd:"" help:"List your tokens, and the browsers that are logged in."`
	Revoke webRevoke `cmd:"" help:"End a token, or log a browser out."`
}

// shell is the operator's hand on the command line.
var shell = web.Hand{By: memory.ByShell}

// atAccess runs f with who may act as the operator.
func (c call) atAccess(f func(web.Access) error) error {
	return c.atDesk(func(d web.Desk) error { return f(d.Access(shell)) })
}

type webLink struct{}

// Run prints a login link for the operator.
func (webLink) Run(c call) error {
	return c.atDesk(func(d web.Desk) error {
		link, err := d.Login(c.ctx, shell)
		if err == nil {
			_, err = fmt.Fprintln(c.out, link)
		}
		return err
	})
}

type webToken struct {
	Name string `arg:"" optional:"" help:"What to call it, such as the program that gets it." default:"script"`
}

// Run prints a fresh token, and nothing else.
func (w webToken) Run(c call) error {
	return c.atAccess(func(a web.Access) error {
		t, err := a.MakeToken(c.ctx, web.TokenWish{Name: w.Name})
		if err != nil {
			return err
		}
		fmt.Fprintf(c.err, "This is shown only now. To end it: nacre web revoke %s\n", t.ID)
		_, err = fmt.Fprintln(c.out, t.Token)
		return err
	})
}

type webTokens struct {
	JSON bool `help:"Print it as JSON."`
}

// Run lists them, the newest first.
func (w webTokens) Run(c call) error {
	return c.atAccess(func(a web.Access) error {
		list, err := a.List(c.ctx)
		switch {
		case err != nil:
			return err
		case w.JSON:
			return c.printJSON(list)
		}
		_, err = io.WriteString(c.out, accessText(list))
		return err
	})
}

// accessText shows who may act as an owner, a line for each.
func accessText(list web.AccessListing) string {
	if len(list.Logins) == 0 {
		return "There are no tokens, and no browser is logged in.\n"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, g := range list.Logins {
		kind := "browser"
		if g.Token {
			kind = "token"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\tlast used %s\n", g.ID, kind, cmp.Or(g.Name, "unknown"), g.Seen.Local().Format(time.DateOnly))
	}
	w.Flush() // into memory
	return b.String()
}

type webRevoke struct {
	ID string `arg:"" name:"id" help:"Which one, as nacre web tokens names it."`
}

// Run ends one.
func (w webRevoke) Run(c call) error {
	return c.atAccess(func(a web.Access) error {
		if err := a.Revoke(c.ctx, web.Revocation{ID: w.ID}); err != nil {
			return err
		}
		_, err := fmt.Fprintln(c.out, "It is good for nothing any more.")
		return err
	})
}
