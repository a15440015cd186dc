package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"nacre/configs"
)

// maxList is the most bytes of a list that are read; the longest of models
// known, of OpenRouter, has about 1 MB.
const maxList = 16 << 20

// model tells which models are chosen and why, and asks their servers for them.
func (x *examination) model(ctx context.Context) []finding {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	list := []finding{x.choice()}
	for _, name := range x.servedModels() {
		s := newModelServer(x.cfg, name)
		list = append(list, s.ask(ctx))
		x.compareClock(s.host(), s.date)
	}
	list = append(list, x.memoryModel(), x.price())
	return append(list, x.windows()...)
}

// littleWindow is how many tokens a model must take for the prompt, of which memory and
// the tools alone can have a third, to leave room for a conversation.
const littleWindow = 16 << 10

// windows tells which models take too little at once to talk with.
func (x *examination) windows() (list []finding) {
	for _, name := range x.models {
		if m, ok := x.cfg.Models.Lookup(name); ok && m.Window > 0 && m.Window < littleWindow {
			list = append(list, finding{Name: "window", Level: warning, Found: fmt.Sprintf("%s takes %d tokens at once, so that little of a conversation is left beside what is remembered", name, m.Window),
				Do: "choose a model with more, or if it has more name a file that says so in NACRE_MODELS"})
		}
	}
	return list
}

func (x *examination) choice() finding {
	f := finding{Name: "choice", Level: fine, Found: modelWords(x.models)}
	switch {
	case x.models[0] == "offline":
		f.Found = "offline, the built-in one, which only keeps and quotes what you say"
		f.Do = "for a real one set NACRE_MODEL and the key of its provider, such as OPENAI_API_KEY"
	case x.cfg.Model != "":
		f.Found += ", as configured"
	case strings.HasPrefix(x.models[0], "ollama/"):
		f.Found += ", because an Ollama runs here and nothing else is configured"
	default:
		f.Found += ", because there is a key and NACRE_MODEL names no model"
	}
	return f
}

