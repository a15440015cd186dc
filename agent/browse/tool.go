package browse

import (
	"context"
	"encoding/json"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
)

// Spec implements agent.Tool.
func (*Fetcher) Spec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "web_fetch",
		Description: "Reads a public web page as text.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"url":{"type":"string"},"start":{"type":"integer","minimum":0,"description":"character to read on from"}},"required":["url"],"additionalProperties":false}`),
	}
}

// Call implements agent.Tool. It fetches the page anew for each part of it.
func (f *Fetcher) Call(ctx context.Context, _ nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var in struct {
		URL   string `json:"url"`
		Start int    `json:"start"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "the arguments are not a JSON object with a text \"url\" and an optional whole number \"start\"")
	}
	page, err := f.Fetch(ctx, in.URL)
	if err != nil {
		return agent.Result{}, err
	}
	text, err := page.View(in.Start)
	return agent.Result{Text: text, Source: llm.FromWeb}, err
}

// Spec implements agent.Tool.
func (*Search) Spec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "web_search",
		Description: "Searches the web. Read a result with web_fetch before you rely on it.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"],"additionalProperties":false}`),
	}
}

// Call implements agent.Tool.
func (s *Search) Call(ctx context.Context, _ nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var in struct {
		Query string `json:"query"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "the arguments are not a JSON object with a text \"query\"")
	}
	hits, err := s.Find(ctx, in.Query)
	if err != nil {
		return agent.Result{}, err
	}
	return agent.Result{Text: listed(hits), Source: llm.FromWeb}, nil
}
