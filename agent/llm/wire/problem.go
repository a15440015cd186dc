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

// Present reports whether a field of a JSON object holds anything.
func Present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

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
	case status < 429 && has(words, flagged...):
		p.Cause = llm.Flagged
	case c.refuses(status, words):
		p.Cause = llm.Refused
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout:
		p.Cause = llm.Overloaded
	case status == http.StatusRequestEntityTooLarge || has(words, tooLong...):
		p.Cause = llm.TooLong
	case status == http.StatusForbidden:
		p.Cause = llm.Flagged
	case status >= 500 || status == 0 && !has(words, "invalid_request", "not_found_error"):
		p.Cause = llm.Overloaded
	default:
		p.Cause = llm.BadRequest
	}
	return p
}

// refuses reports whether the key is wrong or may not be used so. Any 403 that
// does not say that is about what was said: it stands for that at OpenRouter and
// xAI. One without words comes from a proxy.
func (c complaint) refuses(status int, words string) bool {
	switch status {
	case http.StatusUnauthorized:
		return true
	case http.StatusForbidden:
		return c.Message == "" || has(words, barred...)
	case 0:
		return has(words, "invalid_api_key", "authentication_error", "permission_error")
	}
	return has(words, "invalid_api_key")
}

// unpaid are the ways in which servers say that nothing is left to spend.
var unpaid = []string{
	"insufficient_quota",        // OpenAI
	"billing_hard_limit",        // OpenAI
	"insufficient balance",      // DeepSeek
	"insufficient credits",      // OpenRouter
	"billing_error",             // Anthropic
	"credit balance is too low", // Anthropic, as a bad request
	"key limit exceeded",        // OpenRouter, as a 403
	"budget limit exceeded",     // OpenRouter, as a 403
}

// barred are the ways in which servers say with a 403 that the key may not be
// used so.
var barred = []string{
	"permission", // Anthropic, OpenAI, xAI
	"api key",
	"api-key",
	"authenti", // authentication, authenticated
	"authoriz",
	"not allowed",
	"access",    // "does not have access to model", "access denied"
	"country",   // OpenAI: "Country, region, or territory not supported"
	"forbidden", // proxies
}

// flagged are the ways in which servers say that a filter of theirs, and not
// the model, declined what was said or what would have been the answer.
var flagged = []string{
	"was flagged",         // OpenRouter
	"request blocked",     // OpenRouter's guardrails
	"moderation",          // OpenRouter, Moonshot
	"content_policy",      // OpenAI, OpenRouter
	"content_filter",      // Azure
	"content filter",      // Anthropic: "Output blocked by content filtering policy"
	"content exists risk", // DeepSeek
	"usage guidelines",    // xAI
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
	"context length of only",     // LM Studio
	"greater than the context l", // LM Studio: "… context length"
	"maximum prompt length",      // xAI
	"input is too long",          // Bedrock behind proxies
}

func has(words string, phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(words, p) })
}
