package main

import (
	"os"
	"path/filepath"
	"strings"

	"nacre"
)

// takeFlags takes what the flags answer. What they leave out stays as it is.
func (s *setup) takeFlags(f setupCommand) error {
	if f.Name != "" {
		if s.newName = f.Name; checkName(f.Name) != nil {
			return checkName(f.Name)
		}
	}
	for _, a := range []struct{ key, text string }{{"zone", f.Zone}, {"whatsapp.number", f.WhatsApp}} {
		if a.text != "" {
			if err := s.answer(a.key, a.text); err != nil {
				return err
			}
		}
	}
	for _, take := range []func(setupCommand) error{s.takeModel, s.takeToken, s.takeOwner, s.takeWeb, s.takeAutostart} {
		if err := take(f); err != nil {
			return err
		}
	}
	return nil
}

// takeModel takes a model with its key, which must be there together.
func (s *setup) takeModel(f setupCommand) error {
	if f.KeyFile != "" {
		provider, _, _ := strings.Cut(f.Model, "/")
		if f.Model == "" {
			provider, _, _ = strings.Cut(s.cfg.Model, "/")
		}
		if _, ok := modelKeys(s.cfg)[provider]; !ok {
			return nacre.Errorf(nacre.Invalid, "--key-file needs to know whose key it is; name the model too, such as --model %s", defaultOpenAI)
		}
		if err := s.answerFile(provider+".key", f.KeyFile); err != nil {
			return err
		}
	}
	if f.Model != "" {
		return s.answer("model", f.Model)
	}
	return nil
}

func (s *setup) takeToken(f setupCommand) error {
	if f.TelegramTokenFile == "" {
		return nil
	}
	return s.answerFile("telegram.token", f.TelegramTokenFile)
}

// answerFile answers with a secret that stays in its file.
func (s *setup) answerFile(key, path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := s.answer(key+"_file", path); err != nil {
		return err
	}
	s.answers[key] = ""
	return nil
}

func (s *setup) takeOwner(f setupCommand) error {
	if f.Owner == "" {
		return nil
	}
	a, err := nacre.ParseAddress(f.Owner)
	if err != nil {
		return err
	}
	return s.admit(a)
}

func (s *setup) takeWeb(f setupCommand) error {
	switch f.Web {
	case "":
		return nil
	case "on", "off":
		return s.answer("web.listen", s.listen(f.Web == "on"))
	}
	return nacre.Errorf(nacre.Invalid, "%.60q is neither on nor off; write --web on or --web off", f.Web)
}

func (s *setup) takeAutostart(f setupCommand) error {
	switch f.Autostart {
	case "":
	case bySystemd, byCompose, byNothing:
		s.autostart = f.Autostart
	default:
		return nacre.Errorf(nacre.Invalid, "%.60q starts nothing; write --autostart systemd, compose or none", f.Autostart)
	}
	return nil
}

// listen is where the page is served, if it is.
func (s *setup) listen(on bool) string {
	switch {
	case !on:
		return "off"
	case s.cfg.Web.Listen != "":
		return s.cfg.Web.Listen
	}
	return "127.0.0.1:8080"
}

// ownersWith is a list of owners, written out, with one more address of the first.
func ownersWith(list [][]nacre.Address, more nacre.Address) string {
	if len(list) == 0 {
		list = [][]nacre.Address{nil}
	}
	var entries []string
	for i, entry := range list {
		if i == 0 {
			entry = append(entry, more)
		}
		var one []string
		for _, a := range entry {
			one = append(one, a.String())
		}
		entries = append(entries, strings.Join(one, "+"))
	}
	return strings.Join(entries, ",")
}

// executable is this program as a service starts it.
func executable() (string, error) {
	path, err := os.Executable()
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	return path, err
}
