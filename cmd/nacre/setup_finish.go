package main

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"strings"

	"nacre"
	"nacre/configs"
	"nacre/web"
)

// finish writes all that was answered, or nothing, and says how to go on.
func (s *setup) finish(sure bool) error {
	drafts, beside, err := s.drafts()
	if err != nil {
		return err
	}
	s.say("")
	for _, d := range drafts {
		s.say("To be written: %s", d.Path)
	}
	if len(drafts) > 0 || s.newName != s.name {
		if !sure {
			if yes, err := s.sure("Write that?", ""); err != nil {
				return err
			} else if !yes {
				return errStopped
			}
		}
		if err := configs.WriteAll(drafts); err != nil {
			return nacre.Errorf(nacre.Invalid, "nothing was changed, as %w; make room or a right to write there, and run setup again", err)
		}
		s.written = true
		if err := s.rename(); err != nil {
			return err
		}
		s.say("Written.")
	} else {
		s.say("Nothing is to be changed.")
	}
	for _, path := range beside {
		s.say("%s differs and was kept; what it would be now is in %s", strings.TrimSuffix(path, ".new"), path)
	}
	s.warn()
	if s.links {
		if err := s.link(); err != nil {
			return err
		}
	}
	return s.farewell(len(drafts) > 0)
}

// drafts are the files to write, and those of them that lie beside another.
func (s *setup) drafts() (drafts []configs.Draft, beside []string, err error) {
	if _, err := s.tried(); err != nil {
		return nil, nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(s.answers)) {
		if s.answers[key] != s.present(key) || s.file.New() || s.autostart != byNothing {
			if err := s.put(key, s.answers[key]); err != nil {
				return nil, nil, err
			}
		}
	}
	if s.autostart != byNothing {
		for key, secret := range s.borrowed {
			if err := s.put(key, secret); err != nil {
				return nil, nil, err
			}
		}
	}
	drafts, err = s.startFiles()
	if err != nil {
		return nil, nil, err
	}
	drafts, beside = unwritten(drafts)
	if s.file.Changed() && !(s.file.New() && len(s.answers) == 0) {
		drafts = append([]configs.Draft{{Path: s.file.Path, Data: s.file.Bytes(), Mode: 0o600}}, drafts...)
	}
	return drafts, beside, nil
}

// put changes the file. A container does not see what lies elsewhere on this machine,
// so a secret goes into the file itself there.
func (s *setup) put(key, text string) error {
	if name, ok := strings.CutSuffix(key, "_file"); ok && text != "" && s.autostart == byCompose {
		secret, err := os.ReadFile(text)
		if err != nil {
			return err
		}
		return s.file.Set(name, strings.TrimRight(string(secret), "\r\n"))
	}
	if _, inFile := s.answers[key+"_file"]; inFile && text == "" && s.autostart == byCompose {
		return nil
	}
	return s.file.Set(key, text)
}

// present is a setting as it is in effect.
func (s *setup) present(key string) string {
	switch key {
	case "zone":
		return zoneName(s.cfg.Zone)
	case "model":
		return chosen(s.ctx(), s.cfg)
	case "owners":
		return s.cfg.Owners
	case "telegram.token":
		return s.cfg.Telegram.Token.Reveal()
	case "whatsapp.number":
		return string(s.cfg.WhatsApp.Number)
	case "web.listen":
		return cmp.Or(s.cfg.Web.Listen, "off")
	}
	return s.file.Get(key)
}

// warn names variables of the environment that win over what was answered.
func (s *setup) warn() {
	for _, key := range slices.Sorted(maps.Keys(s.answers)) {
		name := configs.Variable(key)
		if value := s.getenv(name); value != "" && s.answers[key] != "" && value != s.answers[key] && s.answers[key] != s.present(key) {
			s.say("The variable %s is set here and wins over the file; take it away.", name)
		}
	}
}

// farewell says how to start what was set up, and where to go on.
func (s *setup) farewell(changed bool) error {
	s.say("")
	if s.running {
		if changed {
			s.say("Nacre is running; start it again for what has changed.")
		}
		return s.showLink()
	}
	for _, line := range s.startLines() {
		s.say("%s", line)
	}
	if s.moved {
		s.say("Its data is in %s; other commands find it there by: export NACRE_DATA=%s", s.cfg.Data, s.cfg.Data)
	}
	if cfg, err := s.tried(); err == nil && cfg.Telegram.Token.Reveal() != "" {
		s.say("Then write to %s. %s", cmp.Or(s.bot, "your bot"), admission(cfg.Owners))
	}
	if number := s.answers["whatsapp.number"]; !s.links && number != "" && number != string(configs.NoNumber) {
		s.say("To link WhatsApp: nacre pair whatsapp")
	}
	s.say("nacre doctor looks for what is wrong; nacre web opens the page once it runs.")
	return nil
}

// admission is what comes of the first message on Telegram.
func admission(owners string) string {
	if strings.Contains(owners, string(nacre.Telegram)+":") {
		return "It answers you."
	}
	return "It shows you a code, and this admits you: nacre pair CODE"
}

// startLines are the commands that start Nacre.
func (s *setup) startLines() []string {
	switch {
	case s.autostart == byCompose:
		return []string{"Start it with:", "  docker compose --project-directory '" + s.cfg.Data + "' up -d"}
	case s.autostart == bySystemd && configs.MayBeSystem(s.cfg.Data):
		return []string{"Start it, now and with the machine:", "  systemctl daemon-reload", "  systemctl enable --now nacre"}
	case s.autostart == bySystemd:
		return []string{"Start it, now and with the machine:", "  systemctl --user daemon-reload", "  systemctl --user enable --now nacre", "  loginctl enable-linger"}
	}
	return []string{"Start it with:", "  nacre"}
}

// showLink shows the way to the page of a running server that has one.
func (s *setup) showLink() error {
	if s.cfg.Web.Listen == "" {
		return nil
	}
	return s.atDesk(func(d web.Desk) error {
		link, err := d.Login(s.ctx(), shell)
		if err == nil {
			s.say("This opens the page once, within 10 minutes:\n%s", link)
		}
		return err
	})
}
