// Package llm is the contract between the agent and any language model: one
// request, one response, streamed on the way. Providers implement Model, and
// decorators wrap it: Retry, Fallback, Meter, Budget, Record.
package llm

import (
	"context"
	"encoding/json"
)

// Model answers one Request.
type Model interface {
	// Complete blocks until the answer is whole. It calls emit, which may be
	// nil, from the same goroutine with each piece of visible text as it
	// arrives; reasoning is never emitted. It honours ctx. Errors are *Error
	// where the provider told why, so that decorators can decide what to do.
	// It may be called from many goroutines at once.
	// With an error, the Response still holds the Usage that was counted by then,
	// and the Model if the provider had begun to answer.
	Complete(ctx context.Context, req Request, emit func(text string)) (Response, error)
}

// Request is what a model sees. System, Tools and Messages, in this order, are
// the prompt; a request that extends an earlier one byte for byte costs little
// where providers cache prefixes.
type Request struct {
	System    string
	Tools     []ToolSpec
	Messages  []Message
	Tail      string // what holds for this request alone, such as the time: sent last, as from the user
	MaxTokens int    // most tokens to generate; 0 leaves it to the provider

	Account  string // whom usage is counted for; never sent
	CacheKey string // the same in all requests of a conversation, for providers that find a cache by it
}

// Role says who a Message of the prompt is from.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool" // the result of one tool call
)

// Message is one entry of the conversation as the model sees it.
type Message struct {
	Role   Role       `json:"role"`
	Text   string     `json:"text,omitempty"`
	Images []Image    `json:"images,omitempty"`  // User: what came with the text
	Source Source     `json:"source,omitempty"`  // where the text, or part of it, is from, if from neither the person nor the model; never sent
	Calls  []ToolCall `json:"calls,omitempty"`   // Assistant: tools it asked for
	CallID string     `json:"call_id,omitempty"` // Tool: the call this answers
	// Blob is a provider's own part that must be sent back unchanged, such as
	// reasoning that goes with tool calls. Opaque to all but that provider.
	Blob json.RawMessage `json:"blob,omitempty"`
}

// Image is a picture in a Message, fit for any provider: JPEG or PNG within
// their limits. One without Data is not sent.
type Image struct {
	Ref  string `json:"ref"` // where its bytes are kept; opaque to providers
	MIME string `json:"mime"`
	Data []byte `json:"-"`
}

// Source says where a text, or part of it, is from, if from neither the person
// nor the model. It is kept with the text for ever, so that nothing a stranger
// wrote can later pass for the person's words.
type Source string

// The sources besides the person and the model.
const (
	FromTool    Source = "tool"    // a tool's own words
	FromWeb     Source = "web"     // a page that a tool read
	FromOthers  Source = "others"  // words of other people that came along: forwarded, quoted, the text of a file
	FromSystem  Source = "system"  // the program itself: what was due, a scheduled run
	FromSummary Source = "summary" // what stands for older messages, all of them the person's or the model's
)

// ToolSpec describes a tool to the model.
type ToolSpec struct {
	Name        string          // [a-z_]{1,64}
	Description string          // one paragraph
	Schema      json.RawMessage // JSON Schema of the arguments, an object
}

// ToolCall is a model asking for a tool.
type ToolCall struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"` // what the model wrote; may be no valid JSON
}

// Stop says why a model ended its answer.
type Stop string

// The reasons to stop.
const (
	StopEnd     Stop = "end"     // it had said everything
	StopTools   Stop = "tools"   // it waits for tool results
	StopLength  Stop = "length"  // cut off by a token limit
	StopRefused Stop = "refused" // declined, by a filter or by itself
)

// Response is a whole answer.
type Response struct {
	Text  string // visible text, without reasoning
	Calls []ToolCall
	Stop  Stop
	Usage Usage
	Blob  json.RawMessage // see Message.Blob
	Model string          // as the provider names it
}

// Usage counts tokens. Input includes those read from a cache.
type Usage struct {
	Input      int
	Output     int
	CacheRead  int
	CacheWrite int
}
