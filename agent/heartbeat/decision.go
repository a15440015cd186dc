package heartbeat

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
)

// decision is the tool by which the model tells what it decided, and the decision
// once it did. The first one counts, and ends the look.
type decision struct {
	made bool
	tell bool
	text string
}

// maxText bounds the characters of what is told.
const maxText = 4000

// Spec implements agent.Tool.
func (*decision) Spec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "heartbeat_decision",
		Description: "Decides whether the person is told something now, and ends this look. Call it exactly once.",
		Schema: json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{`+
			`"tell":{"type":"boolean","description":"true only for what they would want to be interrupted for now"},`+
			`"text":{"type":"string","maxLength":%d,"description":"the message to them, if tell is true"}},"required":["tell"],"additionalProperties":false}`, maxText)),
	}
}

// Call implements agent.Tool.
func (d *decision) Call(_ context.Context, _ nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var in struct {
		Tell bool   `json:"tell"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "the arguments are a JSON object with \"tell\", which is true or false, and a \"text\"")
	}
	if !d.made {
		*d = decision{true, in.Tell, in.Text}
	}
	return agent.Result{Text: "Decided.", Ends: true}, nil
}

// outcome is what a look comes to: what to tell, empty for nothing, and why. Free is
// what the model said besides. That counts where it made no other sign: it decided
// to tell something and left the text empty, or called no tool at all. Of one that
// used tools it may be what it thought on the way.
func (d *decision) outcome(free string, used bool) (text, reason string) {
	switch {
	case d.made && d.tell && strings.TrimSpace(d.text) != "":
		text = withoutTokens(d.text)
	case d.made && !d.tell, edged(free), allClear(free):
	case used, !lettered(free), utf8.RuneCountInString(free) > maxText:
		return "", Undecided
	default:
		text = withoutTokens(free)
	}
	if text == "" || allClear(text) {
		return "", Quiet
	}
	return text, Told
}
