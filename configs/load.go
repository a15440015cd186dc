package configs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

const (
	defaultData = "~/.nacre"
	fileVar     = "NACRE_CONFIG"

	// maxFile is the most bytes of a file that we read, far above what any
	// configuration or secret needs.
	maxFile = 64 << 10
)

// given is what the file or the environment says about one key.
type given struct {
	text   string
	source string // a variable, or a file and line
	other  bool   // it is a number, an array or the like, not a text
}

var errNotText = errors.New("the value must be a text in quotes")

// layer is everything that the file or the environment says, by key.
type layer map[string]given

// loader is one run of Load.
type loader struct {
	*Config
	vars     map[string]string // of the environment
	known    map[string]string // variables that mean something, with their keys
	env      layer
	file     layer
	unread   bool // there is a file but we do not know what it says
	problems Problems
}

// Load reads the configuration. environ is like os.Environ. path is the file
// that the command line names, or empty; then it is the one in NACRE_CONFIG,
// else nacre.toml in the data directory of the environment, which may be
// missing. checkOwners is nacre.ParseOwners for its error alone, which this
// package does not know. The error is Problems: all that there are, not only
// the first.
func Load(environ []string, path string, checkOwners func(text string) error) (*Config, error) {
	l := &loader{Config: &Config{}, vars: map[string]string{}, env: layer{}, file: layer{}}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		l.vars[name] = value
	}
	l.settings = newSettings(l.Config, l.vars["HOME"], checkOwners)
	l.known = variables(l.settings)
	l.readEnviron()
	l.readFile(path)
	for i := range l.settings {
		l.apply(&l.settings[i])
	}
	l.readModels()
	if !l.unread {
		l.checkTogether()
	}
	if len(l.problems) > 0 {
		return nil, l.problems
	}
	return l.Config, nil
}

func (l *loader) problemf(format string, args ...any) {
	l.problems = append(l.problems, fmt.Sprintf(format, args...))
}

func (l *loader) warnf(format string, args ...any) {
	l.Warnings = append(l.Warnings, fmt.Sprintf(format, args...))
}

// readEnviron fills the layer of the environment and warns of variables that
// look like ours and are not.
func (l *loader) readEnviron() {
	for _, name := range slices.Sorted(maps.Keys(l.vars)) {
		key, ok := l.known[name]
		switch {
		case ok:
			l.env[key] = given{text: l.vars[name], source: name}
		case strings.HasPrefix(name, "NACRE_") && name != fileVar:
			l.warnf("the variable %.60q means nothing to Nacre%s", name, suggest(name, maps.Keys(l.known)))
		}
	}
}

// readFile finds the file, reads it and fills its layer.
func (l *loader) readFile(named string) {
	named = cmp.Or(named, l.vars[fileVar])
	standard := filepath.Join(cmp.Or(l.vars["NACRE_DATA"], defaultData), "nacre.toml")
	path, err := parsePath(cmp.Or(named, standard), l.vars["HOME"])
	if err != nil && named == "" {
		return // the data directory has the same problem
	}
	var doc []byte
	var mode fs.FileMode
	if err == nil {
		doc, mode, err = read(path)
	}
	switch {
	case err == nil:
		l.File = path
		l.readDocument(doc)
		l.warnReadable(mode)
	case named != "" || !missing(err):
		l.unread = true
		l.problemf("the configuration file %q cannot be read (%v); check its path and permissions", cmp.Or(named, standard), err)
	}
}

// missing reports whether a file is not there; below something that is no
// directory there can be none.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// warnReadable warns of a file with secrets in it that others can read.
func (l *loader) warnReadable(mode fs.FileMode) {
	holds := func(s setting) bool { return s.secret() && l.file[s.key].text != "" }
	if mode.Perm()&0o044 != 0 && slices.ContainsFunc(l.settings, holds) {
		l.warnf("%s holds secrets and others on this machine can read it; make it yours alone with chmod 600", l.File)
	}
}

// apply gives one setting its value.
func (l *loader) apply(s *setting) {
	text, err := l.resolve(s)
	switch {
	case err != nil || text == "":
	case !s.secret() && !visible(text):
		err = errInvisible
	default:
		err = s.field.set(text)
	}
	if err != nil {
		l.problemf("%s (%s): %v", s.source, s.key, err)
	}
}

// resolve finds the text for a setting and notes where it came from.
func (l *loader) resolve(s *setting) (string, error) {
	for _, in := range []layer{l.env, l.file} {
		direct, file := in[s.key], in[s.key+fileKey]
		switch {
		case direct.other:
			s.source = direct.source
			return "", errNotText
		case file.other:
			s.source = file.source
			return "", errNotText
		case direct.text != "" && file.text != "":
			s.source = direct.source
			return "", fmt.Errorf("the secret is also given as a file by %s; keep one of the two", file.source)
		case file.text != "":
			s.source = file.source
			return readSecret(file.text, l.vars["HOME"])
		case direct.text != "":
			s.source = direct.source
			return direct.text, nil
		}
	}
	if s.fallback != "" {
		s.source = "default"
	}
	return strings.ReplaceAll(s.fallback, "{data}", l.Data), nil
}

