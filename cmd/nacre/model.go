package main

import (
	"strings"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/llm/offline"
	"nacre/agent/llm/openai"
	"nacre/configs"
)

// The models that are asked for where only a key says whom to use.
const (
	defaultOpenAI    = "openai/gpt-5-mini"
	defaultAnthropic = "anthropic/claude-sonnet-4-5"
)

// ollamaURL is where a local Ollama speaks the OpenAI format.
const ollamaURL = "http://127.0.0.1:11434/v1"

// chosen is the configured model, else one of the provider of the first key,
// else the built-in offline model.
func chosen(cfg *configs.Config) string {
	switch {
	case cfg.Model != "":
		return cfg.Model
	case cfg.OpenAI.Key.Reveal() != "":
		return defaultOpenAI
	case cfg.Anthropic.Key.Reveal() != "":
		return defaultAnthropic
	}
	return "offline"
}

// chooseModel makes the chat model, and its name for status.
func chooseModel(cfg *configs.Config) (llm.Model, string, error) {
	choice := chosen(cfg)
	provider, model, _ := strings.Cut(choice, "/")
	o := openai.Options{Model: model, Provider: provider}
	switch provider {
	case "offline":
		return offline.Model{}, "offline (built in)", nil
	case "openai":
		o.BaseURL, o.Key = cfg.OpenAI.BaseURL, cfg.OpenAI.Key.Reveal()
	case "anthropic": // Anthropic serves the OpenAI format too
		o.BaseURL, o.Key = cfg.Anthropic.BaseURL+"/v1", cfg.Anthropic.Key.Reveal()
	case "ollama":
		o.BaseURL = ollamaURL
	default:
		return nil, "", nacre.Errorf(nacre.Invalid, "NACRE_MODEL names the unknown provider %q; openai, anthropic, ollama and offline are known", provider)
	}
	return llm.Retry(openai.New(o), llm.Policy{}), choice, nil
}
