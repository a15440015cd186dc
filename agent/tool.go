package agent

import (
	"context"
	"encoding/json"
	"time"

	"nacre"
	"nacre/agent/llm"
)

// Tool is something the model may ask for during a turn.
type Tool interface {
	// Spec is constant.
	Spec() llm.ToolSpec
	// Call runs the tool for a caller, which comes from the session and never
	// from the arguments. The result is text for the model. An error's text
	// goes to the model too, so that it can mend its arguments. It runs under
	// the turn's deadline; caller.Turn is its idempotency key, because a turn
	// that a crash interrupted runs again.
	Call(ctx context.Context, caller nacre.Caller, args json.RawMessage) (string, error)
}

// Now is the tool that tells the date and the time. Zone is where the owners
// live unless the model names another place.
type Now struct{ Zone *time.Location }

// Spec implements Tool.
func (Now) Spec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "now",
		Description: "Tells the current date, weekday and time, in the person's own time zone or in another one.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string","description":"IANA time zone such as Asia/Tokyo; leave it out for the person's own"}},"additionalProperties":false}`),
	}
}

// Call implements Tool.
func (n Now) Call(_ context.Context, _ nacre.Caller, args json.RawMessage) (string, error) {
	var in struct {
		Zone string `json:"zone"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return "", nacre.Errorf(nacre.Invalid, "the arguments are not a JSON object with an optional text \"zone\"")
	}
	zone := n.Zone
	if in.Zone != "" {
		var err error
		if zone, err = time.LoadLocation(in.Zone); err != nil {
			return "", nacre.Errorf(nacre.Invalid, "there is no time zone %q; use an IANA name such as Asia/Tokyo", in.Zone)
		}
	}
	t := time.Now().In(zone)
	return t.Format("Monday, 2 January 2006, 15:04") + " (" + zone.String() + ", UTC" + t.Format("-07:00") + ")", nil
}
