package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"nacre/configs"
)

// What may start Nacre by itself.
const (
	bySystemd = "systemd"
	byCompose = "compose"
	byNothing = "none"
)

// unitPath is where systemd looks for the unit.
func (s *setup) unitPath() string {
	if configs.MayBeSystem(s.cfg.Data) {
		return "/etc/systemd/system/nacre.service"
	}
	base := s.getenv("XDG_CONFIG_HOME")
	if base == "" {
		base = filepath.Join(s.getenv("HOME"), ".config")
	}
	return filepath.Join(base, "systemd", "user", "nacre.service")
}

func (s *setup) composePath() string { return filepath.Join(s.cfg.Data, "compose.yaml") }

// presentAutostart is what starts Nacre so far.
func (s *setup) presentAutostart() string {
	for _, start := range []struct{ way, path string }{{bySystemd, s.unitPath()}, {byCompose, s.composePath()}} {
		if _, err := os.Stat(start.path); err == nil {
			return start.way
		}
	}
	return byNothing
}

// startFiles are the files that start Nacre by itself.
func (s *setup) startFiles() ([]configs.Draft, error) {
	switch s.autostart {
	case bySystemd:
		unit, err := s.unit()
		return []configs.Draft{{Path: s.unitPath(), Data: []byte(unit), Mode: 0o644}}, err
	case byCompose:
		data, err := filepath.Abs(s.cfg.Data)
		env := fmt.Sprintf("# Read by compose.yaml beside it.\nNACRE_HOME='%s'\nNACRE_USER=%d:%d\n", data, os.Geteuid(), os.Getegid())
		if s.answers["web.listen"] == "off" || s.answers["web.listen"] == "" && s.cfg.Web.Listen == "" {
			env += "NACRE_WEB_LISTEN=off\n"
		}
		return []configs.Draft{{Path: s.composePath(), Data: []byte(configs.Compose()), Mode: 0o600},
			{Path: filepath.Join(s.cfg.Data, ".env"), Data: []byte(env), Mode: 0o600}}, err
	}
	return nil, nil
}

func (s *setup) unit() (string, error) {
	program, err := executable()
	if err != nil {
		return "", err
	}
	data, err := filepath.Abs(s.cfg.Data)
	if err != nil {
		return "", err
	}
	u := configs.Service{System: configs.MayBeSystem(s.cfg.Data), Program: program, Data: data, MasterKey: s.secretFile("master_key"),
		Writes: []string{filepath.Dir(s.cfg.Keys), s.cfg.Backup.Dir},
		Reads:  []string{s.cfg.ModelsFile, s.cfg.Web.TLSCert, s.cfg.Web.TLSKey, s.file.Path}}
	if s.file.Path != filepath.Join(data, "nacre.toml") {
		u.Config = s.file.Path
	}
	if u.Writes[0] == data {
		u.Writes = u.Writes[1:]
	}
	for _, key := range []string{"telegram.token", "openai.key", "anthropic.key", "deepseek.key", "openrouter.key", "local.key", "web.token", "transcribe.key", "search.brave_key"} {
		u.Reads = append(u.Reads, s.secretFile(key))
	}
	return u.Unit(), nil
}

// secretFile is the file that holds a secret; empty if none does.
func (s *setup) secretFile(key string) string {
	key += "_file"
	for _, path := range []string{s.answers[key], s.file.Get(key), s.getenv(configs.Variable(key))} {
		if path != "" {
			path, _ = filepath.Abs(path)
			return path
		}
	}
	return ""
}

// unwritten takes out of the files those that are there already. One that says something
// else is written under another name, for the person to compare.
func unwritten(drafts []configs.Draft) (left []configs.Draft, beside []string) {
	for _, d := range drafts {
		old, err := os.ReadFile(d.Path)
		switch {
		case err == nil && bytes.Equal(old, d.Data):
		case err == nil:
			d.Path += ".new"
			if old, err := os.ReadFile(d.Path); err == nil && bytes.Equal(old, d.Data) {
				continue
			}
			beside = append(beside, d.Path)
			left = append(left, d)
		default:
			left = append(left, d)
		}
	}
	return left, beside
}
