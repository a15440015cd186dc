package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"nacre"
	"nacre/agent/style"
	"nacre/web"
)

// gmailCommand is the operator's Gmail on the command line.
type gmailCommand struct {
	State      gmailState      `cmd:"" default:"withargs" help:"Show how Gmail is connected, and what was learned (the default)."`
	Connect    gmailConnect    `cmd:"" help:"Connect Gmail, so that Nacre learns from your sent mail how you write."`
	Disconnect gmailDisconnect `cmd:"" help:"Take your consent back. The style that was learned stays until you forget it."`
	Learn      gmailLearn      `cmd:"" help:"Learn now how you write."`
}

// atMail runs f with the operator's Gmail.
func (c call) atMail(f func(web.Mail) error) error {
	return c.atDesk(func(d web.Desk) error { return f(d.Mail(shell)) })
}

type gmailState struct {
	JSON bool `help:"Print it as JSON."`
}

// Run shows how Gmail is connected.
func (g gmailState) Run(c call) error {
	return c.atDesk(func(d web.Desk) error {
		sheet, err := d.Mail(shell).Show(c.ctx)
		if err != nil || g.JSON || !sheet.Connected || sheet.Style != "" {
			return show(c, g.JSON, sheet, err, mailText)
		}
		runs, err := d.Jobs(shell).Runs(c.ctx, web.RunQuery{Round: nacre.RoundStyle, Most: 1})
		return show(c, false, runs, err, func(runs []web.JobRun) string { return mailText(sheet) + notLearned(runs) })
	})
}

// notLearned says why no style is known yet, by the newest run that was to learn it.
func notLearned(runs []web.JobRun) string {
	switch {
	case len(runs) == 0:
		return ""
	case runs[0].Reason == string(style.TooFew):
		return fmt.Sprintf("\nHow you write is not known yet: you sent too few letters that tell it. At least %d of the last %d days are needed.\n", style.MinMails, int(style.Reach.Hours()/24))
	}
	return ""
}

// mailText is an owner's Gmail in words.
func mailText(s web.MailSheet) string {
	var b strings.Builder
	switch {
	case !s.Connected:
		b.WriteString("Gmail is not connected; nacre gmail connect does that.\n")
	case s.Drafts:
		fmt.Fprintf(&b, "Gmail is connected as %s since %s. Your sent mail is read, and drafts are written when you ask for one.\n", s.Address, s.Since.Format("2 Jan 2006"))
	default:
		fmt.Fprintf(&b, "Gmail is connected as %s since %s. Your sent mail is read, and nothing else.\n", s.Address, s.Since.Format("2 Jan 2006"))
	}
	if s.Trouble != "" {
		fmt.Fprintf(&b, "\n%s\n", s.Trouble)
	}
	if s.Style != "" {
		fmt.Fprintf(&b, "\n%s\n  %s\n", styleTitle(s), strings.ReplaceAll(s.Style, "\n", "\n  "))
	}
	return b.String()
}

// styleTitle says where the style of a sheet comes from.
func styleTitle(s web.MailSheet) string {
	switch {
	case s.Yours:
		return "How you write, as you said yourself:"
	case s.Learned.IsZero():
		return "How you write, as it was learned from your sent mail:"
	}
	return fmt.Sprintf("How you write, as it was learned from your sent mail by %s:", s.Learned.Format("2 Jan 2006, 15:04"))
}

type gmailDisconnect struct{}

// Run takes the consent back.
func (gmailDisconnect) Run(c call) error {
	return c.atMail(func(m web.Mail) error {
		gone, err := m.Disconnect(c.ctx)
		return show(c, false, gone, err, goneText)
	})
}

func goneText(g web.MailGone) string {
	text := "Gmail is disconnected, and Google was told.\n"
	if !g.Revoked {
		text = "Gmail is disconnected here. Google could not be told: take your consent back at https://myaccount.google.com/connections\n"
	}
	return text + "What was learned of your style stays until you forget it: nacre memory forget preferences/writing-style\n"
}

type gmailLearn struct{}

// Run learns the style, which may take minutes.
func (gmailLearn) Run(c call) error {
	return c.atMail(func(m web.Mail) error {
		text, err := m.Learn(c.ctx)
		return show(c, false, text, err, func(text string) string { return text + "\n" })
	})
}

type gmailConnect struct {
	Client     string `help:"The client_secret.json of your own client, as Google lets you download it." placeholder:"FILE" type:"existingfile" xor:"client"`
	ClientID   string `help:"The id of your own client; its secret is asked for." placeholder:"ID" xor:"client"`
	SecretFile string `name:"client-secret-file" help:"The file that holds its secret, in place of asking." placeholder:"FILE" type:"existingfile"`
	Drafts     bool   `help:"Also let it write drafts when you ask for one. It never sends."`
}

// Run connects Gmail: it prints an address, and waits until the person was there.
func (g gmailConnect) Run(c call) error {
	return c.atDesk(func(d web.Desk) error {
		mail := d.Mail(shell)
		before, err := mail.Show(c.ctx)
		if err != nil {
			return err
		}
		id, secret, err := g.client(c, before.Client)
		if err != nil {
			return err
		}
		w := consentWait{call: c, mail: mail, before: before, came: make(chan web.MailSheet, 1)}
		_, w.alone = d.(*app)
		return w.connect(web.MailConnect{ID: id, Secret: secret, Drafts: g.Drafts})
	})
}

// client is the owner's client at Google; empty for the one that is kept.
func (g gmailConnect) client(c call, kept bool) (id, secret string, err error) {
	switch {
	case g.Client != "":
		text, err := os.ReadFile(g.Client)
		if err != nil {
			return "", "", nacre.Errorf(nacre.Invalid, "the file of the client cannot be read (%w)", err)
		}
		return clientOf(text)
	case g.ClientID == "" && kept:
		return "", "", nil
	case g.ClientID == "":
		return "", "", nacre.Errorf(nacre.Invalid, "name your own client at Google: --client client_secret.json, or --client-id; docs/using.md tells how to make one")
	case g.SecretFile != "":
		text, err := os.ReadFile(g.SecretFile)
		if err != nil {
			return "", "", nacre.Errorf(nacre.Invalid, "the file of the secret cannot be read (%w)", err)
		}
		return g.ClientID, strings.TrimSpace(string(text)), nil
	}
	secret, err = c.secretly("The secret of your client (it is not shown): ")
	return g.ClientID, secret, err
}

// clientOf reads a client as Google gives it away: of a desktop app, or of a web
// application.
func clientOf(text []byte) (id, secret string, err error) {
	type client struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	var file struct{ Installed, Web client }
	if json.Unmarshal(text, &file) != nil || cmp.Or(file.Installed.ID, file.Web.ID) == "" {
		return "", "", nacre.Errorf(nacre.Invalid, "that file is no client of Google's; download it under APIs & Services, Credentials")
	}
	found := cmp.Or(file.Installed, file.Web)
	return found.ID, found.Secret, nil
}

// secretly asks at a terminal for something that nobody shall see there.
func (c call) secretly(question string) (string, error) {
	in, ok := c.in.(*os.File)
	if !ok || !isTerminal(c.in) {
		return "", nacre.Errorf(nacre.Invalid, "there is no terminal to ask for the secret; give --client-secret-file or --client")
	}
	fmt.Fprint(c.err, question)
	text, err := term.ReadPassword(int(in.Fd()))
	fmt.Fprintln(c.err)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimSpace(string(text)), nil
}
