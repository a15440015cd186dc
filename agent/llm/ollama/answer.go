package ollama

import (
	"cmp"
	"encoding/json"
	"strings"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// chunk is one line of a stream. The last has Done and the counts.
type chunk struct {
	Model                 string          `json:"model"`
	Message               piece           `json:"message"`
	Done                  bool            `json:"done"`
	DoneReason            string          `json:"done_reason"`
	PromptEvalCount       int             `json:"prompt_eval_count"`
	PromptEvalCachedCount int             `json:"prompt_eval_cached_count"`
	EvalCount             int             `json:"eval_count"`
	Error                 json.RawMessage `json:"error"`
}

// piece is a part of the answer. A tool call comes whole.
type piece struct {
	Content   string `json:"content"`
	Thinking  string `json:"thinking"`
	ToolCalls []struct {
		ID       string `json:"id"` // older versions give none
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// answer assembles a Response from chunks.
type answer struct {
	text     *wire.Text
	response llm.Response // whole once read has returned nil

	window   int
	ids      wire.IDs
	reason   string
	think    wire.Thinking
	thinking strings.Builder
}

func (c *Client) newAnswer(req *llm.Request, emit func(string)) *answer {
	return &answer{
		text:   wire.NewText(emit),
		window: c.window,
		ids:    wire.NewIDs(req),
	}
}

// read takes the answer of a server. One without a stream is a single line.
func (a *answer) read(in *wire.Body) error {
	if err := in.Lines(a.line); err != nil {
		return err
	}
	return a.end()
}

// line takes one JSON object of the server, which may also be an error under
// HTTP 200.
func (a *answer) line(data []byte) (wire.State, error) {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return wire.Open, wire.Senseless("an answer that is not the JSON of Ollama", err)
	}
	if wire.Present(c.Error) {
		return wire.Open, wire.Complained(data)
	}
	a.response.Model = cmp.Or(c.Model, a.response.Model)
	if err := a.add(&c.Message); err != nil {
		return wire.Open, err
	}
	if !c.Done {
		return wire.Open, nil
	}
	a.reason = c.DoneReason
	a.response.Usage = llm.Usage{
		Input:     max(c.PromptEvalCount, c.PromptEvalCachedCount),
		Output:    c.EvalCount,
		CacheRead: c.PromptEvalCachedCount,
	}
	return wire.Done, nil
}

func (a *answer) add(p *piece) error {
	a.thinking.WriteString(p.Thinking)
	a.text.Add(a.think.Next(p.Content))
	for i := range p.ToolCalls {
		f := &p.ToolCalls[i].Function
		switch {
		case f.Name == "":
			return wire.Senseless("a tool call without a name", nil)
		case len(a.response.Calls) == wire.MaxCalls:
			return wire.ErrCalls
		}
		var args wire.Args
		if wire.Present(f.Arguments) {
			if err := args.Put(f.Arguments); err != nil {
				return err
			}
		}
		a.response.Calls = append(a.response.Calls, llm.ToolCall{ID: a.ids.Take(p.ToolCalls[i].ID), Name: f.Name, Args: args.End()})
	}
	return nil
}

// end makes the response of what came.
func (a *answer) end() error {
	switch {
	case a.reason == "load" || a.reason == "unload":
		return wire.Senseless("no answer, though the model was asked (\""+a.reason+"\")", nil)
	case a.window > 0 && a.response.Usage.Input >= a.window && !a.text.Shown():
		return wire.Problem{Cause: llm.TooLong, Words: "the prompt was cut to fit the window"}
	}
	a.text.Add(a.think.End())
	r := &a.response
	r.Text = wire.Answer(a.text.String())
	r.Stop = a.stop()
	if len(r.Calls) > 0 && a.thinking.Len() > 0 {
		var err error
		r.Blob, err = json.Marshal(keepsake{a.thinking.String()})
		return err
	}
	return nil
}

// stop maps the server's reason; older versions give none.
func (a *answer) stop() llm.Stop {
	switch {
	case a.reason == "length":
		return llm.StopLength
	case len(a.response.Calls) > 0:
		return llm.StopTools
	}
	return llm.StopEnd
}
