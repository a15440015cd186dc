package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/configs"
)

// maker is who makes models that want a key.
type maker struct{ provider, name, model string }

func makers() []maker {
	return []maker{{"openai", "OpenAI", defaultOpenAI}, {"anthropic", "Anthropic", defaultAnthropic},
		{"deepseek", "DeepSeek", defaultDeepSeek}, {"openrouter", "OpenRouter", defaultOpenRouter}}
}

// modelKeys are the keys that are configured, by provider.
func modelKeys(cfg *configs.Config) map[string]string {
	return map[string]string{"openai": cfg.OpenAI.Key.Reveal(), "anthropic": cfg.Anthropic.Key.Reveal(), "deepseek": cfg.DeepSeek.Key.Reveal(),
		"openrouter": cfg.OpenRouter.Key.Reveal(), "local": cfg.Local.Key.Reveal()}
}

// askModel asks which model answers, and tries it.
func (s *setup) askModel() error {
	options, preset := s.models(), chosen(s.ctx(), s.cfg)
	for {
		model, err := s.choose("Which language model shall answer?", "Nacre sends it what you write, and what it needs to know for the answer.", preset, options...)
		if err != nil {
			return err
		}
		settled, err := s.takeAnswer(model)
		if err != nil || settled {
			return err
		}
	}
}

// models are those to choose from: the one of now, those whose key is here, the one of
// an Ollama on this machine, those that want a key, and the one that is built in.
func (s *setup) models() (options []option) {
	var keyless []option
	if s.cfg.Model != "" && s.cfg.Model != "offline" {
		options = append(options, option{s.cfg.Model, s.cfg.Model + ", as now"})
	}
	for _, m := range makers() {
		_, model, _ := strings.Cut(m.model, "/")
		switch {
		case m.model == s.cfg.Model:
		case modelKeys(s.cfg)[m.provider] != "":
			options = append(options, option{m.model, m.name + ": " + model + ", with the key that is here"})
		default:
			keyless = append(keyless, option{m.model, m.name + ": " + model + ", with a key that I type in"})
		}
	}
	if local := localModel(s.ctx(), s.cfg.Ollama); local != "" && "ollama/"+local != s.cfg.Model {
		options = append(options, option{"ollama/" + local, "Ollama, on this machine: " + local})
	}
	none := option{"offline", "None: it keeps and quotes what you say, and reminds you"}
	if len(options) == 0 {
		return append([]option{none}, keyless...)
	}
	return append(append(options, keyless...), none)
}

// takeAnswer takes a model with its key, if that is good. It returns false where the
// person wants to choose again.
func (s *setup) takeAnswer(model string) (settled bool, err error) {
	provider, _, _ := strings.Cut(model, "/")
	key, wants := modelKeys(s.cfg)[provider]
	if wants && provider != "local" && key == "" {
		if settled, err := s.askKey(provider); err != nil || !settled {
			return false, err
		}
	} else if key != "" && s.file.Get(provider+".key") == "" && s.file.Get(provider+".key_file") == "" {
		s.borrowed[provider+".key"] = key
	}
	if err := s.answer("model", model); err != nil {
		return false, err
	}
	if model == "offline" {
		return true, nil
	}
	s.say("Asking %s …", model)
	trouble := s.try(model)
	if s.ctx().Err() != nil {
		return false, errStopped
	}
	if trouble == "" {
		s.say("It answers.\n")
		return true, nil
	}
	s.say("%s\n", trouble)
	again, err := s.choose("What now?", "", "again", option{"again", "Choose again"}, option{"keep", "Keep it all the same"})
	if again == "again" {
		delete(s.answers, provider+".key")
		delete(s.answers, "model")
	}
	return again == "keep", err
}

// askKey asks for a provider's key. No key is a wish to choose again.
func (s *setup) askKey(provider string) (settled bool, err error) {
	key, err := s.secret("The key of "+provider+"?", "It is not shown, and goes into "+s.file.Path+". Nothing goes back to the models.",
		func(text string) error {
			if text == "" {
				return nil
			}
			return s.answer(provider+".key", text)
		})
	if err != nil || key == "" {
		return false, err
	}
	s.answers[provider+".key_file"] = ""
	return true, s.answer(provider+".key", key)
}

// trialTime is how long a model has to answer. One on this machine may have to be
// loaded first.
const trialTime = time.Minute

// try asks a model one small thing; it returns what is wrong, in a sentence.
func (s *setup) try(model string) string {
	cfg, err := s.tried()
	if err != nil {
		return err.Error()
	}
	ctx, cancel := context.WithTimeout(s.ctx(), trialTime)
	defer cancel()
	m, err := supply(ctx, cfg, model, 1)
	if err == nil {
		_, err = m.model.Complete(ctx, llm.Request{MaxTokens: 64, Messages: []llm.Message{{Role: llm.User, Text: "Say only: OK"}}}, func(string) {})
	}
	return modelTrouble(model, err)
}

// modelTrouble is what a person can do about an error of a model; empty for none.
func modelTrouble(model string, err error) string {
	var e *llm.Error
	var known *nacre.Error
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.DeadlineExceeded):
		return model + " did not answer within a minute."
	case errors.As(err, &known):
		return known.Error()
	case !errors.As(err, &e):
		return fmt.Sprintf("%s does not answer: %v.", model, err)
	}
	switch {
	case e.Cause == llm.Refused:
		return e.Provider + " does not take this key. Copy it again, or make a new one there."
	case e.Cause == llm.Billing:
		return "The account at " + e.Provider + " has no credit left. Top it up there."
	case e.Cause == llm.Network:
		return e.Provider + " cannot be reached. Check the network and its proxies."
	case e.Cause == llm.Overloaded:
		return e.Provider + " takes no more questions right now. Try again in a few minutes."
	case e.Status == 404:
		return e.Provider + " has no model of this name, or not at this address."
	}
	return e.Error() + "."
}
