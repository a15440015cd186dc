package configs

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The functions below read one kind of value each. Their errors are phrases
// that say what is wrong and what to write instead; those that read a secret,
// a URL, which may hold one, or a model, where a key is easily pasted, do not
// repeat it.

var errInvisible = errors.New("the text holds a line break or another character that cannot be seen; write it on one line")

func visible(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// parsePath expands a "~" at the beginning and cleans the path.
func parsePath(text, home string) (string, error) {
	if text == "~" || strings.HasPrefix(text, "~/") {
		if home == "" {
			return "", errors.New("the path begins with ~ but HOME is not set; write the full path")
		}
		text = home + text[1:]
	}
	if !visible(text) {
		return "", errInvisible
	}
	return filepath.Clean(text), nil
}

// parseZone reads what TZ may hold: a name of the IANA database, with or
// without a colon before it, or the path of a file of that database.
func parseZone(text string) (*time.Location, error) {
	name := strings.TrimPrefix(text, ":")
	if name == "/etc/localtime" {
		return time.Local, nil
	}
	if _, after, ok := strings.Cut(name, "/zoneinfo/"); ok {
		name = after
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("%.60q is not a time zone; write its name, such as Europe/Berlin", text)
	}
	return zone, nil
}

// parseModel reads "provider/model", or "offline", whose model has no name.
func parseModel(text string) (string, error) {
	provider, model, _ := strings.Cut(text, "/")
	switch provider {
	case "offline":
		return provider, nil
	case "openai", "ollama", "anthropic":
		if model == "" || strings.ContainsFunc(model, unicode.IsSpace) {
			return "", fmt.Errorf("the name of the model is missing or holds a space; write it like %s/name-of-the-model", provider)
		}
		return text, nil
	}
	return "", errors.New("this begins with no provider that is known; write openai, ollama or anthropic, a slash and the model, or only offline")
}

func parseLevel(text string) (slog.Level, error) {
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		if strings.EqualFold(text, level.String()) {
			return level, nil
		}
	}
	return 0, fmt.Errorf("%.60q is not a level of the log; write debug, info, warn or error", text)
}

func parseFormat(text string) (string, error) {
	if text != "text" && text != "json" {
		return "", fmt.Errorf("%.60q is not a format of the log; write text or json", text)
	}
	return text, nil
}

// botToken is the shape of the tokens that @BotFather gives.
var botToken = regexp.MustCompile(`^[0-9]+:[A-Za-z0-9_-]+$`)

func parseBotToken(text string) (Secret, error) {
	if !botToken.MatchString(text) {
		return Secret{}, errors.New("this is not a bot token, which is digits, a colon, then letters, digits, _ and -; copy it again from @BotFather")
	}
	return newSecret(text)
}

// parseToken reads a secret that travels in an HTTP header.
func parseToken(text string) (Secret, error) {
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Secret{}, errors.New("the secret holds a space, a line break or a character that no key has; copy it again")
	}
	return newSecret(text)
}

// parseURL reads a base URL, to which paths are going to be added.
func parseURL(text string) (string, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return "", errors.New("this is not a URL; write it like https://example.com/v1")
	case u.Scheme != "http" && u.Scheme != "https":
		return "", errors.New("the URL must begin with https:// or http://")
	case u.Hostname() == "":
		return "", errors.New("the URL names no host; write it like https://example.com/v1")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(text, "#"):
		return "", errors.New("paths are added to this URL; remove the part that begins with ? or #")
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// parseOrigin reads the scheme and host of a page.
func parseOrigin(text string) (string, error) {
	origin, err := parseURL(text)
	if u, _ := url.Parse(origin); err == nil && u.Path != "" {
		return "", errors.New("only the beginning is wanted, without a path; write it like https://nacre.example.com")
	}
	return origin, err
}

// parseWebhook reads the URL that Telegram shall call, which must be https.
func parseWebhook(text string) (string, error) {
	hook, err := parseURL(text)
	if err == nil && (!strings.HasPrefix(hook, "https://") || !strings.HasSuffix(hook, "/telegram")) {
		return "", errors.New("Telegram calls https URLs only, and ours ends in /telegram; write it like https://nacre.example.com/telegram")
	}
	return hook, err
}

// listenOff is the text of a listener that is not wanted.
const listenOff = "off"

// parseListen reads host:port; listenOff gives the empty text.
func parseListen(text string) (string, error) {
	if text == listenOff {
		return "", nil
	}
	_, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return "", fmt.Errorf("%.60q is not a place to listen; write host:port with a port up to 65535, such as 127.0.0.1:8080, or off", text)
	}
	return text, nil
}

func parseTimeout(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%.60q is not a length of time; write one above zero, such as 90s or 5m", text)
	}
	return d, nil
}

// loopback reports whether only this machine can reach a listener.
func loopback(listen string) bool {
	host, _, _ := net.SplitHostPort(listen)
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}
