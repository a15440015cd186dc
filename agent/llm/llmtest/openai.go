package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"nacre/agent/llm"
)

// OpenAI is an http.Handler that answers Chat Completions at any path that ends
// in /chat/completions. Set the exported fields before it serves. The zero
// OpenAI echoes.
type OpenAI struct {
	Script
	Strict   bool   // refuse with 400 what some server behind this format refuses
	Key      string // refuse with 401 any other key, if set
	Tail     string // how a request's Tail begins, which the echo leaves out
	Reasoner string // a model that takes tools only without reasoning, as some of OpenAI's do
}

// ServeHTTP implements http.Handler.
func (o *OpenAI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		missing := Reply{Status: http.StatusNotFound, Message: "no such path"}
		missing.refuse(w, openaiError(missing))
		return
	}
	body, err := o.receive(r)
	if err != nil {
		return
	}
	in, reply := o.reply(r.Header, body)
	if reply.Gate.pass(r.Context()) != nil {
		return
	}
	answer := openaiAnswer{reply, in.Model, in.StreamOptions.IncludeUsage}
	switch {
	case reply.refuses():
		reply.refuse(w, openaiError(reply))
	case in.Stream && !reply.Whole:
		answer.send(w, r)
	default:
		send(w, http.StatusOK, answer.whole())
	}
}

// reply returns the reply to a request. One that the server itself refuses
// takes none from the script.
func (o *OpenAI) reply(h http.Header, body []byte) (completion, Reply) {
	if got := h.Get("Authorization"); o.Key != "" && got != "Bearer "+o.Key {
		return completion{}, Reply{Status: http.StatusUnauthorized, Code: "invalid_api_key",
			Message: "Incorrect API key provided: " + strings.TrimPrefix(got, "Bearer ")}
	}
	var in completion
	err := json.Unmarshal(body, &in)
	if err == nil {
		err = in.check(o.Strict)
	}
	if err == nil && in.Model == o.Reasoner && len(in.Tools) > 0 && in.ReasoningEffort != "none" {
		err = fmt.Errorf("function tools with reasoning_effort are not supported for %s in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'", in.Model)
	}
	if err != nil {
		return completion{}, Reply{Status: http.StatusBadRequest, Code: "invalid_request_error", Message: err.Error()}
	}
	return in, o.next(in.request(o.Tail), body)
}

// completion is the body of a request, as far as the double looks at it.
type completion struct {
	Model         string `json:"model"`
	Stream        bool   `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	CacheKey        *string           `json:"prompt_cache_key"`
	ReasoningEffort string            `json:"reasoning_effort"`
	Tools           []json.RawMessage `json:"tools"`
	Messages        []chatMessage     `json:"messages"`
}

type chatMessage struct {
	Role       string      `json:"role"`
	Content    chatContent `json:"content"`
	ToolCallID string      `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// chatContent is a string, null, or a list of parts.
type chatContent struct {
	text  string
	parts []chatPart
}

type chatPart struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	ImageURL struct {
		URL string `json:"url"`
	} `json:"image_url"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *chatContent) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &c.text) == nil {
		return nil
	}
	if err := json.Unmarshal(raw, &c.parts); err != nil {
		return err
	}
	var texts []string
	for _, p := range c.parts {
		switch {
		case p.Type == "text":
			texts = append(texts, p.Text)
		case p.Type != "image_url" || !dataURL(p.ImageURL.URL):
			return fmt.Errorf("a content part of type %q that is neither text nor an image", p.Type)
		}
	}
	c.text = strings.Join(texts, "\n\n")
	return nil
}

// dataURL reports whether u holds a picture of a kind that every server takes.
func dataURL(u string) bool {
	kind, data, ok := strings.Cut(u, ";base64,")
	return ok && data != "" && (kind == "data:image/jpeg" || kind == "data:image/png")
}

func (c *completion) check(strict bool) error {
	switch {
	case c.Model == "":
		return fmt.Errorf("you must provide a model parameter")
	case len(c.Messages) == 0:
		return fmt.Errorf("messages is too short")
	case c.CacheKey != nil && (*c.CacheKey == "" || len(*c.CacheKey) > 64):
		return fmt.Errorf("prompt_cache_key has %d characters; it takes 1 to 64", len(*c.CacheKey))
	case strict:
		return c.checkStrictly()
	}
	return nil
}

// checkStrictly refuses what Check refuses, and what servers with a strict chat
// template or the narrowest schema do: two messages of the user in a row,
// pictures from anyone else, and arguments of a call that are no object.
func (c *completion) checkStrictly() error {
	last := ""
	for i, m := range c.Messages {
		if m.Role == "user" && last == "user" {
			return fmt.Errorf("messages[%d]: conversation roles must alternate", i)
		}
		if m.Role != "user" && m.Role != "system" && m.Content.parts != nil {
			return fmt.Errorf("messages[%d]: content parts in a message of the %s", i, m.Role)
		}
		for _, t := range m.ToolCalls {
			var object map[string]any
			if json.Unmarshal([]byte(t.Function.Arguments), &object) != nil {
				return fmt.Errorf("messages[%d]: the arguments of %q are no object", i, t.ID)
			}
		}
		last = m.Role
	}
	return Check(c.request(""))
}

// request is the conversation without its system messages. What the client
// merged into one message of the user is taken apart again, down to tail.
func (c *completion) request(tail string) llm.Request {
	var req llm.Request
	for _, m := range c.Messages {
		switch m.Role {
		case "system":
			continue
		case "user":
			req.Messages = append(req.Messages, m.user(tail)...)
			continue
		}
		out := llm.Message{Role: llm.Role(m.Role), CallID: m.ToolCallID, Text: m.Content.text}
		for _, t := range m.ToolCalls {
			out.Calls = append(out.Calls, llm.ToolCall{ID: t.ID, Name: t.Function.Name, Args: json.RawMessage(t.Function.Arguments)})
		}
		req.Messages = append(req.Messages, out)
	}
	return req
}

// user gives a message that is only a picture a text, as it is not empty.
func (m chatMessage) user(tail string) []llm.Message {
	if m.Content.text == "" && m.Content.parts != nil {
		return []llm.Message{{Role: llm.User, Text: "[image]"}}
	}
	return paragraphs(m.Content.text, tail)
}
