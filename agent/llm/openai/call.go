package openai

import (
	"crypto/rand"
	"encoding/json"
	"strings"

	"nacre/agent/llm"
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
	used map[string]bool // ids that stand for a call of this conversation
}

type call struct {
	index  *int
	id     string
	name   string
	args   strings.Builder
	pieces literals
}

func (cs *calls) add(f *fragment) error {
	c := cs.find(f)
	if c == nil {
		c = &call{index: f.Index}
		cs.list = append(cs.list, c)
	}
	if c.id == "" {
		c.id = f.ID
	}
	if c.name == "" {
		c.name = f.Function.Name
	}
	args, err := c.pieces.next(f.Function.Arguments)
	c.args.WriteString(args)
	return err
}

// find returns the call that f continues, nil if it begins one. The newest
// candidate counts, because some servers give every call the same index.
func (cs *calls) find(f *fragment) *call {
	for i := len(cs.list) - 1; i >= 0; i-- {
		c := cs.list[i]
		switch {
		case f.Index != nil && c.index != nil && *f.Index != *c.index:
			continue
		case f.ID != "" && f.ID == c.id:
			return c
		case f.ID != "" && c.id != "":
			continue // another call, whatever its index
		case f.Function.Name != "" && c.whole(f.Index == nil):
			return nil
		default:
			return c
		}
	}
	return nil
}

// whole reports that a further name cannot belong to c: without an index a
// name begins a call, with one it may be a repetition until the arguments are
// complete.
func (c *call) whole(unindexed bool) bool {
	return c.name != "" && (unindexed || json.Valid([]byte(c.args.String())))
}

// end returns the calls. Every one has an id which no other call of the
// conversation has, because results are matched by it.
func (cs *calls) end() ([]llm.ToolCall, error) {
	var out []llm.ToolCall
	for _, c := range cs.list {
		if c.name == "" {
			return nil, problem{cause: llm.BadAnswer, words: "a tool call without a name"}
		}
		if c.id == "" || cs.used[c.id] {
			c.id = "call_" + rand.Text()
		}
		cs.used[c.id] = true
		c.args.WriteString(c.pieces.end())
		out = append(out, llm.ToolCall{ID: c.id, Name: c.name, Args: arguments(c.args.String())})
	}
	return out, nil
}

// arguments are kept as the model wrote them; nothing stands for none.
func arguments(s string) json.RawMessage {
	if strings.TrimSpace(s) == "" {
		return json.RawMessage("{}")
	}
	return json.RawMessage(s)
}
