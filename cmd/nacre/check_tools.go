package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// tools tells what reads voice notes, searches the web and compares meanings, and asks
// their servers whether they are there.
func (x *examination) tools(ctx context.Context) []finding {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return []finding{x.voice(ctx), x.search(ctx), x.embedder(ctx)}
}

// embedder asks the server that makes vectors, without which only words are compared.
func (x *examination) embedder(ctx context.Context) finding {
	name := x.cfg.Recall.Embed
	if name == "" {
		return finding{Name: "meaning", Level: fine, Found: "what is remembered is found by words", Do: "to find it by meaning too, set NACRE_EMBED"}
	}
	s := newModelServer(x.cfg, name)
	s.setting = "NACRE_EMBED"
	f := s.ask(ctx)
	f.Name, f.Found = "meaning", name+": "+f.Found
	return f
}

func (x *examination) voice(ctx context.Context) finding {
	choice, p := transcription(x.cfg)
	if choice == "" {
		return finding{Name: "voice", Level: fine, Found: "voice notes are not heard", Do: "to have them heard, set NACRE_TRANSCRIBE"}
	}
	s := &modelServer{setting: "NACRE_TRANSCRIBE", base: p.BaseURL, key: p.Key.Reveal()}
	s.provider, s.model, _ = strings.Cut(choice, "/")
	if x.cfg.Transcribe.BaseURL != "" {
		s.provider = transcribing
	}
	f := s.ask(ctx)
	f.Name, f.Found = "voice", choice+": "+f.Found
	if m, ok := x.cfg.Models.Lookup(choice); f.Level == fine && (!ok || m.Price == nil) {
		f.Found += "; its price is unknown, so that only its tokens are counted"
	}
	return f
}

// transcribing stands for the provider of a server that hears voice notes and
// does nothing else.
const transcribing = "transcribe"

func (x *examination) search(ctx context.Context) finding {
	f := finding{Name: "search", Level: fine, Found: "the web is not searched", Do: "to search it, set NACRE_SEARXNG_URL or BRAVE_API_KEY"}
	switch s := x.cfg.Search; {
	case s.SearXNG != "":
		return searxng(ctx, s.SearXNG)
	case s.BraveKey.Reveal() != "":
		f.Found, f.Do = "by Brave", ""
	}
	return f
}

// searxng asks for a search in the form that the tool needs, with nothing to
// find.
func searxng(ctx context.Context, base string) finding {
	f := finding{Name: "search", Level: problem, Do: "see that NACRE_SEARXNG_URL is where a SearXNG runs, and that its settings allow the format json"}
	s := &modelServer{provider: "searxng", base: base}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(base, "/")+"/search?q=nacre&format=json", nil)
	if err != nil {
		f.Found = "the address makes no sense"
		return f
	}
	resp, err := (&http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}}).Do(req)
	if err != nil {
		f.Found, _ = s.unreachable(err)
		return f
	}
	defer resp.Body.Close()
	var answer struct{ Results []any }
	switch {
	case resp.StatusCode != http.StatusOK:
		f.Found = s.host() + " refuses to search (" + resp.Status + ")"
		return f
	case json.NewDecoder(io.LimitReader(resp.Body, maxList)).Decode(&answer) != nil:
		f.Found = s.host() + " answers with something else than results"
		return f
	}
	return finding{Name: "search", Level: fine, Found: "by the SearXNG at " + s.host()}
}
