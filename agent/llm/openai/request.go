package openai

import (
	"bytes"
	"encoding/json"

	"nacre/agent/llm"
)

// request is the body of POST /chat/completions. Its fields are encoded in
// this order: what a conversation keeps comes first and the messages last, so
// that a request that extends an earlier one repeats its bytes.
type request struct {
	Model               string        `json:"model"`
	Stream              bool          `json:"stream"`
	StreamOptions       streamOptions `json:"stream_options"`
	MaxTokens           int           `json:"max_tokens,omitempty"`
	MaxCompletionTokens int           `json:"max_completion_tokens,omitempty"`
	Tools               []tool        `json:"tools,omitempty"`
	Messages            []message     `json:"messages"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type tool struct {
	Type     string   `json:"type"`
	Function toolSpec `json:"function"`
}

type toolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

type message struct {
	Role             string     `json:"role"`
	Content          *string    `json:"content"` // null for an assistant that only calls tools
	ReasoningContent *string    `json:"reasoning_content,omitempty"`
	ToolCalls        []toolCall `json:"tool_calls,omitempty"`
	ToolCallID       string     `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function functionCall `json:"function"`
}

type functionCall struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// keepsake is the Blob of this package. DeepSeek refuses a later request in
// which the reasoning that led to tool calls is missing.
type keepsake struct {
	ReasoningContent *string `json:"reasoning_content"`
}

// encode is the pure function from a Request to the body. HTML characters stay
// as they are: they are common in prompts and escaping would only cost tokens'
// worth of bytes.
func (c *Client) encode(req llm.Request) ([]byte, error) {
	r := request{Model: c.model, Stream: true, StreamOptions: streamOptions{IncludeUsage: true}}
	if c.own {
		r.MaxCompletionTokens = req.MaxTokens
	} else {
		r.MaxTokens = req.MaxTokens
	}
	for _, t := range req.Tools {
		r.Tools = append(r.Tools, tool{"function", toolSpec{t.Name, t.Description, t.Schema}})
	}
	r.Messages = make([]message, 0, len(req.Messages)+1)
	if req.System != "" {
		r.Messages = append(r.Messages, message{Role: "system", Content: &req.System})
	}
	for i := range req.Messages {
		r.Messages = append(r.Messages, wire(&req.Messages[i]))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(r)
	return b.Bytes(), err
}

func wire(m *llm.Message) message {
	out := message{Role: string(m.Role), Content: &m.Text, ToolCallID: m.CallID}
	for _, c := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, toolCall{c.ID, "function", functionCall{c.Name, string(c.Args)}})
	}
	if len(m.Calls) > 0 {
		if m.Text == "" {
			out.Content = nil
		}
		// The Blob of another provider has no such field and is left out.
		var k keepsake
		if json.Unmarshal(m.Blob, &k) == nil {
			out.ReasoningContent = k.ReasoningContent
		}
	}
	return out
}
