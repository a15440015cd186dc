package main

import (
	"cmp"
	"time"

	"nacre/configs"
	"nacre/web"
)

// askAll asks the person at the terminal, at most nine questions before the one
// whether to write.
func (s *setup) askAll() error {
	s.say("This sets Nacre up. Enter takes what is offered, Ctrl+C leaves everything as it is.\n")
	for _, ask := range []func() error{s.askName, s.askZone, s.askModel, s.askTelegram, s.askWhatsApp, s.askWeb, s.askAutostart} {
		if err := ask(); err != nil {
			return err
		}
	}
	return nil
}

func (s *setup) askName() (err error) {
	s.newName, err = s.line("What shall I call you?", "", s.name, checkName)
	return err
}

// checkName checks a name as the settings of an owner do.
func checkName(text string) error { return new(settings).set(new(own), "name", text) }

func (s *setup) askZone() error {
	zone := zoneName(s.cfg.Zone)
	if _, err := time.LoadLocation(zone); err != nil {
		zone = "UTC" // an offset has no name
	}
	text, err := s.line("Your time zone?", "By its name, such as Europe/Berlin. Reminders go by its clock.", zone,
		func(text string) error { return s.answer("zone", text) })
	if err != nil {
		return err
	}
	return s.answer("zone", text)
}

func (s *setup) askWhatsApp() error {
	preset := string(s.cfg.WhatsApp.Number)
	if s.file.New() {
		preset = string(configs.NoNumber)
	}
	number, err := s.choose("Do you want to talk on WhatsApp, too?",
		"WhatsApp allows no programs but its own; it can ban a number for it.", preset,
		option{string(configs.NoNumber), "Not now"},
		option{string(configs.OwnNumber), "Yes, with my own number: only in the chat with myself"},
		option{string(configs.SeparateNumber), "Yes, with a number that is Nacre's alone"})
	if err != nil {
		return err
	}
	return s.answer("whatsapp.number", number)
}

func (s *setup) askWeb() error {
	preset := "on"
	if s.cfg.Web.Listen == "" {
		preset = "off"
	}
	web, err := s.choose("Shall there be a web page, for this machine alone?",
		"It shows what is remembered, plans, costs and the chat.", preset,
		option{"on", "Yes, at http://" + cmp.Or(s.cfg.Web.Listen, s.listen(true))}, option{"off", "No"})
	if err != nil {
		return err
	}
	return s.answer("web.listen", s.listen(web == "on"))
}

func (s *setup) askAutostart() (err error) {
	systemd := "systemd, as a service of yours"
	if configs.MayBeSystem(s.cfg.Data) {
		systemd = "systemd, as a service of this machine"
	}
	s.autostart, err = s.choose("What shall start Nacre by itself?", "A file is written for it; nothing is started now.", s.autostart,
		option{byNothing, "Nothing; I start it by hand"}, option{bySystemd, systemd}, option{byCompose, "Docker Compose or Podman"})
	return err
}

// rename tells the assistant what to call the operator.
func (s *setup) rename() error {
	if s.newName == s.name {
		return nil
	}
	c := s.call
	c.anew = true
	return c.atDesk(func(d web.Desk) error {
		_, err := d.Settings(shell).Change(s.ctx(), web.SettingsChange{Name: &s.newName})
		return err
	})
}

// link links WhatsApp where it was chosen and is not linked yet.
func (s *setup) link() error {
	number := s.answers["whatsapp.number"]
	if number == "" || number == string(configs.NoNumber) {
		return nil
	}
	c := s.call
	c.anew = true
	return c.atDesk(func(d web.Desk) error {
		st, err := d.Status(s.ctx())
		switch {
		case err != nil:
			return err
		case st.WhatsApp == nil || st.WhatsApp.Own != (number == string(configs.OwnNumber)):
			s.say("To link WhatsApp, start Nacre again and then run: nacre pair whatsapp")
			return nil
		case st.WhatsApp.Linked:
			return nil
		}
		s.say("")
		if err := c.linkWhatsApp(d, ""); err != nil {
			s.say("WhatsApp is not linked: %v. To link it later: nacre pair whatsapp", err)
		}
		return nil
	})
}
