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
		v.mark()
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

// mark sets three breakpoints of Claude's cache: after the system text, after
// the last stored message, and where the request before had that one, because
// the cache looks back 20 blocks only and a turn may add more. Results of tools
// become parts for that, all of them, so that none changes its form later.
// Format: https://openrouter.ai/docs/features/prompt-caching.
func (v conversation) mark() {
	marks, due := 2, true // due: what was said to the model up to here ended a request
	for i := len(v) - 1; i >= 0; i-- {
		m := &v[i]
		if text, ok := m.Content.(string); ok && m.Role == "tool" && text != "" {
			m.Content = parts{textPart(text)}
		}
		p, _ := m.Content.(parts)
		switch {
		case m.Role == "assistant":
			due = true
		case m.Role == "system":
			p.mark()
		case due && marks > 0 && p.mark():
			due = false
			marks--
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
