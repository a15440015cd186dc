package llmtest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
)

// anthropicAnswer makes the answers of Anthropic's format to one request.
type anthropicAnswer struct {
	Reply
	model  string
	prefix string // what the answer follows
}

// sign is the signature with which the double tells its own reasoning, and
// after a dot what that was made after.
func sign(thinking, prefix string) string { return digest(thinking) + "." + digest(prefix) }

func digest(s string) string {
	sum := sha256.Sum256([]byte("double" + s))
	return hex.EncodeToString(sum[:8])
}

// whole is the answer to a request without a stream.
func (a anthropicAnswer) whole() object {
	var content []object
	if a.Reasoning != "" {
		content = append(content, object{"type": "thinking", "thinking": a.Reasoning, "signature": sign(a.Reasoning, a.prefix)})
	}
	if a.Text != "" {
		content = append(content, object{"type": "text", "text": a.Text})
	}
	for _, c := range a.Calls {
		content = append(content, object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": c.Args})
	}
	return a.message(content, a.finish(), a.counts())
}

func (a anthropicAnswer) message(content []object, finish any, usage object) object {
	if content == nil {
		content = []object{}
	}
	return object{"id": "msg_double", "type": "message", "role": "assistant", "model": a.model, "content": content,
		"stop_reason": finish, "stop_sequence": nil, "usage": usage}
}

func (a anthropicAnswer) send(w http.ResponseWriter, r *http.Request) {
	broken := a.Reply
	broken.Code = cmp.Or(a.Code, "overloaded_error")
	a.stream(w, r, "text/event-stream", a.events(), frame("error", anthropicError(broken)))
}

// frame is one event as it goes over the wire.
func frame(name string, data object) string {
	data["type"] = name
	return "event: " + name + "\ndata: " + marshal(data) + "\n\n"
}

// events are the stream, from message_start to message_stop.
func (a anthropicAnswer) events() []string {
	begin := a.counts()
	begin["output_tokens"] = 1
	out := []string{frame("message_start", object{"message": a.message(nil, nil, begin)}), frame("ping", object{})}
	index := 0
	block := func(start object, deltas ...object) {
		out = append(out, frame("content_block_start", object{"index": index, "content_block": start}))
		for _, d := range deltas {
			out = append(out, frame("content_block_delta", object{"index": index, "delta": d}))
		}
		out = append(out, frame("content_block_stop", object{"index": index}))
		index++
	}
	if a.Reasoning != "" {
		block(object{"type": "thinking", "thinking": "", "signature": ""},
			object{"type": "thinking_delta", "thinking": a.Reasoning}, object{"type": "signature_delta", "signature": sign(a.Reasoning, a.prefix)})
	}
	if a.Text != "" {
		block(object{"type": "text", "text": ""}, a.textDeltas()...)
	}
	for _, c := range a.Calls {
		deltas := []object{{"type": "input_json_delta", "partial_json": ""}}
		for piece := range strings.SplitAfterSeq(string(c.Args), ":") {
			deltas = append(deltas, object{"type": "input_json_delta", "partial_json": piece})
		}
		block(object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}}, deltas...)
	}
	end := frame("message_delta", object{"delta": object{"stop_reason": a.finish(), "stop_sequence": nil}, "usage": object{"output_tokens": a.Usage.Output}})
	return append(out, end, frame("message_stop", object{}))
}

func (a anthropicAnswer) textDeltas() []object {
	var out []object
	for _, literal := range a.literals() {
		out = append(out, object{"type": "text_delta", "text": json.RawMessage(literal)})
	}
	return out
}

func (a anthropicAnswer) finish() string {
	if a.Finish == "" && len(a.Calls) > 0 {
		return "tool_use"
	}
	return cmp.Or(a.Finish, "end_turn")
}

// counts leaves cached tokens out of the input, as the API does.
func (a anthropicAnswer) counts() object {
	u := a.Usage
	return object{
		"input_tokens":                u.Input - u.CacheRead - u.CacheWrite,
		"cache_read_input_tokens":     u.CacheRead,
		"cache_creation_input_tokens": u.CacheWrite,
		"output_tokens":               u.Output,
	}
}
