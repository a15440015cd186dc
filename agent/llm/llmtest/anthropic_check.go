package llmtest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// messages is the body of a request, as far as the double looks at it.
type messages struct {
	Model     string           `json:"model"`
	MaxTokens int              `json:"max_tokens"`
	Stream    bool             `json:"stream"`
	Tools     []anthropicTool  `json:"tools"`
	System    []anthropicBlock `json:"system"`
	Messages  []anthropicTurn  `json:"messages"`
}

type anthropicTool struct {
	Name         string          `json:"name"`
	InputSchema  map[string]any  `json:"input_schema"`
	CacheControl json.RawMessage `json:"cache_control"`
}

type anthropicTurn struct {
	Role    string           `json:"role"`
	Content []anthropicBlock `json:"content"`
}

type anthropicBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	Source    struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type"`
		Data      []byte `json:"data"`
	} `json:"source"`
	CacheControl json.RawMessage `json:"cache_control"`
}

// word is what the API takes as a tool's name and as the id of a call.
var word = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)

// check refuses what the API refuses.
func (m *messages) check() error {
	switch {
	case m.Model == "":
		return fmt.Errorf("model: Field required")
	case m.MaxTokens < 1:
		return fmt.Errorf("max_tokens: Field required")
	case len(m.Messages) == 0:
		return fmt.Errorf("messages: at least one message is required")
	}
	if err := m.checkTools(); err != nil {
		return err
	}
	for _, b := range m.System {
		if b.Type != "text" {
			return fmt.Errorf("system: unexpected block of type %q", b.Type)
		}
		if err := b.check(); err != nil {
			return fmt.Errorf("system: %w", err)
		}
	}
	if n := m.breakpoints(); n > 4 {
		return fmt.Errorf("at most 4 blocks with cache_control may be provided, found %d", n)
	}
	return m.checkTurns()
}

func (m *messages) checkTools() error {
	for i, t := range m.Tools {
		if !word.MatchString(t.Name) || t.InputSchema == nil {
			return fmt.Errorf("tools.%d: a name or an input_schema that is none", i)
		}
	}
	return nil
}

// breakpoints counts the cache breakpoints.
func (m *messages) breakpoints() int {
	n := 0
	for _, t := range m.Tools {
		n += min(1, len(t.CacheControl))
	}
	for _, t := range append([]anthropicTurn{{Content: m.System}}, m.Messages...) {
		for _, b := range t.Content {
			n += min(1, len(b.CacheControl))
		}
	}
	return n
}

// checkBindings refuses reasoning that was made after anything else than what
// stands before it now.
func (m *messages) checkBindings() error {
	for i, t := range m.Messages {
		for j, b := range t.Content {
			if b.Type == "thinking" && b.Signature != sign(b.Thinking, m.prefix(i, j)) {
				return fmt.Errorf("messages.%d.content.%d: Invalid `signature` in `thinking` block. The block is bound to a different conversation. "+
					"Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\"", i, j)
			}
		}
	}
	return nil
}

// prefix is all that stands before a block of a message, but for the reasoning,
// which may be left out from its beginning, and the cache breakpoints.
func (m *messages) prefix(message, block int) string {
	var out strings.Builder
	put := func(role string, blocks []anthropicBlock) {
		for _, b := range blocks {
			if b.CacheControl = nil; !strings.HasSuffix(b.Type, "thinking") {
				out.WriteString(role + marshal(b))
			}
		}
	}
	for _, t := range m.Tools {
		out.WriteString(t.Name + marshal(t.InputSchema))
	}
	put("system", m.System)
	for _, t := range m.Messages[:message] {
		put(t.Role, t.Content)
	}
	if message < len(m.Messages) {
		put(m.Messages[message].Role, m.Messages[message].Content[:block])
	}
	return out.String()
}

// checkTurns refuses turns that do not follow each other. Two of one role count
// as one.
func (m *messages) checkTurns() error {
	var merged []anthropicTurn
	for i, t := range m.Messages {
		if err := t.check(); err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
		if n := len(merged); n > 0 && merged[n-1].Role == t.Role {
			merged[n-1].Content = append(merged[n-1].Content[:len(merged[n-1].Content):len(merged[n-1].Content)], t.Content...)
			continue
		}
		merged = append(merged, t)
	}
	if merged[0].Role != "user" || merged[len(merged)-1].Role != "user" {
		return fmt.Errorf("messages: the first and the last message must use the \"user\" role")
	}
	return checkPairs(merged)
}

// checkPairs refuses calls without their results directly after, and results
// of anything else.
func checkPairs(turns []anthropicTurn) error {
	seen := map[string]bool{}
	open := map[string]bool{}
	for i, t := range turns {
		for _, id := range t.results() {
			if !open[id] {
				return fmt.Errorf("messages.%d: unexpected `tool_use_id` found in `tool_result` blocks: %s", i, id)
			}
			delete(open, id)
		}
		if len(open) > 0 {
			return fmt.Errorf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after", i-1)
		}
		for _, c := range t.calls() {
			if seen[c.ID] {
				return fmt.Errorf("messages.%d: `tool_use` ids must be unique", i)
			}
			seen[c.ID], open[c.ID] = true, true
		}
	}
	return nil
}

// results are the calls that a turn answers, as far as the results stand first.
func (t anthropicTurn) results() []string {
	var out []string
	for _, b := range t.Content {
		if b.Type != "tool_result" {
			break
		}
		out = append(out, b.ToolUseID)
	}
	return out
}

func (t anthropicTurn) check() error {
	if t.Role != "user" && t.Role != "assistant" {
		return fmt.Errorf("role: Input should be 'user' or 'assistant'")
	}
	if len(t.Content) == 0 {
		return fmt.Errorf("all messages must have non-empty content")
	}
	results := t.results()
	for i, b := range t.Content {
		if err := b.check(); err != nil {
			return fmt.Errorf("content.%d: %w", i, err)
		}
		users := b.Type == "image" || b.Type == "tool_result"
		if b.Type != "text" && users != (t.Role == "user") || b.Type == "tool_result" && i >= len(results) {
			return fmt.Errorf("content.%d: unexpected block of type %q", i, b.Type)
		}
	}
	return nil
}

func (b anthropicBlock) check() error {
	switch b.Type {
	case "text":
		if strings.TrimSpace(b.Text) == "" {
			return fmt.Errorf("text content blocks must contain non-whitespace text")
		}
	case "image":
		kind := b.Source.MediaType
		if b.Source.Type != "base64" || len(b.Source.Data) == 0 || kind != "image/jpeg" && kind != "image/png" && kind != "image/gif" && kind != "image/webp" {
			return fmt.Errorf("an image without data or of the unknown kind %q", kind)
		}
	case "tool_use":
		var input map[string]any
		if json.Unmarshal(b.Input, &input) != nil || input == nil {
			return fmt.Errorf("tool_use.input: Input should be a valid dictionary")
		}
		if !word.MatchString(b.ID) || !word.MatchString(b.Name) {
			return fmt.Errorf("tool_use: String should match pattern %q", word)
		}
	case "tool_result":
	case "thinking":
		if own, _, _ := strings.Cut(b.Signature, "."); own != digest(b.Thinking) {
			return fmt.Errorf("invalid `signature` in `thinking` block")
		}
	case "redacted_thinking":
	default:
		return fmt.Errorf("the unknown block type %q", b.Type)
	}
	if len(b.CacheControl) > 0 && strings.HasSuffix(b.Type, "thinking") {
		return fmt.Errorf("cache_control: Extra inputs are not permitted")
	}
	return nil
}
