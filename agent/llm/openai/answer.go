package openai

import (
	"cmp"
	"encoding/json"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
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
	Delta        piece  `json:"delta"`
	Message      *piece `json:"message"`
	FinishReason string `json:"finish_reason"`
}

// piece is a part of the answer. Strings stay raw until literals joins them.
// Reasoning under any other name is not read at all.
type piece struct {
	Content          json.RawMessage `json:"content"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	ReasoningDetails json.RawMessage `json:"reasoning_details"`
	Refusal          json.RawMessage `json:"refusal"`
	ToolCalls        []fragment      `json:"tool_calls"`
}

// answer assembles a Response from chunks.
type answer struct {
	text     *wire.Text
	response llm.Response // whole once read has returned nil

	origin  string
	begun   bool   // a choice came
	finish  string // the server's reason, once the text has ended
	calls   calls
	think   wire.Thinking
	refused bool

	thought reasoning

	content, refusal wire.Literals
}

func (c *Client) newAnswer(req *llm.Request, emit func(string)) *answer {
	return &answer{
		text:   wire.NewText(emit),
		origin: c.origin,
		calls:  calls{ids: wire.NewIDs(req)},
	}
}

// read takes the answer of a server, which may not stream although asked to.
func (a *answer) read(in *wire.Body) error {
	if err := in.Take(a.event, a.object); err != nil {
		return err
	}
	return a.end()
}

// event takes one event of a stream. The usage comes after the one that ends
// the text, so the answer is done with [DONE] only.
func (a *answer) event(e wire.Event) (wire.State, error) {
	if e.Last() {
		return wire.Done, nil
	}
	err := a.object(e.Data)
	if a.finish != "" {
		return wire.Ended, err
	}
	return wire.Open, err
}

// object takes one JSON object of the server, which may also be an error under
// HTTP 200.
func (a *answer) object(data []byte) error {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return wire.Senseless("an answer that is not the JSON of Chat Completions", err)
	}
	if wire.Present(c.Error) || c.Object == "error" {
		return wire.Complained(data)
	}
	return a.add(&c)
}

// add takes one chunk. Choices after the first were never asked for.
func (a *answer) add(c *chunk) error {
	a.response.Model = cmp.Or(c.Model, a.response.Model)
	if c.Usage != nil {
		a.response.Usage = c.Usage.counts()
	}
	for i := range c.Choices {
		ch := &c.Choices[i]
		if ch.Index != 0 {
			continue
		}
		a.begun = true
		if err := a.addPiece(cmp.Or(ch.Message, &ch.Delta)); err != nil {
			return err
		}
		a.finish = cmp.Or(ch.FinishReason, a.finish)
	}
	return nil
}

func (a *answer) addPiece(p *piece) error {
	text, err := a.content.Next(p.Content)
	if err != nil {
		return err
	}
	a.text.Add(a.think.Next(text))
	refusal, err := a.refusal.Next(p.Refusal)
	if err != nil {
		return err
	}
	a.refused = a.refused || refusal != ""
	a.text.Add(refusal)
	if err := a.thought.add(p); err != nil {
		return err
	}
	for i := range p.ToolCalls {
		if err := a.calls.add(&p.ToolCalls[i]); err != nil {
			return err
		}
	}
	return nil
}

// end makes the response of what came.
func (a *answer) end() error {
	if !a.begun {
		return wire.Senseless("an answer without choices", nil)
	}
	a.text.Add(a.think.Next(a.content.End()) + a.think.End() + a.refusal.End())
	r := &a.response
	r.Text = wire.Answer(a.text.String())
	var err error
	if r.Calls, err = a.calls.end(); err != nil {
		return err
	}
	if r.Stop, err = a.stop(); err != nil {
		return err
	}
	if len(r.Calls) > 0 {
		r.Blob, err = a.thought.blob(a.origin)
	}
	return err
}

// stop maps the server's reason. Some servers say "stop" when they call tools,
// and some give no reason at all before [DONE].
func (a *answer) stop() (llm.Stop, error) {
	switch a.finish {
	case "length":
		return llm.StopLength, nil
	case "content_filter":
		return llm.StopRefused, nil
	case "error", "insufficient_system_resource": // OpenRouter; DeepSeek
		return "", wire.Problem{Cause: llm.Overloaded, Words: "the answer was broken off (" + a.finish + ")"}
	}
	switch {
	case len(a.response.Calls) > 0:
		return llm.StopTools, nil
	case a.refused:
		return llm.StopRefused, nil
	}
	return llm.StopEnd, nil
}
