package ollama

import (
	"encoding/json"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// request is the body of POST /api/chat. Its fields are encoded in this order:
// what a conversation keeps comes first and the messages last, so that a
// request that extends an earlier one repeats its bytes. Whether to think and
// how long to keep the model loaded is left to the server.
type request struct {
	Model    string    `json:"model"`
	Stream   bool      `json:"stream"`
	Truncate bool      `json:"truncate"` // false: refuse a prompt beyond the window
	Shift    bool      `json:"shift"`    // false: end an answer at the window
	Options  options   `json:"options,omitzero"`
	Tools    []tool    `json:"tools,omitempty"`
	Messages []message `json:"messages"`
}

type options struct {
	NumCtx     int `json:"num_ctx,omitempty"`
	NumPredict int `json:"num_predict,omitempty"`
}

type tool struct {
	Type     string   `json:"type"`
	Function toolSpec `json:"function"`
}

type toolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

// message has its content last, because more of the user's may be added to it.
type message struct {
	Role       string     `json:"role"`
	Thinking   string     `json:"thinking,omitempty"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolName   string     `json:"tool_name,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	Images     [][]byte   `json:"images,omitempty"`
	Content    string     `json:"content"`
}

type toolCall struct {
	ID       string       `json:"id,omitempty"`
	Function functionCall `json:"function"`
}

type functionCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // an object
}

// keepsake is the Blob of this package: models that think between their calls
// lose the thread without it. Its name is its own, so that no other provider's
// is taken for it.
type keepsake struct {
	Thinking string `json:"ollama_thinking"`
}

// noParameters is the schema of a tool without one, which Ollama wants to see.
const noParameters = `{"type":"object","properties":{}}`

// encode is the pure function from a Request to the body.
func (c *Client) encode(req *llm.Request) ([]byte, error) {
	r := request{Model: c.model, Stream: true, Options: options{c.window, req.MaxTokens}}
	for _, t := range req.Tools {
		schema := t.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(noParameters)
		}
		r.Tools = append(r.Tools, tool{"function", toolSpec{t.Name, t.Description, schema}})
	}
	r.Messages = conversation(req)
	return wire.Encode(r)
}

// conversation is the system prompt, the messages, and the Tail as from the
// user. What the user said in a row is one message, as templates expect it.
func conversation(req *llm.Request) []message {
	out := make([]message, 0, len(req.Messages)+2)
	if req.System != "" {
		out = append(out, message{Role: "system", Content: req.System})
	}
	names := map[string]string{} // of the tools that were called, by call
	for i := range req.Messages {
		m := &req.Messages[i]
		for _, c := range m.Calls {
			names[c.ID] = wire.Name(c.Name)
		}
		out = add(out, convert(m, names[m.CallID]))
	}
	if req.Tail != "" {
		out = add(out, message{Role: "user", Content: req.Tail})
	}
	return out
}

// add appends m, to the last message where both are the user's words. An image
// begins a message of its own: it is encoded before the words.
func add(out []message, m message) []message {
	last := len(out) - 1
	if m.Role != "user" || len(m.Images) > 0 || last < 0 || out[last].Role != "user" {
		return append(out, m)
	}
	if out[last].Content != "" {
		out[last].Content += "\n\n"
	}
	out[last].Content += m.Content
	return out
}

// convert translates one message; toolName is that of the call it answers.
func convert(m *llm.Message, toolName string) message {
	out := message{Role: string(m.Role), Content: m.Text, ToolCallID: m.CallID, ToolName: toolName}
	for _, i := range m.Images {
		if len(i.Data) > 0 {
			out.Images = append(out.Images, i.Data)
		}
	}
	for _, c := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, toolCall{c.ID, functionCall{wire.Name(c.Name), wire.Object(c.Args)}})
	}
	if len(m.Calls) > 0 {
		var k keepsake
		if json.Unmarshal(m.Blob, &k) == nil { // else another provider's
			out.Thinking = k.Thinking
		}
	}
	return out
}
