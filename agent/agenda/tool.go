package agenda

import (
	"bytes"
	"context"
	"encoding/json"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
)

// tool is one of the tools of jobs. It implements agent.Tool.
type tool struct {
	spec func() llm.ToolSpec
	call func(ctx context.Context, caller nacre.Caller, args json.RawMessage) (agent.Result, error)
}

// Spec implements agent.Tool.
func (t tool) Spec() llm.ToolSpec { return t.spec() }

// Call implements agent.Tool. What it returns is data, of the kind FromTool.
func (t tool) Call(ctx context.Context, caller nacre.Caller, args json.RawMessage) (agent.Result, error) {
	return t.call(ctx, caller, args)
}

// decode reads the arguments of a tool: an object with the fields of into and no
// others.
func decode(args json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(args))
	d.DisallowUnknownFields()
	if !bytes.HasPrefix(bytes.TrimSpace(args), []byte("{")) || d.Decode(into) != nil {
		return nacre.Errorf(nacre.Invalid, "the arguments are not a JSON object as the tool's schema describes it")
	}
	return nil
}

// said is a Result that has only words.
func said(text string) agent.Result { return agent.Result{Text: text} }

// done is the Result of a tool that did something: the person reads what, in words
// that are not the model's.
func done(told string) agent.Result {
	return agent.Result{Text: "Done. The person reads this behind your answer, so do not repeat it: " + told, Tell: told}
}
