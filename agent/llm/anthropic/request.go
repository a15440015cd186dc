package anthropic

import (
	"cmp"
	"encoding/json"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// request is the body of POST /v1/messages. Its fields are encoded in the order
// in which the cache reads them: tools, system, messages.
type request struct {
	Model     string       `json:"model"`
	MaxTokens int          `json:"max_tokens"`
	Stream    bool         `json:"stream"`
	Tools     []tool       `json:"tools,omitempty"`
	System    []block      `json:"system,omitempty"`
	Messages  conversation `json:"messages"`
}

type tool struct {
	Name         string          `json:"name"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"input_schema"`
	CacheControl *cacheControl   `json:"cache_control,omitempty"`
}

// cacheControl marks a breakpoint: the prompt up to there is kept for a later
// request that begins with the same. It is kept for five minutes from its last
// use, the default. That pays from the second request on, which is each step
// of a turn with tools and each message of a lively chat; an hour costs twice
// the price of the input instead of 1.25 times and would be lost on the night
// between two chats just the same.
type cacheControl struct {
	Type string `json:"type"`
}

func breakpoint() *cacheControl { return &cacheControl{Type: "ephemeral"} }

// encode is the pure function from a Request to the body. It sets the four
// breakpoints that the API allows: after the tools, after the system text,
// after the last stored message, and where the request before had that one,
// because the cache looks back 20 blocks only and a turn may add more.
func (c *Client) encode(req *llm.Request) ([]byte, error) {
	r := request{Model: c.model, MaxTokens: cmp.Or(req.MaxTokens, c.maxTokens), Stream: true}
	for _, t := range req.Tools {
		r.Tools = append(r.Tools, tool{Name: t.Name, Description: t.Description, InputSchema: t.Schema})
	}
	if n := len(r.Tools); n > 0 {
		r.Tools[n-1].CacheControl = breakpoint()
	}
	if visible(req.System) {
		r.System = []block{{Type: "text", Text: req.System, CacheControl: breakpoint()}}
	}
	r.Messages = c.conversation(req.Messages)
	r.Messages.mark()
	if visible(req.Tail) {
		r.Messages = r.Messages.add(user, textBlock(req.Tail))
	}
	return wire.Encode(r)
}
