package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"nacre"
	"nacre/gateway/telegram"
	"nacre/web"
)

const aboutBot = `On Telegram, open @BotFather and send /newbot. It asks for a name, and for a user name that ends in "bot". ` +
	`It answers with a token like 123456789:AAF…; paste it here. It is not shown.`

// askTelegram asks for the bot, tries it, and admits the operator to it.
func (s *setup) askTelegram() error {
	known := s.cfg.Telegram.Token.Reveal()
	title, about := "The token of your Telegram bot? (Enter: not now)", aboutBot
	if known != "" {
		title, about = "The token of another Telegram bot? (Enter: keep the present one)", ""
	}
	for {
		token, err := s.secret(title, about, func(text string) error {
			if text == "" {
				return nil
			}
			return s.answer("telegram.token", text)
		})
		if err != nil {
			return err
		}
		if token == "" {
			if delete(s.answers, "telegram.token"); known == "" {
				return nil
			}
			if s.file.Get("telegram.token") == "" && s.file.Get("telegram.token_file") == "" {
				s.borrowed["telegram.token"] = known
			}
		} else if err := s.answer("telegram.token", token); err != nil {
			return err
		} else {
			s.answers["telegram.token_file"] = ""
		}
		settled, err := s.tryBot()
		if err != nil || settled {
			return err
		}
	}
}

// tryBot asks Telegram for the bot. It returns false where the person wants to give
// another token.
func (s *setup) tryBot() (settled bool, err error) {
	o, err := s.botOptions()
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(s.ctx(), patience)
	defer cancel()
	bot, err := telegram.Probe(ctx, o)
	switch {
	case s.ctx().Err() != nil:
		return false, errStopped
	case err == nil:
		s.bot = "@" + bot.Username
		s.say("Your bot is @%s: https://t.me/%s\n", bot.Username, bot.Username)
		return true, s.askOwner(o)
	}
	s.say("%v.\n", err)
	again, err := s.choose("What now?", "", "again", option{"again", "Type the token again"}, option{"keep", "Keep it all the same"})
	return again == "keep", err
}

// botOptions are how the bot is reached.
func (s *setup) botOptions() (telegram.Options, error) {
	cfg, err := s.tried()
	if err != nil {
		return telegram.Options{}, err
	}
	return telegram.Options{Token: cfg.Telegram.Token.Reveal(), API: cfg.Telegram.API}, nil
}

// askOwner finds out who the operator is on Telegram, unless that is known. A running
// server takes what comes in for the bot; it shows a code there.
func (s *setup) askOwner(o telegram.Options) error {
	switch {
	case strings.Contains(s.cfg.Owners, string(nacre.Telegram)+":"):
		return nil
	case s.running && o.Token == s.cfg.Telegram.Token.Reveal():
		return s.askCode()
	}
	var others []nacre.Address
	for {
		p, err := s.await(o, others)
		if err != nil || p.Address.ID == "" {
			return err
		}
		who := tame(p.Name)
		if p.User != "" {
			who += " (@" + tame(p.User) + ")"
		}
		mine, err := s.sure("A message came from "+who+". Is that you?", "Who is admitted here may do everything with Nacre.")
		switch {
		case err != nil:
			return err
		case mine:
			return s.admit(p.Address)
		}
		others = append(others, p.Address)
	}
}

// await waits for somebody who writes to the bot. What they wrote stays with Telegram
// until Nacre runs, which then answers it.
func (s *setup) await(o telegram.Options, others []nacre.Address) (telegram.Person, error) {
	const about = "From your phone, so that I know who you are. Nacre answers once it runs."
	title := "Now write anything to " + s.bot + ". I am waiting …"
	if s.plain {
		return s.look(o, others, title+"\n"+about)
	}
	ctx, cancel := context.WithCancel(s.ctx())
	defer cancel()
	type result struct {
		person telegram.Person
		err    error
	}
	came := make(chan result, 1)
	go func() {
		p, err := telegram.First(ctx, o, others...)
		came <- result{p, err}
		cancel()
	}()
	skipped, err := s.wait(ctx, title, about)
	cancel()
	r := <-came
	switch {
	case err != nil:
		return telegram.Person{}, err
	case skipped || r.err != nil && errors.Is(r.err, context.Canceled):
		return telegram.Person{}, nil
	case r.err != nil:
		s.say("%v.", r.err)
		return telegram.Person{}, nil
	}
	return r.person, nil
}

// lookTime is how long is looked for a message that was just written.
const lookTime = 10 * time.Second

// look is await in plain lines: it looks when it is told to.
func (s *setup) look(o telegram.Options, others []nacre.Address, about string) (telegram.Person, error) {
	for {
		said, err := s.line("Press Enter once you have written, or type skip:", about, "", func(string) error { return nil })
		if err != nil || said == "skip" {
			return telegram.Person{}, err
		}
		ctx, cancel := context.WithTimeout(s.ctx(), lookTime)
		p, err := telegram.First(ctx, o, others...)
		cancel()
		switch {
		case s.ctx().Err() != nil:
			return p, errStopped
		case err == nil:
			return p, nil
		case errors.Is(err, context.DeadlineExceeded):
			s.say("Nothing has come yet.")
		default:
			s.say("%v.", err)
		}
	}
}

// askCode admits the operator by the code that the running server shows them.
func (s *setup) askCode() error {
	code, err := s.line("Write to "+s.bot+"; it shows you a code. The code? (Enter: later)", "", "", func(string) error { return nil })
	if err != nil || code == "" {
		return err
	}
	return s.atDesk(func(d web.Desk) error {
		words, err := d.Pair(s.ctx(), code)
		if err == nil {
			s.say("%s", words)
		}
		return err
	})
}
