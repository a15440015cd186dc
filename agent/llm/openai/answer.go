package openai

import (
	"cmp"
	"encoding/json"
	"strings"

	"nacre/agent/llm"
)

// chunk is one event of a stream, or a whole answer without one: the same
// object but for the name of the part.
type chunk struct {
	Object  string          `json:"object"`
	Model   string          `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type choice struct {
	Index        int    `json:"index"`
	Delta        part   `json:"delta"`
	Message      *part  `json:"message"`
	FinishReason string `json:"finish_reason"`
}

// part is a piece of the answer. Strings stay raw until literals joins them.
type part struct {
	Content          json.RawMessage `json:"content"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Refusal          json.RawMessage `json:"refusal"`
	ToolCalls        []fragment      `json:"tool_calls"`
}

// usage counts tokens. OpenAI and DeepSeek report cached ones in different
// fields; prompt_tokens includes them in both.
type usage struct {
	PromptTokens         int `json:"prompt_tokens"`
	CompletionTokens     int `json:"completion_tokens"`
	PromptCacheHitTokens int `json:"prompt_cache_hit_tokens"`
	PromptTokensDetails  struct {
		CachedTokens int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

func (u *usage) counts() llm.Usage {
	return llm.Usage{
		Input:     u.PromptTokens,
		Output:    u.CompletionTokens,
		CacheRead: max(u.PromptCacheHitTokens, u.PromptTokensDetails.CachedTokens),
	}
}

// answer assembles a Response from chunks.
type answer struct {
	emit  func(string)
	shown bool // something was emitted
	begun bool // a choice came

	model   string
	finish  string // the server's reason, once the text has ended
	usage   llm.Usage
	calls   calls
	text    strings.Builder
	think   thinking
	refused bool

	reasoned  bool // the server sends reasoning_content, if only an empty one
	reasoning strings.Builder

	content, refusal, thought literals
}

func newAnswer(model string, req llm.Request, emit func(string)) *answer {
	a := &answer{model: model, emit: emit}
	a.calls.used = map[string]bool{}
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			a.calls.used[c.ID] = true
		}
	}
	return a
}

// event takes one JSON object of the server, which may also be an error under
// HTTP 200.
func (a *answer) event(data []byte) error {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return problem{cause: llm.BadAnswer, words: "an answer that is not the JSON of Chat Completions", err: err}
	}
	if len(c.Error) > 0 && string(c.Error) != "null" || c.Object == "error" {
		complaint := readComplaint(data)
		return complaint.problem(complaint.status())
	}
	return a.add(&c)
}

// add takes one chunk. Choices after the first were never asked for.
func (a *answer) add(c *chunk) error {
	a.model = cmp.Or(c.Model, a.model)
	if c.Usage != nil {
		a.usage = c.Usage.counts()
	}
	for i := range c.Choices {
		ch := &c.Choices[i]
		if ch.Index != 0 {
			continue
		}
		a.begun = true
		if err := a.addPart(cmp.Or(ch.Message, &ch.Delta)); err != nil {
			return err
		}
		a.finish = cmp.Or(ch.FinishReason, a.finish)
	}
	return nil
}

func (a *answer) addPart(p *part) error {
	text, err := a.content.next(p.Content)
	if err != nil {
		return err
	}
	a.show(a.think.next(text))
	refusal, err := a.refusal.next(p.Refusal)
	if err != nil {
		return err
	}
	a.refused = a.refused || refusal != ""
	a.show(refusal)
	thought, err := a.thought.next(p.ReasoningContent)
	if err != nil {
		return err
	}
	a.reasoned = a.reasoned || len(p.ReasoningContent) > 0
	a.reasoning.WriteString(thought)
	for i := range p.ToolCalls {
		if err := a.calls.add(&p.ToolCalls[i]); err != nil {
			return err
		}
	}
	return nil
}

func (a *answer) show(text string) {
	if text == "" {
		return
	}
	a.text.WriteString(text)
	if a.emit != nil {
		a.shown = true
		a.emit(text)
	}
}

// response ends the answer.
func (a *answer) response() (llm.Response, error) {
	if !a.begun {
		return llm.Response{}, problem{cause: llm.BadAnswer, words: "an answer without choices"}
	}
	a.show(a.think.next(a.content.end()) + a.think.end() + a.refusal.end())
	calls, err := a.calls.end()
	if err != nil {
		return llm.Response{}, err
	}
	stop, err := a.stop(len(calls) > 0)
	if err != nil {
		return llm.Response{}, err
	}
	r := llm.Response{Text: a.text.String(), Calls: calls, Stop: stop, Usage: a.usage, Model: a.model}
	if len(calls) > 0 && a.reasoned {
		a.reasoning.WriteString(a.thought.end())
		thought := a.reasoning.String()
		r.Blob, err = json.Marshal(keepsake{&thought})
	}
	return r, err
}

// stop maps the server's reason. Some servers say "stop" when they call tools,
// and some give no reason at all before [DONE].
func (a *answer) stop(calling bool) (llm.Stop, error) {
	switch a.finish {
	case "length":
		return llm.StopLength, nil
	case "content_filter":
		return llm.StopRefused, nil
	case "error", "insufficient_system_resource": // OpenRouter; DeepSeek
		return "", problem{cause: llm.Overloaded, words: "the answer was broken off (" + a.finish + ")"}
	}
	switch {
	case calling:
		return llm.StopTools, nil
	case a.refused:
		return llm.StopRefused, nil
	}
	return llm.StopEnd, nil
}
