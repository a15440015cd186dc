package anthropic

import (
	"encoding/json"
	"strings"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// answerBlock is a block of an answer, or the beginning of one.
type answerBlock struct {
	Type      string          `json:"type"`
	Text      json.RawMessage `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"` // of redacted_thinking
}

// growing is a block other than text that arrives in pieces. Blocks of unknown
// types take their pieces and stand for nothing.
type growing struct {
	answerBlock
	text      int  // bytes of the answer's text before it
	calls     int  // tool calls before it
	given     bool // the input came with the beginning
	args      wire.Args
	reasoning strings.Builder
	signature strings.Builder
}

// grown holds the blocks of one answer in the order in which they began.
type grown struct {
	list []*growing
	at   map[int]*growing // by the index of the server
	uses int              // tool calls among them
}

// start begins a block that stands after so many bytes of text.
func (gs *grown) start(index int, b *answerBlock, text int) error {
	g := &growing{answerBlock: *b, text: text, calls: gs.uses}
	g.reasoning.WriteString(b.Thinking)
	g.signature.WriteString(b.Signature)
	if b.Type == "tool_use" {
		if gs.uses++; gs.uses > wire.MaxCalls {
			return wire.ErrCalls
		}
		if s := string(b.Input); s != "" && s != "{}" && s != "null" {
			g.given = true
			if err := g.args.Put(b.Input); err != nil {
				return err
			}
		}
	}
	if gs.at == nil {
		gs.at = map[int]*growing{}
	}
	gs.at[index] = g
	gs.list = append(gs.list, g)
	return nil
}

// skip makes the index stand for text.
func (gs *grown) skip(index int) { delete(gs.at, index) }

func (g *growing) add(d *delta) error {
	switch d.Type {
	case "input_json_delta":
		if !g.given {
			return g.args.Add(d.PartialJSON)
		}
	case "thinking_delta":
		g.reasoning.WriteString(d.Thinking)
	case "signature_delta":
		g.signature.WriteString(d.Signature)
	}
	return nil
}

// calls returns the tool calls, every one with an id of its own.
func (gs *grown) calls(ids wire.IDs) ([]llm.ToolCall, error) {
	var out []llm.ToolCall
	for _, g := range gs.list {
		if g.Type != "tool_use" {
			continue
		}
		if g.Name == "" {
			return nil, wire.Senseless("a tool call without a name", nil)
		}
		out = append(out, llm.ToolCall{ID: ids.Take(g.ID), Name: g.Name, Args: g.args.End()})
	}
	return out, nil
}

// thoughts returns the reasoning as the API wants it back.
func (gs *grown) thoughts() []thought {
	var out []thought
	for _, g := range gs.list {
		switch g.Type {
		case "thinking":
			out = append(out, g.thought(thinkingBlock{g.Type, g.reasoning.String(), g.signature.String()}))
		case "redacted_thinking":
			out = append(out, g.thought(redactedBlock{g.Type, g.Data}))
		}
	}
	return out
}

func (g *growing) thought(block any) thought {
	raw, _ := wire.Encode(block) // strings alone, which cannot fail
	return thought{g.text, g.calls, raw}
}

// thinkingBlock is reasoning with its signature.
type thinkingBlock struct {
	Type      string `json:"type"`
	Thinking  string `json:"thinking"`
	Signature string `json:"signature"`
}

// redactedBlock is reasoning that only the provider can read.
type redactedBlock struct {
	Type string `json:"type"`
	Data string `json:"data"`
}
