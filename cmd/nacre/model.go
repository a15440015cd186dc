package main

import (
	"strings"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/llm/offline"
	"nacre/agent/llm/openai"
	"nacre/configs"
)

// defaultModel is asked for when only a key says that OpenAI shall be used.
const defaultModel = "gpt-5-mini"

// ollamaURL is where a local Ollama speaks the OpenAI format.
const ollamaURL = "http://127.0.0.1:11434/v1"

// chooseModel makes the chat model and its name for status: the configured
// one, else OpenAI where there is a key, else the built-in offline model.
func chooseModel(cfg *configs.Config) (llm.Model, string, error) {
	choice := cfg.Model
	if choice == "" && cfg.OpenAI.Key.Reveal() != "" {
		choice = "openai/" + defaultModel
	}
	provider, model, _ := strings.Cut(choice, "/")
	o := openai.Options{Model: model, Provider: provider}
	switch provider {
	case "", "offline":
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
