package openai

import (
	"encoding/json"
	"slices"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// fragment is a piece of a tool call, or a whole one.
type fragment struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// calls assembles tool calls in the order in which they began.
type calls struct {
	list []*call
	ids  wire.IDs
}

type call struct {
	index *int
	id    string
	name  string
	args  wire.Args
}

func (cs *calls) add(f *fragment) error {
	c := cs.find(f)
	if c == nil {
		if len(cs.list) == wire.MaxCalls {
			return wire.ErrCalls
		}
		c = &call{index: f.Index}
		cs.list = append(cs.list, c)
	}
	if c.id == "" {
		c.id = f.ID
	}
	if c.name == "" {
		c.name = f.Function.Name
	}
	if raw := f.Function.Arguments; len(raw) > 0 && raw[0] == '{' { // servers that do not write it as text
		return c.args.Put(raw)
	}
	return c.args.Add(f.Function.Arguments)
}

// find returns the call that f continues, nil if it begins one. The newest
// candidate counts, because some servers give every call the same index.
func (cs *calls) find(f *fragment) *call {
	if f.ID != "" {
		for _, c := range slices.Backward(cs.list) {
			if f.ID == c.id && !f.elsewhere(c) {
				return c
			}
		}
	}
	for _, c := range slices.Backward(cs.list) {
		switch {
		case f.elsewhere(c) || f.begins(c):
			continue
		case f.Function.Name != "" && c.whole(f.Index == nil):
			return nil
		}
		return c
	}
	return nil
}

// elsewhere reports whether f has another index than c.
func (f *fragment) elsewhere(c *call) bool {
	return f.Index != nil && c.index != nil && *f.Index != *c.index
}

// begins reports whether f is of another call than c, whatever its index, by
// its own id. Some servers give every fragment of a call a new one; of those,
// only the first has a name.
func (f *fragment) begins(c *call) bool {
	return f.ID != "" && c.id != "" && (f.Function.Name != "" || f.Index == nil || c.index == nil)
}

// whole reports that a further name cannot belong to c: without an index a
// name begins a call, with one it may be a repetition until the arguments are
// complete.
func (c *call) whole(unindexed bool) bool {
	return c.name != "" && (unindexed || c.args.Whole())
}

// end returns the calls, every one with an id of its own.
func (cs *calls) end() ([]llm.ToolCall, error) {
	var out []llm.ToolCall
	for _, c := range cs.list {
		if c.name == "" {
			return nil, wire.Senseless("a tool call without a name", nil)
		}
		out = append(out, llm.ToolCall{ID: cs.ids.Take(c.id), Name: c.name, Args: c.args.End()})
	}
	return out, nil
}
