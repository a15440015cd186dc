package anthropic

import (
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// The roles of the API. Results of tools are the user's.
const (
	user      = "user"
	assistant = "assistant"
)

// conversation is the messages of a request. Their roles alternate.
type conversation []message

type message struct {
	Role    string `json:"role"`
	Content []any  `json:"content"` // *block, or json.RawMessage for what is sent back unchanged
}

// block is a piece of a message, or of the system text.
type block struct {
	Type         string          `json:"type"`
	Text         string          `json:"text,omitempty"`
	Source       *source         `json:"source,omitempty"`      // image
	ID           string          `json:"id,omitempty"`          // tool_use
	Name         string          `json:"name,omitempty"`        // tool_use
	Input        json.RawMessage `json:"input,omitempty"`       // tool_use
	ToolUseID    string          `json:"tool_use_id,omitempty"` // tool_result
	Content      string          `json:"content,omitempty"`     // tool_result
	IsError      bool            `json:"is_error,omitempty"`    // tool_result
	CacheControl *cacheControl   `json:"cache_control,omitempty"`
}

type source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"` // as base64
}

// keepsake is the Blob of this package: the reasoning that led to tool calls,
// which is signed and goes back to the server that made it.
type keepsake struct {
	Origin   string    `json:"origin"`
	Thoughts []thought `json:"thoughts"`
}

// thought is a block of reasoning and where it stood in the answer, because it
// must go back in its place.
type thought struct {
	Text  int             `json:"text"`  // after so many bytes of the text
	Calls int             `json:"calls"` // and so many calls
	Block json.RawMessage `json:"block"`
}

// visible reports whether s may stand in a text block: the API refuses blocks
// without anything but white space.
func visible(s string) bool { return strings.TrimSpace(s) != "" }

func textBlock(text string) *block { return &block{Type: "text", Text: text} }

// conversation merges what stands in a row, so that roles alternate. A later
// request repeats the blocks of an earlier one.
func (c *Client) conversation(messages []llm.Message) conversation {
	v := make(conversation, 0, len(messages)+1)
	for i := range messages {
		m := &messages[i]
		switch m.Role {
		case llm.Assistant:
			v = v.add(assistant, c.assistantBlocks(m)...)
		case llm.Tool:
			v = v.result(resultBlock(m))
		default:
			v = v.add(user, userBlocks(m)...)
		}
	}
	return v
}

// add appends blocks of a role.
func (v conversation) add(role string, blocks ...any) conversation {
	n := len(v)
	switch {
	case len(blocks) == 0:
		return v
	case n > 0 && v[n-1].Role == role:
		v[n-1].Content = append(v[n-1].Content, blocks...)
		return v
	}
	return append(v, message{role, blocks})
}

// result appends a tool's result. Results come first in a message of the user.
func (v conversation) result(b *block) conversation {
	n := len(v)
	if n == 0 || v[n-1].Role != user {
		return v.add(user, b)
	}
	content := v[n-1].Content
	at := slices.IndexFunc(content, func(other any) bool { return other.(*block).Type != b.Type })
	if at < 0 {
		at = len(content)
	}
	v[n-1].Content = slices.Insert(content, at, any(b))
	return v
}

// mark sets the breakpoints of the last message of the user and the one before.
func (v conversation) mark() {
	marks := 2
	for i := len(v) - 1; i >= 0 && marks > 0; i-- {
		if v[i].Role == user {
			v[i].Content[len(v[i].Content)-1].(*block).CacheControl = breakpoint()
			marks--
		}
	}
}

// userBlocks are a message's text, then its images.
func userBlocks(m *llm.Message) []any {
	var out []any
	if visible(m.Text) {
		out = append(out, textBlock(m.Text))
	}
	for _, image := range m.Images {
		if len(image.Data) > 0 {
			out = append(out, &block{Type: "image", Source: &source{"base64", image.MIME, image.Data}})
		}
	}
	return out
}

func resultBlock(m *llm.Message) *block {
	return &block{
		Type:      "tool_result",
		ToolUseID: id(m.CallID),
		Content:   m.Text,
		IsError:   strings.HasPrefix(m.Text, "Error: "),
	}
}

// assistantBlocks are a message's text and its calls, and among them the
// reasoning that led to the calls.
func (c *Client) assistantBlocks(m *llm.Message) []any {
	var out []any
	text, calls := 0, 0
	for _, t := range c.thoughts(m) {
		t.Text = min(max(t.Text, text), len(m.Text))
		t.Calls = min(max(t.Calls, calls), len(m.Calls))
		out = append(out, spoken(m.Text[text:t.Text], m.Calls[calls:t.Calls])...)
		out = append(out, t.Block)
		text, calls = t.Text, t.Calls
	}
	return append(out, spoken(m.Text[text:], m.Calls[calls:])...)
}

func spoken(text string, calls []llm.ToolCall) []any {
	var out []any
	if text = strings.TrimPrefix(text, between); visible(text) {
		out = append(out, textBlock(text))
	}
	for _, call := range calls {
		out = append(out, &block{Type: "tool_use", ID: id(call.ID), Name: wire.Name(call.Name), Input: wire.Object(call.Args)})
	}
	return out
}

// thoughts is what a message with calls keeps for this server.
func (c *Client) thoughts(m *llm.Message) []thought {
	var k keepsake
	if len(m.Calls) == 0 || json.Unmarshal(m.Blob, &k) != nil || k.Origin != c.origin {
		return nil
	}
	return k.Thoughts
}

// id returns the id of a call as the API accepts it. Those of other providers'
// models may have other characters.
func id(s string) string {
	if s != "" && wire.Name(s) == s {
		return s
	}
	return "x" + hex.EncodeToString([]byte(s))
}