// servedModels are all that some server must have.
func (x *examination) servedModels() []string {
	var names []string
	for _, name := range append(slices.Clone(x.models), x.cfg.MemoryModel) {
		if name != "" && name != "offline" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// memoryModel tells which model does the work on memory.
func (x *examination) memoryModel() finding {
	f := finding{Name: "memory", Level: fine, Found: x.cfg.MemoryModel + ", as configured"}
	switch {
	case x.cfg.MemoryModel != "":
	case !slices.ContainsFunc(x.models, func(name string) bool { return name != "offline" }):
		f.Found = "offline too"
	default:
		f.Found = "a model that chats does the work on memory too"
		f.Do = "a small one costs less: set NACRE_MEMORY_MODEL"
	}
	return f
}

// price tells whose price is not known, which matters to a budget in dollars.
func (x *examination) price() finding {
	var unknown []string
	for _, name := range x.servedModels() {
		if m, ok := x.cfg.Models.Lookup(name); !ok || m.Price == nil {
			unknown = append(unknown, name)
		}
	}
	f := finding{Name: "price", Level: fine, Found: "known"}
	if len(unknown) == 0 {
		return f
	}
	f.Found = "unknown for " + strings.Join(unknown, " and ") + "; tokens are counted, and not dollars"
	f.Do = "to have it counted, name a file with the price in NACRE_MODELS"
	b := x.cfg.Budget
	if b.Day.Cost+b.Month.Cost+b.OwnerDay.Cost+b.OwnerMonth.Cost > 0 {
		f.Level, f.Do = warning, "a budget in dollars does not bind it; set one in tokens too, or name a file with the price in NACRE_MODELS"
	}
	return f
}

// modelServer is where the chosen model is.
type modelServer struct {
	setting  string // the variable that names the model; empty if we chose it
	provider string
	model    string // as the server names it
	base     string
	key      string
	date     time.Time // by its clock, once it answered
}

func newModelServer(cfg *configs.Config, name string) *modelServer {
	s := &modelServer{setting: settingOf(cfg, name)}
	s.provider, s.model, _ = strings.Cut(name, "/")
	switch s.provider {
	case "anthropic":
		s.base, s.key = cfg.Anthropic.BaseURL+"/v1", cfg.Anthropic.Key.Reveal()
	case "ollama":
		s.base = cfg.Ollama + "/v1" // where it lists its models as OpenAI does
	default:
		p := compatible(cfg)[s.provider]
		s.base, s.key = p.BaseURL, p.Key.Reveal()
	}
	return s
}

// settingOf is the variable that names a model; empty if none does.
func settingOf(cfg *configs.Config, name string) string {
	switch {
	case name == cfg.MemoryModel && name != cfg.Model:
		return "NACRE_MEMORY_MODEL"
	case slices.Contains(cfg.Fallback, name) && name != cfg.Model:
		return "NACRE_FALLBACK"
	case name == cfg.Model:
		return "NACRE_MODEL"
	}
	return ""
}

// name says what to do if the server does not have the model.
func (s *modelServer) name() string {
	switch {
	case s.provider == "ollama":
		return "get it with: ollama pull " + s.model
	case s.setting == "":
		return "set NACRE_MODEL to one that it lists"
	}
	return "see that " + s.setting + " is spelt as there"
}

// start says what to do if nothing is where the server should be.
func (s *modelServer) start() string {
	if s.provider == "ollama" {
		return "start it with: ollama serve"
	}
	return "start it, or " + s.check()
}

// check says what to do if the server is reached and is not what it should be.
func (s *modelServer) check() string {
	switch s.provider {
	case "ollama":
		return "see that OLLAMA_HOST is where an Ollama listens"
	case "local":
		return "check NACRE_LOCAL_URL"
	case transcribing:
		return "check NACRE_TRANSCRIBE_URL"
	}
	return "check " + strings.ToUpper(s.provider) + "_BASE_URL"
}

func (s *modelServer) keyName() string {
	switch s.provider {
	case "local":
		return "NACRE_LOCAL_KEY"
	case transcribing:
		return "NACRE_TRANSCRIBE_KEY"
	}
	return strings.ToUpper(s.provider) + "_API_KEY"
}

func (s *modelServer) host() string { return hostOf(s.base) }

// ask requests the list of models, which costs nothing.
func (s *modelServer) ask(ctx context.Context) finding {
	resp, err := s.get(ctx)
	if err != nil {
		found, do := s.unreachable(err)
		return finding{Name: "provider", Level: problem, Found: found, Do: do}
	}
	defer resp.Body.Close()
	s.date, _ = http.ParseTime(resp.Header.Get("Date"))
	if resp.StatusCode != http.StatusOK {
		return s.refusal(resp.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxList))
	if err != nil {
		return finding{Name: "provider", Level: problem, Found: s.host() + " broke off its answer", Do: "try again, then " + s.check()}
	}
	return s.look(body)
}

// get follows no redirect, as the chat does not either.
func (s *modelServer) get(ctx context.Context) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/models", nil)
	if err != nil {
		return nil, err
	}
	switch {
	case s.provider == "anthropic":
		// Anthropic's list has no compatible form as its chat has; see
		// https://platform.claude.com/docs/en/api/models-list.
		req.Header.Set("X-Api-Key", s.key)
		req.Header.Set("Anthropic-Version", "2023-06-01")
		req.URL.RawQuery = "limit=1000"
	case s.key != "":
		req.Header.Set("Authorization", "Bearer "+s.key)
	}
	client := http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return client.Do(req)
}

// unreachable makes a sentence of why no answer came. It names only the host,
// because a URL may hold a secret.
func (s *modelServer) unreachable(err error) (found, do string) {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if found, do := s.intercepted(err); found != "" {
		return found, do
	}
	dns, noName := errors.AsType[*net.DNSError](err)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens at " + s.host(), s.start()
	case errors.Is(err, context.DeadlineExceeded):
		return s.host() + " does not answer in time", "check the network and its proxies, and " + s.check()
	case noName && dns.IsNotFound:
		return "the name " + s.host() + " is unknown", "check the network, and " + s.check()
	}
	return fmt.Sprintf("%s cannot be reached (%v)", s.host(), err), "check the network, and " + s.check()
}