// readSecret reads the file that holds a secret. Its path stays out of the
// error, because people put the secret itself there by mistake.
func readSecret(path, home string) (string, error) {
	path, err := parsePath(path, home)
	if err != nil {
		return "", err
	}
	data, _, err := read(path)
	if err != nil {
		return "", fmt.Errorf("the file that should hold the secret cannot be read (%v); check its path and permissions", err)
	}
	text := strings.TrimRight(string(data), "\r\n")
	if text == "" {
		return "", errors.New("the file that should hold the secret is empty; write the secret into it")
	}
	return text, nil
}

// read returns a file of at most maxFile bytes. Its error does not repeat the
// path.
func read(path string) ([]byte, fs.FileMode, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, cause(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, cause(err)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it is larger than %d KiB", maxFile>>10)
	}
	return data, info.Mode(), cause(err)
}

func cause(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// checkTogether finds what is wrong only between settings.
func (l *loader) checkTogether() {
	l.checkWeb()
	if l.Telegram.Webhook != "" && l.Web.Listen == "" {
		l.problemf("%s (telegram.webhook): Telegram's calls arrive at the web page, which is off; set web.listen or NACRE_WEB_LISTEN", l.source("telegram.webhook"))
	}
	if other := l.source("search.brave_key"); l.Search.SearXNG != "" && other != "" {
		l.problemf("%s (search.searxng): %s names another search, and only one is asked; keep one of the two", l.source("search.searxng"), other)
	}
	l.checkProviders("model", l.Model)
	l.checkProviders("fallback", l.Fallback...)
	l.checkProviders("memory_model", l.MemoryModel)
	l.checkProviders("recall.embed", l.Recall.Embed)
	if l.Transcribe.BaseURL == "" {
		l.checkProviders("transcribe.model", l.Transcribe.Model)
	}
}

// checkWeb wants nobody's words and secrets to cross a network in the open.
func (l *loader) checkWeb() {
	cert, key := l.source("web.tls_cert"), l.source("web.tls_key")
	switch {
	case cert != "" && key == "":
		l.problemf("%s (web.tls_cert): a certificate is of no use without its key; set web.tls_key or NACRE_WEB_TLS_KEY", cert)
	case cert == "" && key != "":
		l.problemf("%s (web.tls_key): a key is of no use without its certificate; set web.tls_cert or NACRE_WEB_TLS_CERT", key)
	case cert != "" && strings.HasPrefix(l.Web.URL, "http:"):
		l.problemf("%s (web.url): the page has a certificate, so its address begins with https://", l.source("web.url"))
	case cert == "" && l.Web.Listen != "" && !loopback(l.Web.Listen) && !l.Web.Proxy:
		l.problemf("%s (web.listen): others can reach %s, and read what is sent there; set web.tls_cert and web.tls_key (NACRE_WEB_TLS_CERT and NACRE_WEB_TLS_KEY), "+
			"or web.proxy (NACRE_WEB_PROXY) to true behind a proxy that speaks https, or listen on 127.0.0.1", l.source("web.listen"), l.Web.Listen)
	case cert == "" && l.Web.Listen != "" && l.Web.Proxy && !closed(l.Web.URL):
		l.problemf("%s (web.proxy): say by which address browsers reach the proxy, which has to speak https where other machines can: "+
			"set web.url (NACRE_WEB_URL), such as https://nacre.example.com, or http://localhost:8080 for this machine alone", l.source("web.proxy"))
	}
}

// checkProviders checks the providers of the models that a setting names, each
// once.
func (l *loader) checkProviders(role string, models ...string) {
	var checked []string
	for _, model := range models {
		provider, _, _ := strings.Cut(model, "/")
		if !slices.Contains(checked, provider) {
			checked = append(checked, provider)
			l.checkProvider(role, provider)
		}
	}
}

// checkProvider requires an address, and a key for a provider's own service; a
// server of one's own may need none.
func (l *loader) checkProvider(role, provider string) {
	key, base := l.setting(provider+".key"), l.setting(provider+".base_url")
	switch {
	case base == nil: // offline
	case base.source == "":
		l.problemf("%s (%s): the models of %s need the address of their server; set %s or %s", l.source(role), role, provider, base.key, base.env)
	case key != nil && key.source == "" && sameHost(base.field.String(), base.fallback):
		l.problemf("%s (%s): the models of %s need a key; set %s, or %s to a server that needs none",
			l.source(role), role, host(base.fallback), key.env, base.env)
	}
}

// setting finds a row by its key, nil if there is none.
func (c *Config) setting(key string) *setting {
	i := slices.IndexFunc(c.settings, func(s setting) bool { return s.key == key })
	if i < 0 {
		return nil
	}
	return &c.settings[i]
}

// source is where the value of a key came from, empty if nobody gave one. A
// value that was refused counts as given: it has its own problem.
func (c *Config) source(key string) string { return c.setting(key).source }
