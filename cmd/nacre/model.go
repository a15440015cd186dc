package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/anthropic"
	"nacre/agent/llm/offline"
	"nacre/agent/llm/ollama"
	"nacre/agent/llm/openai"
	"nacre/configs"
)

// The models that are asked for where only a key says whom to use: not the
// largest of their makers, but ones that use tools well.
const (
	defaultOpenAI     = "openai/gpt-5.4-mini"
	defaultAnthropic  = "anthropic/claude-sonnet-5-5"
	defaultDeepSeek   = "deepseek/deepseek-flash"
	defaultOpenRouter = "openrouter/openai/gpt-5.4-mini"
)

// Windows, in tokens.
const (
	unknownWindow = 32_768  // of a model that nobody told us about
	ollamaWindow  = 16_384  // what a local model gets; its memory grows with it
	largestWindow = 200_000 // more history than that costs more than it helps
	largestAnswer = 32_000  // thoughts included
)

// supplier is a model as it is reached, with nothing wrapped around it yet.
type supplier struct {
	name   string // "provider/model"
	model  llm.Model
	price  llm.Price
	window int
	output int  // most tokens of an answer; 0 if not known
	blind  bool // takes no images
	simple bool // cannot write a summary
}

// probeTime is how long a local server has to show that it is there.
const probeTime = 300 * time.Millisecond

// chosen is the configured model, else one of the provider of the first key,
// else the newest of a local Ollama that can use tools, else the built-in
// offline model.
func chosen(ctx context.Context, cfg *configs.Config) string {
	for _, c := range []struct {
		given bool
		model string
	}{
		{cfg.Model != "", cfg.Model},
		{cfg.OpenAI.Key.Reveal() != "", defaultOpenAI},
		{cfg.Anthropic.Key.Reveal() != "", defaultAnthropic},
		{cfg.DeepSeek.Key.Reveal() != "", defaultDeepSeek},
		{cfg.OpenRouter.Key.Reveal() != "", defaultOpenRouter},
	} {
		if c.given {
			return c.model
		}
	}
	if local := localModel(ctx, cfg.Ollama); local != "" {
		return "ollama/" + local
	}
	return "offline"
}

// localModel is the newest model of an Ollama on this machine that can use
// tools, else the newest that can chat, else "". One that runs in a cloud is
// left out: nobody asked for that.
func localModel(ctx context.Context, base string) string {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	list, err := ollama.Models(ctx, base, nil)
	if err != nil {
		return ""
	}
	chat := ""
	for _, m := range list {
		m, err := ollama.Show(ctx, base, nil, m)
		if err != nil || !m.Chat || m.Remote {
			continue
		}
		if m.Tools {
			return m.Name
		}
		chat = cmp.Or(chat, m.Name)
	}
	return chat
}

