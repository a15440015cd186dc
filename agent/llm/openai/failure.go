package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"nacre/agent/llm"
)

const (
	maxRefusal = 64 << 10 // bytes read of the body of a refused request
	maxWords   = 300      // characters of a provider's message that are kept
	maxAfter   = 1e9      // seconds; a longer Retry-After would overflow
)

// problem is a failure whose kind is known where it is found. The Client makes
// an *llm.Error of it.
type problem struct {
	cause  llm.Cause
	status int
	words  string // the server's, or ours about it
	after  time.Duration
	err    error
}

func (p problem) Error() string { return p.words }
func (p problem) Unwrap() error { return p.err }

// complaint is the error object of a server, in a refusal or inside a stream.
type complaint struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Code    any    `json:"code"` // a word, or an HTTP status
}

// readComplaint reads {"error": {…}}, {"error": "…"} or the bare object, which
// the servers use. The words of anything else are not used: a server that
// quotes the request would put the prompt into a log.
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
// code of its own: the request was accepted then, so it may pass by itself.
func (c complaint) problem(status int) problem {
	code, _ := c.Code.(string)
	words := strings.ToLower(code + " " + c.Type + " " + c.Message)
	p := problem{status: status, words: c.Message}
	switch {
	case status == http.StatusPaymentRequired || has(words, "insufficient_quota", "insufficient balance", "billing_hard_limit"):
		p.cause = llm.Billing
	case status == http.StatusUnauthorized || status == http.StatusForbidden || has(words, "invalid_api_key"):
		p.cause = llm.Refused
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout:
		p.cause = llm.Overloaded
	case status == http.StatusRequestEntityTooLarge || has(words, tooLong...):
		p.cause = llm.TooLong
	case status >= 500 || status == 0 && !has(words, "invalid_request"):
		p.cause = llm.Overloaded
	default:
		p.cause = llm.BadRequest
	}
	return p
}

// tooLong are the ways in which servers say that the prompt exceeds the window.
var tooLong = []string{
	"context_length_exceeded",    // OpenAI, DeepSeek
	"maximum context length",     // OpenAI, DeepSeek, vLLM, OpenRouter
	"context window",             // OpenAI
	"exceed_context_size",        // llama.cpp
	"available context size",     // llama.cpp, older
	"prompt is too long",         // Anthropic behind OpenRouter
	"input token count",          // Gemini
	"reduce the length",          // Groq
	"maximum number of tokens",   // Bedrock behind proxies
	"longer than the maximum mo", // vLLM: "… maximum model length"
}

func has(words string, phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(words, p) })
}

// refusal reads the answer to a request that was not accepted.
func refusal(resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal))
	p := readComplaint(bytes.TrimSpace(body)).problem(resp.StatusCode)
	if p.words == "" {
		p.words = http.StatusText(resp.StatusCode)
	}
	p.after = retryAfter(resp.Header.Get("Retry-After"), time.Now())
	return p
}

// retryAfter reads the header of that name: seconds or a date (RFC 9110,
// section 10.2.3). It is 0 for a past date and for anything else.
func retryAfter(s string, now time.Time) time.Duration {
	if n, err := strconv.ParseFloat(s, 64); err == nil && n > 0 {
		return time.Duration(min(n, maxAfter) * float64(time.Second))
	}
	if t, err := http.ParseTime(s); err == nil {
		return max(0, t.Sub(now))
	}
	return 0
}

// fault turns any failure of a call into the error that Complete returns. ctx
// is the caller's, call ours below it, which also ends on silence; shown says
// that text was emitted before.
func (c *Client) fault(ctx, call context.Context, err error, shown bool) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var p problem
	if !errors.As(err, &p) {
		if cause := context.Cause(call); cause != nil {
			err = cause
		}
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err // without the URL, which may hold a secret
		}
		p = problem{cause: llm.Network, words: err.Error(), err: err}
	}
	return &llm.Error{
		Cause:    p.cause,
		Provider: c.provider,
		Status:   p.status,
		Message:  c.presentable(p.words),
		After:    p.after,
		Streamed: shown,
		Err:      p.err,
	}
}

// presentable makes one short line of a provider's words, without the key and
// without what providers show of a refused key ("sk-ab***yz").
func (c *Client) presentable(words string) string {
	if c.key != "" {
		words = strings.ReplaceAll(words, c.key, "[key]")
	}
	words = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(words, "\uFFFD"))
	fields := strings.Fields(words)
	for i, f := range fields {
		if strings.Contains(f, "***") {
			fields[i] = "[key]"
		}
	}
	return cut(strings.Join(fields, " "))
}

func cut(s string) string {
	if utf8.RuneCountInString(s) <= maxWords {
		return s
	}
	return string([]rune(s)[:maxWords-1]) + "…"
}
