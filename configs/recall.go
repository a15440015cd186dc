package configs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// parseSwitch reads auto, on or off.
func parseSwitch(text string) (Switch, error) {
	s := Switch(text)
	if s != Auto && s != On && s != Off {
		return "", fmt.Errorf("%.60q is none of auto, on and off; write one of them", text)
	}
	return s, nil
}

// parseEmbed reads a model that makes vectors; off gives the empty text.
func parseEmbed(text string) (string, error) {
	if text == off {
		return "", nil
	}
	able := []string{"openai", "openrouter", "local", "ollama"}
	if provider, _, _ := strings.Cut(text, "/"); !slices.Contains(able, provider) {
		return "", errors.New("only openai, openrouter, local and ollama can make vectors; write it like openai/text-embedding-3-small or ollama/nomic-embed-text, or off" +
			meant(provider, slices.Values(able)))
	}
	return parseModel(text)
}

// parseLanguages reads codes that commas separate, each once.
func parseLanguages(text string) ([]string, error) {
	list := strings.Split(text, ",")
	for i, code := range list {
		list[i] = strings.ToLower(strings.TrimSpace(code))
		if len(list[i]) != 2 || strings.ContainsFunc(list[i], func(r rune) bool { return r < 'a' || r > 'z' }) {
			return nil, fmt.Errorf("number %d of the list is no language; write codes of two letters (ISO 639-1), such as en,de,es", i+1)
		}
	}
	return once(list)
}

// keySteps are the steps by which a note is found by its name.
func keySteps() []string { return []string{"exact", "words", "overlap", "fuzzy", "hologram"} }

// parseKeys reads steps that commas separate, each once.
func parseKeys(text string) ([]string, error) {
	list := strings.Split(text, ",")
	for i, step := range list {
		list[i] = strings.TrimSpace(step)
		if !slices.Contains(keySteps(), list[i]) {
			return nil, fmt.Errorf("number %d of the list is no step; write %s in any order, or some of them%s",
				i+1, strings.Join(keySteps(), ", "), meant(list[i], slices.Values(keySteps())))
		}
	}
	return once(list)
}

// once refuses a list that names something twice.
func once(list []string) ([]string, error) {
	for i, one := range list {
		if slices.Contains(list[:i], one) {
			return nil, fmt.Errorf("the list names %s twice; keep one of them", one)
		}
	}
	return list, nil
}
