package openai

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// request is the body of POST /chat/completions. Its fields are encoded in
// this order: what a conversation keeps comes first and the messages last, so
// that a request that extends an earlier one repeats its bytes.
type request struct {
	Model               string        `json:"model"`
	Stream              bool          `json:"stream"`
	StreamOptions       streamOptions `json:"stream_options"`
	Usage               *usageOptions `json:"usage,omitempty"`
	MaxTokens           int           `json:"max_tokens,omitempty"`
	MaxCompletionTokens int           `json:"max_completion_tokens,omitempty"`
	ReasoningEffort     string        `json:"reasoning_effort,omitempty"`
	PromptCacheKey      string        `json:"prompt_cache_key,omitempty"`
	Tools               []tool        `json:"tools,omitempty"`
	Messages            conversation  `json:"messages"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// usageOptions asks OpenRouter for its own counts, cached tokens included.
type usageOptions struct {
	Include bool `json:"include"`
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

// encode is the pure function from a Request to the body. A thoughtless one asks
// for tools without reasoning.
func (c *Client) encode(req *llm.Request, thoughtless bool) ([]byte, error) {
	r := request{Model: c.model, Stream: true, StreamOptions: streamOptions{IncludeUsage: true}}
	if c.host == openRouter {
		r.Usage = &usageOptions{Include: true}
	}
	if c.host == ownHost {
		r.MaxCompletionTokens = req.MaxTokens
		r.PromptCacheKey = cacheKey(req.CacheKey)
	} else {
		r.MaxTokens = req.MaxTokens
	}
	if thoughtless && len(req.Tools) > 0 {
		r.ReasoningEffort = "none"
	}
	for _, t := range req.Tools {
		r.Tools = append(r.Tools, tool{"function", toolSpec{t.Name, t.Description, t.Schema}})
	}
	r.Messages = c.conversation(req)
	return wire.Encode(r)
}

// cacheKey is sent as a hash, which tells nobody whose conversation it is and
// fits the 64 characters that OpenAI takes.
func cacheKey(key string) string {
	if key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}