// intercepted makes a sentence of what stands between us and the server; empty if
// nothing seems to.
func (s *modelServer) intercepted(err error) (found, do string) {
	_, notTrusted := errors.AsType[x509.UnknownAuthorityError](err)
	_, otherName := errors.AsType[x509.HostnameError](err)
	invalid, notValid := errors.AsType[x509.CertificateInvalidError](err)
	_, noTLS := errors.AsType[tls.RecordHeaderError](err)
	op, _ := errors.AsType[*net.OpError](err)
	switch {
	case op != nil && op.Op == "proxyconnect":
		return "the proxy in front of " + s.host() + " cannot be used", "check HTTPS_PROXY, HTTP_PROXY and NO_PROXY"
	case notValid && invalid.Reason == x509.Expired:
		return "the certificate of " + s.host() + " is not valid at this time", "see that the clock is right; else whoever runs it has to renew it"
	case notTrusted, otherName, notValid:
		return "the certificate of " + s.host() + " is not one to trust, so nothing was sent there", "see whether a proxy or a guarded network stands in between, and " + s.check()
	case noTLS, strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return s.host() + " speaks no https", s.check()
	}
	return "", ""
}

// refusal makes a finding of an answer that is no list.
func (s *modelServer) refusal(status int) finding {
	f := finding{Name: "provider", Level: fine, Found: s.host() + " answers, but lists no models"}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		f.Level, f.Do = problem, "set "+s.keyName()+" to one that it knows"
		f.Found = fmt.Sprintf("%s refused the key (%d)", s.host(), status)
		if s.key == "" {
			f.Found = fmt.Sprintf("%s wants a key (%d)", s.host(), status)
		}
	case status == http.StatusPaymentRequired:
		f.Level, f.Found, f.Do = problem, s.host()+" wants to be paid first (402)", "top up the account of "+s.keyName()+" there"
	case status == http.StatusNotFound:
		f.Level, f.Found, f.Do = warning, s.host()+" has no list of models where one should be (404)", s.check()
	case status == http.StatusTooManyRequests:
		f.Level, f.Found, f.Do = warning, s.host()+" wants fewer requests (429)", "wait, or see your limits there"
	case status >= 500:
		f.Level, f.Found, f.Do = problem, fmt.Sprintf("%s has trouble (%d)", s.host(), status), "try again later"
	case status >= 300 && status < 400:
		f.Level, f.Found, f.Do = problem, fmt.Sprintf("%s sends us elsewhere (%d)", s.host(), status), s.check()
	}
	return f
}

// look searches the list for the model.
func (s *modelServer) look(body []byte) finding {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return finding{Name: "provider", Level: warning, Found: s.host() + " answers with something else than a list of models", Do: s.check()}
	}
	for _, m := range list.Data {
		if rest, ok := strings.CutPrefix(m.ID, s.model); ok && sameModel.MatchString(rest) {
			return finding{Name: "provider", Level: fine, Found: s.host() + " answers and has the model"}
		}
	}
	if len(list.Data) == 0 {
		return finding{Name: "provider", Level: fine, Found: s.host() + " answers, but lists no models"}
	}
	return finding{Name: "provider", Level: warning, Found: fmt.Sprintf("%s does not list %s among its %s", s.host(), s.model, number(len(list.Data), "model", "models")),
		Do: s.name()}
}

// sameModel is what a list may add to the name that stands for the newest of
// a model: nothing, a tag of Ollama's, or a date.
var sameModel = regexp.MustCompile(`^(:latest|-\d{4}[\d-]*)?$`)
