// Package calc computes for the model, which cannot: arithmetic on exact
// fractions, so that 0.1 + 0.2 is 0.3, and the functions of a pocket
// calculator. Its language leaves out what could be read in two ways and says
// how to write it instead.
package calc

import (
	"context"
	"encoding/json"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
)

// Limits, which keep every calculation within milliseconds.
const (
	maxText  = 1000 // bytes of an expression
	maxDepth = 50   // parentheses, signs and powers inside each other
	maxBits  = 8192 // of a numerator or denominator, some 2,400 digits
)

// Eval computes an expression and returns the result as people write it:
// exactly where that is short, else "about" with 15 significant digits. Errors
// are Invalid and name the place by its character, counted from 1.
func Eval(expression string) (string, error) {
	if len(expression) > maxText {
		return "", nacre.Errorf(nacre.Invalid, "an expression has at most %d bytes; compute it in parts", maxText)
	}
	tokens, err := scan(expression)
	if err != nil {
		return "", err
	}
	p := parser{tokens: tokens}
	v, err := p.expression(0)
	if err != nil {
		return "", err
	}
	if t := p.peek(); t.kind != end {
		return "", fail(t.at, "%s is not expected; if something is to be multiplied, write *", t)
	}
	return v.String(), nil
}

// Tool is the tool calc. It has no state.
type Tool struct{}

// Spec implements agent.Tool.
func (Tool) Spec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "calc",
		Description: "Computes exactly: + - * / ^ ! % (15% of 80, 80 + 15%; 7 % 3 is a remainder), sqrt abs round(x, digits) floor ceil min max log ln exp sin cos tan, pi, e. Numbers as 1234.5.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"expression":{"type":"string"}},"required":["expression"],"additionalProperties":false}`),
	}
}

// Call implements agent.Tool.
func (Tool) Call(_ context.Context, _ nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var in struct {
		Expression string `json:"expression"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "the arguments are not a JSON object with a text \"expression\"")
	}
	text, err := Eval(in.Expression)
	return agent.Result{Text: text}, err
}

// fail is an error at a place of the expression.
func fail(at int, format string, args ...any) error {
	return nacre.Errorf(nacre.Invalid, "at character %d: "+format, append([]any{at}, args...)...)
}
