package notebook

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
)

func findSpec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "memory_find",
		Description: "Finds notes by any of some words, the best first.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"words":{"type":"string","minLength":1,"maxLength":200},` + timesSchema + `},"required":["words"],"additionalProperties":false}`),
	}
}

const (
	maxFound = 12
	maxWords = 200 // characters
)

// find is the tool memory_find.
func (n *Notebook) find(ctx context.Context, c nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var in struct {
		Words string `json:"words"`
		times
	}
	if err := agent.ReadArgs(args, &in); err != nil {
		return agent.Result{}, err
	}
	if utf8.RuneCountInString(in.Words) > maxWords {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "at most %d characters of words", maxWords)
	}
	v, err := n.view(ctx, c, in.times)
	if err != nil {
		return agent.Result{}, err
	}
	found := n.search(v.notes, in.Words, maxFound)
	n.recalled(ctx, c, found...)
	return said(items(found)), nil
}
