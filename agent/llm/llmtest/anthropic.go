package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"nacre/agent/llm"
)

// Anthropic is an http.Handler that answers Anthropic's Messages API at any
// path that ends in /v1/messages. It refuses with 400 what the API refuses. Set
// the exported fields before it serves. The zero Anthropic echoes.
type Anthropic struct {
	Script
	Key   string // refuse with 401 any other key, if set
	Tail  string // how a request's Tail begins, which the echo leaves out
	Binds bool   // refuse reasoning that comes back after anything but what stood before it, as models since Claude Fable 5.1 do
}

// anthropicVersion is the one version of the API that the double speaks.
const anthropicVersion = "2023-06-01"

// ServeHTTP implements http.Handler.
func (a *Anthropic) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/v1/messages") {
		missing := Reply{Status: http.StatusNotFound, Message: "Not found"}
		missing.refuse(w, anthropicError(missing))
		return
	}
	body, err := a.receive(r)
	if err != nil {
		return
	}
	in, reply := a.reply(r.Header, body)
	if reply.Gate.pass(r.Context()) != nil {
		return
	}
	answer := anthropicAnswer{reply, in.Model, in.prefix(len(in.Messages), 0)}
	switch {
	case reply.refuses():
		reply.refuse(w, anthropicError(reply))
	case in.Stream && !reply.Whole:
		answer.send(w, r)
	default:
		send(w, http.StatusOK, answer.whole())
	}
}

// reply returns the reply to a request. One that the server itself refuses
// takes none from the script.
func (a *Anthropic) reply(h http.Header, body []byte) (messages, Reply) {
	if a.Key != "" && h.Get("x-api-key") != a.Key {
		return messages{}, Reply{Status: http.StatusUnauthorized, Message: "invalid x-api-key"}
	}
	var in messages
	err := json.Unmarshal(body, &in)
	if got := h.Get("anthropic-version"); err == nil && got != anthropicVersion {
		err = fmt.Errorf("anthropic-version: %q is not a valid version", got)
	}
	if err == nil {
		err = in.check()
	}
	if err == nil && a.Binds {
		err = in.checkBindings()
	}
	if err != nil {
		return messages{}, Reply{Status: http.StatusBadRequest, Message: err.Error()}
	}
	return in, a.next(in.request(a.Tail), body)
}

// anthropicError is an error object as Anthropic sends it, in a refusal and
// inside a stream. Without a Code the status says its type.
func anthropicError(r Reply) object {
	return object{"type": "error", "request_id": "req_double", "error": object{"type": cmp.Or(r.Code, errorType(r.Status)), "message": r.Message}}
}

func errorType(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "invalid_request_error"
	case http.StatusUnauthorized:
		return "authentication_error"
	case http.StatusPaymentRequired:
		return "billing_error"
	case http.StatusForbidden:
		return "permission_error"
	case http.StatusNotFound:
		return "not_found_error"
	case http.StatusRequestEntityTooLarge:
		return "request_too_large"
	case http.StatusTooManyRequests:
		return "rate_limit_error"
	case 529:
		return "overloaded_error"
	}
	return "api_error"
}

// request is the conversation, with a message for every text of the user.
func (m *messages) request(tail string) llm.Request {
	var req llm.Request
	for _, turn := range m.Messages {
		for _, b := range turn.Content {
			if b.Type != "text" || turn.Role == "user" && tail != "" && strings.HasPrefix(b.Text, tail) {
				continue
			}
			req.Messages = append(req.Messages, llm.Message{Role: llm.Role(turn.Role), Text: b.Text, Calls: turn.calls()})
		}
	}
	return req
}

func (t anthropicTurn) calls() []llm.ToolCall {
	var out []llm.ToolCall
	for _, b := range t.Content {
		if b.Type == "tool_use" {
			out = append(out, llm.ToolCall{ID: b.ID, Name: b.Name, Args: b.Input})
		}
	}
	return out
}
