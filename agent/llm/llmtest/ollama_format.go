package llmtest

import (
	"cmp"
	"encoding/json"
	"net/http"
)

// ollamaAnswer makes the answers of Ollama's format to one request.
type ollamaAnswer struct {
	Reply
	model string
}

// whole is the answer to a request without a stream.
func (a ollamaAnswer) whole() object {
	out := a.last()
	message := out["message"].(object)
	message["content"] = a.Text
	if a.Reasoning != "" {
		message["thinking"] = a.Reasoning
	}
	if len(a.Calls) > 0 {
		message["tool_calls"] = a.calls()
	}
	return out
}

func (a ollamaAnswer) send(w http.ResponseWriter, r *http.Request) {
	a.stream(w, r, "application/x-ndjson", a.lines(), marshal(object{"error": a.Message})+"\n")
}

// lines are the stream, from the reasoning to the counts.
func (a ollamaAnswer) lines() []string {
	var out []string
	put := func(line object) { out = append(out, marshal(line)+"\n") }
	if a.Reasoning != "" {
		put(a.line(object{"role": "assistant", "content": "", "thinking": a.Reasoning}))
	}
	for _, literal := range a.literals() {
		put(a.line(object{"role": "assistant", "content": json.RawMessage(literal)}))
	}
	for _, call := range a.calls() {
		put(a.line(object{"role": "assistant", "content": "", "tool_calls": []object{call}}))
	}
	put(a.last())
	return out
}

func (a ollamaAnswer) calls() []object {
	var out []object
	for i, c := range a.Calls {
		call := object{"function": object{"index": i, "name": c.Name, "arguments": c.Args}}
		if c.ID != "" {
			call["id"] = c.ID
		}
		out = append(out, call)
	}
	return out
}

func (a ollamaAnswer) line(message object) object {
	return object{"model": a.model, "created_at": "2026-01-02T03:04:05.678901234Z", "message": message, "done": false}
}

func (a ollamaAnswer) last() object {
	out := a.line(object{"role": "assistant", "content": ""})
	out["done"] = true
	out["done_reason"] = cmp.Or(a.Finish, "stop")
	out["total_duration"], out["load_duration"] = 5191566416, 2154458
	out["prompt_eval_count"], out["eval_count"] = a.Usage.Input, a.Usage.Output
	if a.Usage.CacheRead > 0 {
		out["prompt_eval_cached_count"] = a.Usage.CacheRead
	}
	return out
}
