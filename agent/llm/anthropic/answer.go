package anthropic

import (
	"cmp"
	"encoding/json"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// event is one event of a stream.
type event struct {
	Type         string          `json:"type"`
	Index        int             `json:"index"`
	Message      answerMessage   `json:"message"`       // message_start
	ContentBlock answerBlock     `json:"content_block"` // content_block_start
	Delta        delta           `json:"delta"`         // content_block_delta, message_delta
	Usage        usage           `json:"usage"`         // message_delta
	Error        json.RawMessage `json:"error"`
}

// answerMessage is the message that begins a stream, without content, or a
// whole answer.
type answerMessage struct {
	Model      string        `json:"model"`
	Content    []answerBlock `json:"content"`
	StopReason string        `json:"stop_reason"`
	Usage      usage         `json:"usage"`
}

// delta is a piece of a block, or the end of the message.
type delta struct {
	Type        string          `json:"type"`
	Text        json.RawMessage `json:"text"`
	PartialJSON json.RawMessage `json:"partial_json"`
	Thinking    string          `json:"thinking"`
	Signature   string          `json:"signature"`
	StopReason  string          `json:"stop_reason"`
}

// between stands between texts of one answer that are not in a row.
const between = "\n\n"

// answer assembles a Response from events.
type answer struct {
	text     *wire.Text
	response llm.Response // whole once read has returned nil

	origin string
	ids    wire.IDs
	begun  bool   // the message came
	reason string // the server's for stopping, once the answer has ended
	usage  usage
	grown  grown

	content wire.Literals
	think   wire.Thinking
	apart   bool // something else stood between the texts so far and the next
}

func (c *Client) newAnswer(req *llm.Request, emit func(string)) *answer {
	return &answer{
		text:   wire.NewText(emit),
		origin: c.origin,
		ids:    wire.NewIDs(req),
	}
}

// read takes the answer of a server, which may not stream although asked to.
func (a *answer) read(in *wire.Body) error {
	if err := in.Take(a.event, a.whole); err != nil {
		return err
	}
	return a.end()
}

// whole takes an answer without a stream, which may be an error under HTTP 200.
func (a *answer) whole(raw []byte) error {
	var m struct {
		Type  string          `json:"type"`
		Error json.RawMessage `json:"error"`
		answerMessage
	}
	switch err := json.Unmarshal(raw, &m); {
	case err != nil:
		return senseless(err)
	case m.Type == "error" || wire.Present(m.Error):
		return wire.Complained(raw)
	case m.Type != "message":
		return senseless(nil)
	}
	return a.message(&m.answerMessage)
}

// event takes one event. Those of unknown types are skipped, as the API asks.
func (a *answer) event(in wire.Event) (wire.State, error) {
	var e event
	if err := json.Unmarshal(in.Data, &e); err != nil {
		return wire.Open, senseless(err)
	}
	var err error
	switch kind := cmp.Or(e.Type, in.Name); kind {
	case "message_start":
		err = a.message(&e.Message)
	case "content_block_start":
		err = a.start(e.Index, &e.ContentBlock)
	case "content_block_delta":
		err = a.add(e.Index, &e.Delta)
	case "message_delta":
		a.reason = cmp.Or(e.Delta.StopReason, a.reason)
		a.count(e.Usage)
	case "message_stop":
		return wire.Done, nil
	default:
		if kind == "error" || wire.Present(e.Error) {
			err = wire.Complained(in.Data)
		}
	}
	if a.reason != "" {
		return wire.Ended, err
	}
	return wire.Open, err
}

func senseless(err error) error {
	return wire.Senseless("an answer that is not the JSON of the Messages API", err)
}

// message takes the message that begins a stream, or a whole one.
func (a *answer) message(m *answerMessage) error {
	a.begun = true
	a.response.Model = cmp.Or(m.Model, a.response.Model)
	a.count(m.Usage)
	for i := range m.Content {
		if err := a.start(i, &m.Content[i]); err != nil {
			return err
		}
	}
	a.reason = cmp.Or(m.StopReason, a.reason)
	return nil
}

// start begins a block. Proxies may put all of it into its beginning.
func (a *answer) start(index int, b *answerBlock) error {
	if b.Type != "text" {
		a.apart = true
		return a.grown.start(index, b, len(a.text.String()))
	}
	a.grown.skip(index)
	return a.show(b.Text)
}

// add takes a piece of a block. Text in a block of another type is not for
// anyone to see.
func (a *answer) add(index int, d *delta) error {
	g := a.grown.at[index]
	switch {
	case d.Type == "text_delta" && g == nil:
		return a.show(d.Text)
	case d.Type == "input_json_delta" && g == nil:
		return wire.Senseless("a piece of a tool call that never began", nil)
	case g != nil:
		return g.add(d)
	}
	return nil
}

// show adds visible text. Texts of one answer that are not in a row are
// paragraphs of their own.
func (a *answer) show(raw json.RawMessage) error {
	text, err := a.content.Next(raw)
	if err != nil {
		return err
	}
	a.reveal(a.think.Next(text))
	return nil
}

func (a *answer) reveal(text string) {
	if text == "" {
		return
	}
	if a.apart && a.text.String() != "" {
		a.text.Add(between)
	}
	a.apart = false
	a.text.Add(text)
}

// end makes the response of what came.
func (a *answer) end() error {
	if !a.begun {
		return wire.Senseless("an answer without a message", nil)
	}
	a.reveal(a.think.Next(a.content.End()) + a.think.End())
	r := &a.response
	r.Text = a.text.String()
	var err error
	if r.Calls, err = a.grown.calls(a.ids); err != nil {
		return err
	}
	r.Stop = a.stop()
	if thoughts := a.grown.thoughts(); len(r.Calls) > 0 && len(thoughts) > 0 {
		r.Blob, err = wire.Encode(keepsake{a.origin, thoughts})
	}
	return err
}

// stop maps the server's reason. An answer that was paused is not whole.
func (a *answer) stop() llm.Stop {
	switch a.reason {
	case "max_tokens", "model_context_window_exceeded", "pause_turn":
		return llm.StopLength
	case "refusal":
		return llm.StopRefused
	}
	if len(a.response.Calls) > 0 {
		return llm.StopTools
	}
	return llm.StopEnd
}