// modelNames are the models that answer, the usual one first.
func modelNames(ctx context.Context, cfg *configs.Config) []string {
	names := []string{chosen(ctx, cfg)}
	for _, name := range cfg.Fallback {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// suppliers makes the models that a configuration names: those that answer, and
// the one for the work on memory, nil if that is the usual one too.
func suppliers(ctx context.Context, cfg *configs.Config) (chat []supplier, memory *supplier, err error) {
	names := modelNames(ctx, cfg)
	for _, name := range names {
		s, err := supply(ctx, cfg, name, len(names))
		if err != nil {
			return nil, nil, err
		}
		chat = append(chat, s)
	}
	if cfg.MemoryModel != "" {
		s, err := supply(ctx, cfg, cfg.MemoryModel, 1)
		if err != nil {
			return nil, nil, err
		}
		memory = &s
	}
	return chat, memory, nil
}

// waits are how long a model has to begin an answer, and how long it may be
// silent inside one, where others can take over: so short that all of them have
// their turn within the time of one answer. One on this machine may have to be
// loaded first. Zeros leave it to the defaults.
func waits(cfg *configs.Config, provider string, models int) (patience, silence time.Duration) {
	if models == 1 {
		return 0, 0
	}
	patience, silence = cfg.Agent.TurnTimeout/time.Duration(2*models+1), cfg.Agent.TurnTimeout/time.Duration(models+1)
	if provider != "ollama" && provider != "local" {
		patience = min(patience, 30*time.Second)
	}
	return patience, silence
}

// supply makes one of so many models.
func supply(ctx context.Context, cfg *configs.Config, name string, models int) (supplier, error) {
	provider, model, _ := strings.Cut(name, "/")
	s := supplier{name: name}
	s.know(cfg)
	patience, silence := waits(cfg, provider, models)
	switch provider {
	case "offline":
		s.model, s.simple, s.blind = offline.Model{}, true, true
	case "anthropic":
		s.model = anthropic.New(anthropic.Options{BaseURL: cfg.Anthropic.BaseURL, Key: cfg.Anthropic.Key.Reveal(), Model: model,
			MaxTokens: min(s.output, largestAnswer), Patience: patience, Silence: silence})
	case "ollama":
		s.ask(ctx, cfg, model)
		s.model = ollama.New(ollama.Options{BaseURL: cfg.Ollama, Model: model, Window: s.window, Patience: patience, Silence: silence})
	default:
		p, ok := compatible(cfg)[provider]
		if !ok {
			return s, nacre.Errorf(nacre.Invalid, "the model %s is of the unknown provider %q", name, provider)
		}
		s.model = openai.New(openai.Options{BaseURL: p.BaseURL, Key: p.Key.Reveal(), Model: model, Provider: provider, Patience: patience, Silence: silence})
	}
	return s, nil
}

// compatible are the providers that speak OpenAI's Chat Completions.
func compatible(cfg *configs.Config) map[string]configs.Provider {
	return map[string]configs.Provider{"openai": cfg.OpenAI, "deepseek": cfg.DeepSeek, "openrouter": cfg.OpenRouter, "local": cfg.Local}
}

// know fills in what the catalogue says of a model.
func (s *supplier) know(cfg *configs.Config) {
	m, known := cfg.Models.Lookup(s.name)
	if known && m.Price != nil {
		s.price = llm.Price{Input: m.Price.Input, Output: m.Price.Output, CacheRead: m.Price.CacheRead, CacheWrite: m.Price.CacheWrite, Known: true}
	}
	s.blind, s.output = m.Blind, m.Output
	s.window = cmp.Or(cfg.Agent.Window, min(cmp.Or(m.Window, unknownWindow), largestWindow))
}

// ask fills in what an Ollama says of its model, if it is there.
func (s *supplier) ask(ctx context.Context, cfg *configs.Config, model string) {
	s.window = cmp.Or(cfg.Agent.Window, ollamaWindow)
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	if m, err := ollama.Show(ctx, cfg.Ollama, nil, ollama.ModelInfo{Name: model}); err == nil {
		s.blind = !m.Vision
		s.window = min(s.window, cmp.Or(m.Window, s.window))
	}
}

// choices wraps the models: each call is counted, tried again, handed to the
// others when it fails for good, and stopped by a budget.
func choices(chat []supplier, memory *supplier, book llm.Book, limits llm.Limits, log *slog.Logger) ([]agent.Choice, agent.Choice) {
	policy := llm.Policy{}
	if len(chat) > 1 {
		policy = llm.Policy{Tries: 2, Max: 3 * time.Second}
	}
	members := make([]*llm.Member, len(chat))
	for i, s := range chat {
		members[i] = llm.NewMember(s.name, s.metered(book, policy), log)
	}
	list := make([]agent.Choice, len(chat))
	for i, s := range chat {
		chain := slices.Concat(members[i:i+1], members[:i], members[i+1:])
		list[i] = agent.Choice{Name: s.name, Model: llm.Budget(llm.Fallback(chain...), book, limits), Window: s.window, Blind: s.blind, Simple: s.simple}
	}
	return list, memoryChoice(chat, members, memory, book, limits)
}

// metered is the model with its calls counted, each try of them. The offline one
// has none.
func (s supplier) metered(book llm.Book, policy llm.Policy) llm.Model {
	if s.simple {
		return s.model
	}
	return llm.Retry(llm.Meter(s.model, s.name, s.price, book), policy)
}

// memoryChoice is the model that works on memory: the one that is configured
// for it, else those that chat, but for the offline one, which can only quote.
func memoryChoice(chat []supplier, members []*llm.Member, memory *supplier, book llm.Book, limits llm.Limits) agent.Choice {
	if memory != nil {
		m := llm.Budget(memory.metered(book, llm.Policy{}), book, limits)
		return agent.Choice{Name: memory.name, Model: m, Window: memory.window, Blind: memory.blind, Simple: memory.simple}
	}
	var able []*llm.Member
	first := chat[0]
	for i := len(chat) - 1; i >= 0; i-- {
		if !chat[i].simple {
			able, first = append([]*llm.Member{members[i]}, able...), chat[i]
		}
	}
	if len(able) == 0 {
		return agent.Choice{Name: first.name, Model: first.model, Window: first.window, Blind: true, Simple: true}
	}
	return agent.Choice{Name: first.name, Model: llm.Budget(llm.Fallback(able...), book, limits), Window: first.window, Blind: first.blind}
}

// limits are the configured budgets.
func limits(b configs.Budget) llm.Limits {
	return llm.Limits{OwnerDay: llm.Limit(b.OwnerDay), OwnerMonth: llm.Limit(b.OwnerMonth), Day: llm.Limit(b.Day), Month: llm.Limit(b.Month)}
}

// modelWords is how status names the models.
func modelWords(names []string) string {
	switch {
	case len(names) == 1 && names[0] == "offline":
		return "offline (built in)"
	case len(names) == 1:
		return names[0]
	}
	return fmt.Sprintf("%s, else %s", names[0], strings.Join(names[1:], ", "))
}
