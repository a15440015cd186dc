package openai

import (
	"strings"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// conversation is the messages of a request.
type conversation []message

type message struct {
	Role             string     `json:"role"`
	Content          any        `json:"content"` // a string, parts, or nil for an assistant that only calls tools
	ReasoningContent *string    `json:"reasoning_content,omitempty"`
	ReasoningDetails []detail   `json:"reasoning_details,omitempty"`
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

// conversation makes the messages of req. What the user said in a row, the Tail
// included, is one message, because the chat templates of several models refuse
// two. A later request repeats all of it up to the end of the last stored text,
// unless a picture then joins a message that had been sent as plain text.
func (c *Client) conversation(req *llm.Request) conversation {
	v := make(conversation, 0, len(req.Messages)+2)
	if req.System != "" {
		v = append(v, message{Role: "system", Content: parts{textPart(req.System)}})
	}
	for i := range req.Messages {
		if m := &req.Messages[i]; m.Role == llm.User {
			v = v.said(userParts(m))
		} else {
			v = append(v, c.message(m))
		}
	}
	marked := c.host == openRouter && strings.HasPrefix(c.model, "anthropic/")
	if marked {
		v.mark("system")
		v.mark("user")
	}
	if req.Tail != "" {
		v = v.said(parts{textPart(req.Tail)})
	}
	if !marked {
		v.simplify()
	}
	return v
}

// said appends what the user said.
func (v conversation) said(p parts) conversation {
	if n := len(v); n > 0 && v[n-1].Role == "user" {
		v[n-1].Content = append(v[n-1].Content.(parts), p...)
		return v
	}
	return append(v, message{Role: "user", Content: p})
}

// mark sets a breakpoint of Claude's cache on the last text of the last message
// of a role. Its cache finds by itself what earlier breakpoints kept.
// Format: https://openrouter.ai/docs/features/prompt-caching.
func (v conversation) mark(role string) {
	for i := len(v) - 1; i >= 0; i-- {
		if v[i].Role == role && v[i].Content.(parts).mark() {
			return
		}
	}
}

// simplify gives every message without pictures its content as a plain string,
// which all servers know.
func (v conversation) simplify() {
	for i := range v {
		if p, ok := v[i].Content.(parts); ok {
			v[i].Content = p.simple()
		}
	}
}

// message makes a message of the assistant or a tool's result.
func (c *Client) message(m *llm.Message) message {
	out := message{Role: string(m.Role), Content: m.Text, ToolCallID: m.CallID}
	for _, call := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, toolCall{call.ID, "function", functionCall{wire.Name(call.Name), string(wire.Object(call.Args))}})
	}
	if len(m.Calls) > 0 {
		if m.Text == "" {
			out.Content = nil
		}
		k := c.recalled(m.Blob)
		out.ReasoningContent, out.ReasoningDetails = k.ReasoningContent, k.ReasoningDetails
	}
	return out
}
