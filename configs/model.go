package configs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// offline is the provider that is built in and has one model.
const offline = "offline"

// providers are those that Nacre speaks with, besides offline. Each that has an
// address has a table of its name in the file.
func providers() []string {
	return []string{"openai", "anthropic", "deepseek", "openrouter", "ollama", "local"}
}

// parseModel reads "provider/model", or "offline", whose model has no name. The
// model may have slashes and colons in its name.
func parseModel(text string) (string, error) {
	provider, model, _ := strings.Cut(text, "/")
	switch {
	case provider == offline:
		return offline, nil
	case !slices.Contains(providers(), provider):
		return "", errors.New("this begins with no provider that is known; write openai, anthropic, deepseek, openrouter, ollama or local, a slash and the model, or only offline" +
			meant(provider, slices.Values(append(providers(), offline))))
	case model == "" || strings.ContainsFunc(model, unicode.IsSpace):
		return "", fmt.Errorf("the name of the model is missing or holds a space; write it like %s/name-of-the-model", provider)
	}
	return text, nil
}

// parseModels reads models that commas separate.
func parseModels(text string) ([]string, error) {
	models := strings.Split(text, ",")
	for i, m := range models {
		model, err := parseModel(strings.TrimSpace(m))
		if err != nil {
			return nil, fmt.Errorf("number %d of the list: %w", i+1, err)
		}
		models[i] = model
	}
	return models, nil
}

// parseTranscribe reads a model that writes down speech, or off.
func parseTranscribe(text string) (string, error) {
	if text == off {
		return off, nil
	}
	if provider, _, _ := strings.Cut(text, "/"); provider != "openai" && provider != "local" {
		return "", errors.New("only openai and local can write down what is said; write it like openai/gpt-4o-mini-transcribe or local/whisper-1, or off" +
			meant(provider, slices.Values([]string{"openai", "local"})))
	}
	return parseModel(text)
}
