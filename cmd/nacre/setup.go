package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"

	"nacre"
	"nacre/configs"
	"nacre/memory/ledger"
	"nacre/web"
)

type setupCommand struct {
	Name              string `help:"What the assistant calls you."`
	Zone              string `help:"Your time zone, such as Europe/Berlin."`
	Model             string `help:"The model that answers, as provider/model, or offline." placeholder:"MODEL"`
	KeyFile           string `help:"A file that holds the key of the model's provider." placeholder:"FILE"`
	TelegramTokenFile string `help:"A file that holds the token of your Telegram bot." placeholder:"FILE"`
	Owner             string `help:"An address of yours, such as telegram:1001." placeholder:"ADDRESS"`
	WhatsApp          string `name:"whatsapp" help:"Whose number is linked on WhatsApp: own, separate or off." placeholder:"NUMBER"`
	Web               string `help:"Whether the web page is served: on or off." placeholder:"SWITCH"`
	Autostart         string `help:"What starts Nacre by itself: systemd, compose or none." placeholder:"WAY"`
	Yes               bool   `help:"Write without asking."`
}

var (
	errNoTerminal = nacre.Errorf(nacre.Invalid, "setup asks its questions in a terminal, and this is none; answer by flags instead: --name, --zone, --model, --key-file, --telegram-token-file, --owner, --whatsapp, --web, --autostart, and --yes")
	errNoYes      = nacre.Errorf(nacre.Invalid, "nobody can be asked here whether to write that; add --yes")
	errStopped    = nacre.Errorf(nacre.Invalid, "stopped; nothing was changed")
)

// Run takes answers from flags if there are any, else from the person at the terminal.
// Nothing is written before all is known and checked.
func (f setupCommand) Run(c call) error {
	flags := f != setupCommand{}
	terminal := isTerminal(c.in) && isTerminal(c.out)
	switch {
	case !flags && !terminal:
		return errNoTerminal
	case flags && !terminal && !f.Yes:
		return errNoYes
	}
	s, err := newSetup(c)
	if err != nil {
		return err
	}
	if flags {
		err = s.takeFlags(f)
	} else {
		s.links = true
		err = s.askAll()
	}
	if err == nil {
		err = s.finish(f.Yes)
	}
	if err != nil && c.ctx.Err() != nil && !s.written {
		return errStopped
	}
	return err
}

// setup is one run of the command.
type setup struct {
	call
	*dialog
	cfg       *configs.Config // in effect before
	file      *configs.File
	running   bool // a server runs on the data directory
	moved     bool // the data directory is not the usual one
	name      string
	answers   map[string]string // settings by key
	borrowed  map[string]string // secrets of the environment, which a service does not see
	newName   string
	autostart string
	bot       string // such as @name, once Telegram told it
	links     bool   // WhatsApp is linked at the end, if it was chosen
	written   bool
}

func newSetup(c call) (*setup, error) {
	s := &setup{answers: map[string]string{}, borrowed: map[string]string{}}
	if s.moved = wantsState(c); s.moved {
		c.environ = append(c.environ, "NACRE_DATA="+stateDir)
	}
	s.call, s.dialog = c, newDialog(c)
	var err error
	if s.cfg, err = c.config(); err != nil {
		return nil, err
	}
	path := cmp.Or(s.cfg.File, filepath.Join(s.cfg.Data, "nacre.toml"))
	if s.file, err = configs.OpenFile(path); err != nil {
		return nil, err
	}
	s.running = web.NewClient(s.cfg.Data).Running(c.ctx)
	s.name, err = s.presentName()
	s.newName, s.autostart = s.name, s.presentAutostart()
	return s, err
}

// stateDir is the data directory of a service of the machine.
const stateDir = "/var/lib/nacre"

// wantsState reports whether this is a root who has no data directory yet: theirs is
// to be a service that has a user of its own.
func wantsState(c call) bool {
	_, err := os.Stat(filepath.Join(c.getenv("HOME"), ".nacre"))
	return os.Geteuid() == 0 && errors.Is(err, os.ErrNotExist) && c.file == "" && c.getenv("NACRE_DATA") == "" && c.getenv("NACRE_CONFIG") == ""
}

// ctx ends when the person stops it.
func (s *setup) ctx() context.Context { return s.call.ctx }

// presentName is what the operator is called so far.
func (s *setup) presentName() (name string, err error) {
	if !s.running && !ledger.Exists(s.cfg.Data) {
		return "", nil
	}
	err = s.atDesk(func(d web.Desk) error {
		sheet, err := d.Settings(shell).Show(s.ctx())
		name = sheet.Name
		return err
	})
	return name, err
}

// tried is the configuration as it would be with the answers so far. Its error says
// what is wrong with them.
func (s *setup) tried() (*configs.Config, error) {
	return configs.Load(configs.Override(s.environ, s.answers), s.call.file, checkOwners)
}

// answer takes an answer, unless it cannot be.
func (s *setup) answer(key, text string) error {
	before, had := s.answers[key]
	s.answers[key] = text
	_, err := s.tried()
	if err != nil {
		if delete(s.answers, key); had {
			s.answers[key] = before
		}
	}
	return err
}

// admit adds an address to those of the operator.
func (s *setup) admit(address nacre.Address) error {
	owners := s.cfg.Owners
	list, err := nacre.ParseOwners(owners)
	if err != nil {
		return err
	}
	for _, entry := range list {
		for _, a := range entry {
			if a == address {
				return nil
			}
		}
	}
	return s.answer("owners", ownersWith(list, address))
}
