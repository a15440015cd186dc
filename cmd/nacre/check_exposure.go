package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"

	"nacre"
	"nacre/web"
)

// secrets tells which of them can be read where they need not be.
func (x *examination) secrets(context.Context) []finding {
	names := x.cfg.Exposed()
	if len(names) == 0 {
		return []finding{{Name: "secrets", Level: fine, Found: "none is in the environment itself"}}
	}
	return []finding{{Name: "secrets", Level: warning, Found: "in the environment, which programs that Nacre starts and container tools can read: " + strings.Join(names, ", "),
		Do: "put each into a file of mode 600 and name that instead, as in " + names[0] + "_FILE=/etc/nacre/secret"}}
}

// listeners tells who can reach what we serve.
func (x *examination) listeners(context.Context) []finding {
	page := x.cfg.Web
	f := finding{Name: "web page", Level: fine, Found: page.Listen + ", for this machine alone"}
	switch host, _, _ := net.SplitHostPort(page.Listen); {
	case page.Listen == "":
		f.Found = "off"
	case page.TLSCert != "":
		f.Found = page.Listen + ", with a certificate"
	case page.Proxy && !loopback(host):
		f.Level, f.Found = warning, page.Listen+", without encryption and open to more than the proxy"
		f.Do = "let nobody but the proxy reach it: listen on 127.0.0.1 if it is on this machine, else guard the port with a firewall"
	case page.Proxy:
		f.Found = page.Listen + ", behind a proxy"
	}
	list := []finding{f}
	if x.cfg.Pprof != "" {
		list = append(list, finding{Name: "profiling", Level: warning, Found: x.cfg.Pprof + " shows the inside of the program to every user of this machine",
			Do: "unset NACRE_PPROF when you have seen enough"})
	}
	return list
}

// loopback reports whether a host is this machine and nobody else reaches it.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// plainHosts tells which servers are spoken to without encryption over a network.
func (x *examination) plainHosts(context.Context) []finding {
	var list []finding
	for _, s := range []struct{ name, url string }{
		{"OPENAI_BASE_URL", x.cfg.OpenAI.BaseURL}, {"ANTHROPIC_BASE_URL", x.cfg.Anthropic.BaseURL}, {"DEEPSEEK_BASE_URL", x.cfg.DeepSeek.BaseURL},
		{"OPENROUTER_BASE_URL", x.cfg.OpenRouter.BaseURL}, {"OLLAMA_HOST", x.cfg.Ollama}, {"NACRE_LOCAL_URL", x.cfg.Local.BaseURL},
		{"NACRE_TRANSCRIBE_URL", x.cfg.Transcribe.BaseURL}, {"NACRE_SEARXNG_URL", x.cfg.Search.SearXNG}, {"NACRE_TELEGRAM_API", x.cfg.Telegram.API},
	} {
		if u, err := url.Parse(s.url); err == nil && u.Scheme == "http" && !loopback(u.Hostname()) {
			list = append(list, finding{Name: "unencrypted", Level: warning, Found: "what is said goes to " + u.Host + " for everybody on the way to read",
				Do: "give " + s.name + " an https:// address, or reach that host through a tunnel"})
		}
	}
	if list == nil {
		list = []finding{{Name: "servers", Level: fine, Found: "all are on this machine or spoken to with encryption"}}
	}
	return list
}

// shortToken is how many characters a token must have that nobody can guess.
const shortToken = 20

// weakSettings are those that a careful operator would not leave so.
func (x *examination) weakSettings(context.Context) []finding {
	var list []finding
	if n := len(x.cfg.Web.Token.Reveal()); n > 0 && n < shortToken {
		list = append(list, finding{Name: "web token", Level: warning, Found: fmt.Sprintf("NACRE_WEB_TOKEN has only %d characters and lets in whoever guesses it", n),
			Do: "make a longer one, for instance with: openssl rand -base64 32"})
	}
	if x.cfg.Log.Level <= slog.LevelDebug {
		list = append(list, finding{Name: "log", Level: warning, Found: "at level debug it tells more of what goes on than it needs to", Do: "set NACRE_LOG_LEVEL to info"})
	}
	if list == nil {
		list = []finding{{Name: "settings", Level: fine, Found: "none of them is weak"}}
	}
	return list
}

// admission tells who may talk to the assistant, and who asks to.
func (x *examination) admission(ctx context.Context) []finding {
	list, _ := nacre.ParseOwners(x.cfg.Owners)
	f := finding{Name: "admission", Level: fine, Found: "only whom you admit: " + number(len(list), "owner", "owners") + " by the configuration, others by a code that you confirm"}
	out := []finding{f}
	if n := x.strangers(ctx); n > 0 {
		out = append(out, finding{Name: "strangers", Level: warning, Found: number(n, "stranger waits", "strangers wait") + " to be admitted",
			Do: "admit nobody whom you do not know; the web page shows who it is"})
	}
	return out
}

// strangers counts who waits, as far as a running server tells.
func (x *examination) strangers(ctx context.Context) int {
	if !x.running {
		return 0
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	list, err := web.NewClient(x.cfg.Data).Strangers(ctx)
	if err != nil {
		return 0 // that the server is not well, the other lines tell
	}
	return len(list)
}
