package openai

import (
	"encoding/json"
	"strings"

	"nacre/agent/llm/wire"
)

// keepsake is the Blob of this package: the reasoning that led to tool calls,
// as DeepSeek and as OpenRouter name it. Both refuse a later request in which
// it is missing; other servers refuse the fields, so they go back to the server
// that they came from alone.
type keepsake struct {
	Origin           string   `json:"origin"`
	ReasoningContent *string  `json:"reasoning_content,omitempty"`
	ReasoningDetails []detail `json:"reasoning_details,omitempty"`
}

// detail is a piece of reasoning from OpenRouter, such as the signature without
// which Gemini takes no result of a tool.
// Format: https://openrouter.ai/docs/guides/best-practices/reasoning-tokens.
type detail struct {
	Type      string  `json:"type"`
	ID        *string `json:"id,omitempty"`
	Format    *string `json:"format,omitempty"`
	Index     *int    `json:"index,omitempty"`
	Text      *string `json:"text,omitempty"`
	Summary   *string `json:"summary,omitempty"`
	Data      *string `json:"data,omitempty"`
	Signature *string `json:"signature,omitempty"`
}

// reasoning assembles what may have to go back. None of it is ever shown.
type reasoning struct {
	named   bool // the server sends reasoning_content, if only an empty one
	content strings.Builder
	pieces  wire.Literals
	details []detail
}

func (r *reasoning) add(p *piece) error {
	thought, err := r.pieces.Next(p.ReasoningContent)
	r.named = r.named || len(p.ReasoningContent) > 0
	r.content.WriteString(thought)
	var details []detail
	if json.Unmarshal(p.ReasoningDetails, &details) == nil {
		r.details = append(r.details, details...)
	}
	return err
}

// blob returns the keepsake for where it came from, nil if there is nothing to keep.
func (r *reasoning) blob(origin string) (json.RawMessage, error) {
	if !r.named && len(r.details) == 0 {
		return nil, nil
	}
	k := keepsake{Origin: origin, ReasoningDetails: joined(r.details)}
	if r.named {
		content := r.content.String() + r.pieces.End()
		k.ReasoningContent = &content
	}
	return json.Marshal(k)
}

// joined makes one detail of the pieces of a text, as they came in a stream.
func joined(pieces []detail) []detail {
	var out []detail
	var text, summary strings.Builder
	for i, d := range pieces {
		text.WriteString(value(d.Text))
		summary.WriteString(value(d.Summary))
		if i+1 < len(pieces) && d.continues(&pieces[i+1]) {
			continue
		}
		d.Text, d.Summary = pointer(text.String()), pointer(summary.String())
		text.Reset()
		summary.Reset()
		out = append(out, d)
	}
	return out
}

// continues reports whether next is a further piece of the same text. The last
// piece is the one with the signature.
func (d *detail) continues(next *detail) bool {
	return d.Data == nil && d.Signature == nil && d.Type == next.Type && next.Data == nil &&
		d.Index != nil && next.Index != nil && *d.Index == *next.Index
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func pointer(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// recalled is what this host wants back with tool calls. DeepSeek wants its
// field also with calls that another provider's model made.
func (c *Client) recalled(blob json.RawMessage) keepsake {
	var k keepsake
	if json.Unmarshal(blob, &k) != nil || k.Origin != c.origin {
		k = keepsake{}
	}
	if k.ReasoningContent == nil && c.host == deepSeek {
		k.ReasoningContent = new(string)
	}
	return k
}
