package wire

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"nacre/agent/llm"
)

// Problem is a failure whose kind is known where it is found. Post makes an
// *llm.Error of it.
type Problem struct {
	Cause  llm.Cause
	Status int    // HTTP status, 0 if none
	Words  string // the server's, or ours about it
	After  time.Duration
	Err    error
}

func (p Problem) Error() string { return p.Words }
func (p Problem) Unwrap() error { return p.Err }

// Senseless is the Problem of an answer that is not in the provider's format.
// The words say how.
func Senseless(words string, err error) error {
	return Problem{Cause: llm.BadAnswer, Words: words, Err: err}
}

// Complained sorts an error object that came inside a stream or as an answer
// under HTTP 200. It reads {"error": {…}}, {"error": "…"} or the bare object,
// which the servers use.
func Complained(object []byte) error {
	c := readComplaint(object)
	return c.problem(c.status())
}

// complaint is the error object of a server, in a refusal or inside a stream.
type complaint struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Code    any    `json:"code"` // a word, or an HTTP status
}

// readComplaint uses the words of known forms alone: a server that quotes the
// request would put the prompt into a log.
func readComplaint(body []byte) complaint {
	var outer struct {
		complaint
		Error json.RawMessage `json:"error"`
	}
	json.Unmarshal(body, &outer)
	c := outer.complaint
	if len(outer.Error) > 0 && json.Unmarshal(outer.Error, &c) != nil {
		json.Unmarshal(outer.Error, &c.Message)
	}
	return c
}

// status returns the HTTP status that stands in for the one of the answer when
// the error comes inside a stream, or 0.
func (c complaint) status() int {
	if n, ok := c.Code.(float64); ok && n >= 400 && n <= 599 {
		return int(n)
	}
	return 0
}

// problem sorts a complaint. The status is 0 for one inside a stream without a
// code of its own: the request was accepted then, so it may pass by itself
// unless its words say otherwise.
func (c complaint) problem(status int) Problem {
	code, _ := c.Code.(string)
	words := strings.ToLower(code + " " + c.Type + " " + c.Message)
	p := Problem{Status: status, Words: c.Message}
	switch {
	case status == http.StatusPaymentRequired || has(words, unpaid...):
		p.Cause = llm.Billing
	case status == http.StatusUnauthorized || status == http.StatusForbidden || has(words, "invalid_api_key") ||
		status == 0 && has(words, "authentication_error", "permission_error"):
		p.Cause = llm.Refused
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout:
		p.Cause = llm.Overloaded
	case status == http.StatusRequestEntityTooLarge || has(words, tooLong...):
		p.Cause = llm.TooLong
	case status >= 500 || status == 0 && !has(words, "invalid_request", "not_found_error"):
		p.Cause = llm.Overloaded
	default:
		p.Cause = llm.BadRequest
	}
	return p
}

// unpaid are the ways in which servers say that nothing is left to spend.
var unpaid = []string{
	"insufficient_quota",        // OpenAI
	"billing_hard_limit",        // OpenAI
	"insufficient balance",      // DeepSeek
	"insufficient credits",      // OpenRouter
	"billing_error",             // Anthropic
	"credit balance is too low", // Anthropic, as a bad request
}

// tooLong are the ways in which servers say that the prompt exceeds the window.
var tooLong = []string{
	"context_length_exceeded",    // OpenAI, DeepSeek
	"maximum context length",     // OpenAI, DeepSeek, vLLM, OpenRouter
	"context window",             // OpenAI
	"exceed_context_size",        // llama.cpp
	"available context size",     // llama.cpp, older
	"prompt is too long",         // Anthropic
	"exceed context limit",       // Anthropic: "input length and `max_tokens` exceed context limit"
	"request_too_large",          // Anthropic
	"input token count",          // Gemini
	"reduce the length",          // Groq
	"maximum number of tokens",   // Bedrock behind proxies
	"longer than the maximum mo", // vLLM: "… maximum model length"
}

func has(words string, phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(words, p) })
}
