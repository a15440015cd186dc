package main

import (
	"cmp"
	"context"
	"os"
	"strings"

	"nacre"
	"nacre/agent"
	"nacre/agent/browse"
	"nacre/agent/llm"
	"nacre/agent/media"
	"nacre/configs"
)

// defaultTranscribe hears voice notes where there is a key of OpenAI's own and
// nothing else was said; another server with its protocol may not do that.
const (
	defaultTranscribe = "openai/gpt-4o-mini-transcribe"
	openAIURL         = "https://api.openai.com/v1"
)

// reachingTools are those that reach out into the network.
func reachingTools(cfg *configs.Config) []agent.Tool {
	tools := []agent.Tool{browse.NewFetcher()}
	switch {
	case cfg.Search.SearXNG != "":
		tools = append(tools, browse.NewSearXNG(cfg.Search.SearXNG))
	case cfg.Search.BraveKey.Reveal() != "":
		tools = append(tools, browse.NewBrave(cfg.Search.BraveKey.Reveal()))
	}
	return tools
}

// newMedia makes what reads files. PDF files are read by a process of their
// own, which is this program again.
func newMedia(cfg *configs.Config, book llm.Book) *media.Reader {
	o := media.Options{Transcriber: newTranscriber(cfg, book)}
	if self, err := os.Executable(); err == nil {
		o.PDF = []string{self, extractName}
	}
	return media.New(o)
}

// transcription is which model hears voice notes, and where; empty if none does.
func transcription(cfg *configs.Config) (choice string, p configs.Provider) {
	t := cfg.Transcribe
	choice = t.Model
	if choice == "" && (t.BaseURL != "" || cfg.OpenAI.Key.Reveal() != "" && cfg.OpenAI.BaseURL == openAIURL) {
		choice = defaultTranscribe
	}
	if choice == "" || choice == configs.TranscribeOff {
		return "", p
	}
	provider, _, _ := strings.Cut(choice, "/")
	p = compatible(cfg)[provider]
	if t.BaseURL != "" {
		p = t.Provider // a server of its own gets no other server's key
	}
	p.Key = cmp.Or(t.Key, p.Key)
	return choice, p
}

// newTranscriber makes what hears voice notes; nil if nothing does. What it
// costs is counted and bounded like the calls of other models.
func newTranscriber(cfg *configs.Config, book llm.Book) *media.Transcriber {
	choice, p := transcription(cfg)
	if choice == "" {
		return nil
	}
	_, model, _ := strings.Cut(choice, "/")
	known := supplier{name: choice}
	known.know(cfg)
	return &media.Transcriber{BaseURL: p.BaseURL, Key: p.Key.Reveal(), Model: model,
		Allow: func(ctx context.Context, owner nacre.OwnerID) error {
			return limits(cfg.Budget).Check(ctx, book, string(owner))
		},
		Count: func(owner nacre.OwnerID, used llm.Usage) {
			book.Spend(string(owner), llm.Spend{Model: choice, Usage: used, Cost: known.price.Cost(used), Priced: known.price.Known})
		}}
}

// extractName is the subcommand that reads a PDF file. People have no use for
// it.
const extractName = "extract-pdf"

type extractCommand struct{}

// Run reads a PDF file from standard input and writes its text to standard
// output, within limits of its own.
func (extractCommand) Run(c call) error { return media.ExtractPDF(c.in, c.out) }
