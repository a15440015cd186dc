package llmtest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
)

// openaiError is an error object as OpenAI sends it.
func openaiError(r Reply) object {
	return object{"error": object{"message": r.Message, "type": "double_error", "code": r.Code}}
}

// openaiAnswer makes the answers of OpenAI's format to one request.
type openaiAnswer struct {
	Reply
	model string
	usage bool // the request asked for a usage event
}

// whole is the answer to a request without a stream.
func (a openaiAnswer) whole() object {
	message := object{"role": "assistant", "content": a.Text}
	if a.Reasoning != "" {
		message["reasoning_content"] = a.Reasoning
	}
	if len(a.Calls) > 0 {
		message["tool_calls"] = a.calls()
	}
	out := a.envelope("chat.completion", object{"index": 0, "message": message, "finish_reason": a.finish()})
	out["usage"] = a.counts()
	return out
}

func (a openaiAnswer) send(w http.ResponseWriter, r *http.Request) {
	broken := marshal(object{"error": object{"message": a.Message, "code": a.Code}})
	a.stream(w, r, "text/event-stream", a.events(), "data: "+broken+"\n\n")
}

// events are the stream, from the role to [DONE].
func (a openaiAnswer) events() []string {
	var out []string
	put := func(data string) { out = append(out, "data: "+data+"\n\n") }
	add := func(delta object, finish any) {
		put(marshal(a.envelope("chat.completion.chunk", object{"index": 0, "delta": delta, "finish_reason": finish})))
	}
	add(object{"role": "assistant", "content": ""}, nil)
	if a.Reasoning != "" {
		add(object{"reasoning_content": a.Reasoning, "content": nil}, nil)
	}
	for _, literal := range a.literals() {
		add(object{"content": json.RawMessage(literal)}, nil)
	}
	for i, c := range a.Calls {
		add(object{"tool_calls": []object{{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": ""}}}}, nil)
		for piece := range strings.SplitAfterSeq(string(c.Args), ":") {
			add(object{"tool_calls": []object{{"index": i, "function": object{"arguments": piece}}}}, nil)
		}
	}
	add(object{}, a.finish())
	if a.usage {
		last := a.envelope("chat.completion.chunk")
		last["usage"] = a.counts()
		put(marshal(last))
	}
	put("[DONE]")
	return out
}

func (a openaiAnswer) calls() []object {
	var out []object
	for _, c := range a.Calls {
		out = append(out, object{"id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": string(c.Args)}})
	}
	return out
}

func (a openaiAnswer) finish() string {
	if a.Finish == "" && len(a.Calls) > 0 {
		return "tool_calls"
	}
	return cmp.Or(a.Finish, "stop")
}

func (a openaiAnswer) counts() object {
	return object{
		"prompt_tokens":         a.Usage.Input,
		"completion_tokens":     a.Usage.Output,
		"total_tokens":          a.Usage.Input + a.Usage.Output,
		"prompt_tokens_details": object{"cached_tokens": a.Usage.CacheRead},
	}
}

func (a openaiAnswer) envelope(kind string, choices ...object) object {
	if choices == nil {
		choices = []object{}
	}
	return object{"id": "chatcmpl-double", "object": kind, "created": 1, "model": a.model, "choices": choices}
}
