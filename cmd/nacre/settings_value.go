package main

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"nacre"
	"nacre/configs"
	"nacre/jobs/timetable"
)

// maxSetting bounds the characters of what somebody sets.
const maxSetting = 100

// set reads a setting as people write it; an empty text is none. The error is
// Invalid, and a sentence.
func (s *settings) set(o *own, name, text string) (err error) {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > maxSetting {
		return nacre.Errorf(nacre.Invalid, "That is too long for a setting; write at most %d characters.", maxSetting)
	}
	switch name {
	case "name":
		o.name, err = readName(text)
	case "zone":
		o.zone, err = readZone(text)
	case "language":
		o.language, err = readLanguage(text)
	case "hours":
		o.hours, err = readHours(text)
	case "model":
		o.model, err = readModel(text, s.models)
	default:
		err = nacre.Errorf(nacre.Invalid, "There is no setting of that name; there are %s.", strings.Join(settingNames, ", "))
	}
	return err
}

// readName takes any name that can be seen. Two signs that cannot are needed to write
// some languages.
func readName(text string) (string, error) {
	hidden := func(c rune) bool { return !unicode.IsGraphic(c) && c != '\u200c' && c != '\u200d' }
	if !utf8.ValidString(text) || strings.ContainsFunc(text, hidden) {
		return "", nacre.Errorf(nacre.Invalid, "There is a sign in that name that cannot be seen; type it anew.")
	}
	return text, nil
}

func readZone(text string) (*time.Location, error) {
	if text == "" {
		return nil, nil
	}
	return timetable.Named(text)
}

// readHours takes hours as the configuration does.
func readHours(text string) (*configs.Hours, error) {
	if text == "" {
		return nil, nil
	}
	hours, err := configs.ParseHours(text)
	if err != nil {
		return nil, nacre.Errorf(nacre.Invalid, "Write hours such as 08:00-22:00; 00:00-00:00 is the whole day.")
	}
	return &hours, nil
}

// readModel takes a name, or a number, as /model lists them.
func readModel(text string, models []string) (string, error) {
	i := slices.IndexFunc(models, func(m string) bool { return strings.EqualFold(m, text) })
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(models) {
		i = n - 1
	}
	switch {
	case text == "":
		return "", nil
	case i < 0:
		return "", nacre.Errorf(nacre.Invalid, "There is no such model to choose; there are %s.", strings.Join(models, ", "))
	}
	return models[i], nil
}
