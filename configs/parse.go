package configs

import (
	"cmp"
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

// parseOllama reads what OLLAMA_HOST may hold, as Ollama's own client does: a
// host, a port or both, or a URL, whose port is then that of its scheme. The
// address by which a server listens for everybody is reached as this machine.
func parseOllama(text string) (string, error) {
	port := ""
	if addr, err := netip.ParseAddr(text); err == nil && addr.Is6() {
		text = "[" + text + "]"
	}
	if !strings.Contains(text, "://") {
		text, port = "http://"+text, "11434"
	}
	u, err := url.Parse(text)
	if err != nil {
		return "", errors.New("this is not where an Ollama is; write host:port, such as 127.0.0.1:11434")
	}
	name := u.Hostname()
	switch name {
	case "", "0.0.0.0":
		name = "127.0.0.1"
	case "::":
		name = "::1"
	}
	u.Host = strings.TrimSuffix(net.JoinHostPort(name, cmp.Or(u.Port(), port)), ":")
	return parseURL(u.String())
}

// host is the host of a URL that parseURL has accepted.
func host(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// sameHost reports whether two URLs, if there are two, have the same host.
func sameHost(a, b string) bool {
	return host(a) != "" && strings.EqualFold(host(a), host(b))
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

// off is the text of what is not wanted.
const off = "off"

// parseListen reads host:port; off gives the empty text.
func parseListen(text string) (string, error) {
	if text == off {
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

// parseTruth reads whether something is so.
func parseTruth(text string) (bool, error) {
	if text != "true" && text != "false" {
		return false, fmt.Errorf("%.60q says neither true nor false; write one of the two", text)
	}
	return text == "true", nil
}

func parseTimeout(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%.60q is not a length of time; write one above zero, such as 90s or 5m", text)
	}
	return d, nil
}

// The bounds of a window, in tokens. Below the least there is no room for an
// answer beside what every prompt holds.
const (
	leastWindow = 2_000
	mostWindow  = 2_000_000
)

// parseWindow reads a number of tokens; 0 leaves the choice to the catalogue.
func parseWindow(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n != 0 && (n < leastWindow || n > mostWindow) {
		return 0, fmt.Errorf("%.60q is not a window; write its tokens, from %d to %d, or 0 for what the model has", text, leastWindow, mostWindow)
	}
	return n, nil
}

// loopback reports whether only this machine can reach a listener.
func loopback(listen string) bool {
	host, _, _ := net.SplitHostPort(listen)
	return ourself(host)
}

// ourself reports whether a host is this machine for whoever names it.
func ourself(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// closed reports whether nobody else reads what a browser sends to an address: it is
// reached by https, or is on the machine of the browser.
func closed(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "https" || ourself(u.Hostname()))
}
