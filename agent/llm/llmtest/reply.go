package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf16"
)

type object = map[string]any

func send(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func (r Reply) refuse(w http.ResponseWriter) {
	if r.RetryAfter != "" {
		w.Header().Set("Retry-After", r.RetryAfter)
	}
	if r.HTML {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(r.Status)
		fmt.Fprintf(w, "<html><body><h1>%d</h1><hr>proxy</body></html>\n", r.Status)
		return
	}
	send(w, r.Status, object{"error": object{"message": r.Message, "type": "double_error", "code": r.Code}})
}

// whole is the answer to a request without a stream.
func (r Reply) whole(in completion) object {
	message := object{"role": "assistant", "content": r.Text}
	if r.Reasoning != "" {
		message["reasoning_content"] = r.Reasoning
	}
	if len(r.Calls) > 0 {
		message["tool_calls"] = r.calls()
	}
	out := r.envelope("chat.completion", in, object{"index": 0, "message": message, "finish_reason": r.finish()})
	out["usage"] = r.usage()
	return out
}

// stream sends the answer event by event, with the faults of r.
func (r Reply) stream(w http.ResponseWriter, req *http.Request, in completion) {
	w.Header().Set("Content-Type", "text/event-stream")
	events := r.events(in)
	for i, e := range events {
		if !r.pause(req) {
			return
		}
		half := i == len(events)/2
		if half && r.Cut {
			panic(http.ErrAbortHandler)
		}
		if half && r.Break {
			e = marshal(object{"error": object{"message": r.Message, "code": r.Code}})
		}
		r.write(w, e)
		if half && r.Break {
			return
		}
	}
}

// pause waits before an event; false means that the client has gone.
func (r Reply) pause(req *http.Request) bool {
	if r.Pause == 0 {
		return true
	}
	select {
	case <-time.After(r.Pause):
		return true
	case <-req.Context().Done():
		return false
	}
}

func (r Reply) write(w http.ResponseWriter, event string) {
	text := "data: " + event + "\n\n"
	if r.Comments {
		text = ": OPENROUTER PROCESSING\n\n" + text
	}
	if r.CRLF {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	w.Write([]byte(text))
	w.(http.Flusher).Flush()
}

// events are the data of the stream, from the role to [DONE].
func (r Reply) events(in completion) []string {
	var out []string
	add := func(delta object, finish any) {
		out = append(out, marshal(r.envelope("chat.completion.chunk", in, object{"index": 0, "delta": delta, "finish_reason": finish})))
	}
	add(object{"role": "assistant", "content": ""}, nil)
	if r.Reasoning != "" {
		add(object{"reasoning_content": r.Reasoning, "content": nil}, nil)
	}
	for _, literal := range r.literals() {
		add(object{"content": json.RawMessage(literal)}, nil)
	}
	for i, c := range r.Calls {
		add(object{"tool_calls": []object{{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": ""}}}}, nil)
		for piece := range strings.SplitAfterSeq(string(c.Args), ":") {
			add(object{"tool_calls": []object{{"index": i, "function": object{"arguments": piece}}}}, nil)
		}
	}
	add(object{}, r.finish())
	if in.StreamOptions.IncludeUsage {
		last := r.envelope("chat.completion.chunk", in)
		last["usage"] = r.usage()
		out = append(out, marshal(last))
	}
	return append(out, "[DONE]")
}

// literals are the JSON strings of the text deltas: a word each, or with
// Halves a UTF-16 unit each.
func (r Reply) literals() []string {
	var out []string
	if r.Halves {
		for _, unit := range utf16.Encode([]rune(r.Text)) {
			out = append(out, fmt.Sprintf(`"\u%04x"`, unit))
		}
		return out
	}
	for piece := range strings.SplitAfterSeq(r.Text, " ") {
		out = append(out, marshal(piece))
	}
	return out
}

func (r Reply) calls() []object {
	var out []object
	for _, c := range r.Calls {
		out = append(out, object{"id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": string(c.Args)}})
	}
	return out
}

func (r Reply) finish() string {
	if r.Finish == "" && len(r.Calls) > 0 {
		return "tool_calls"
	}
	return cmp.Or(r.Finish, "stop")
}

func (r Reply) usage() object {
	return object{
		"prompt_tokens":         r.Usage.Input,
		"completion_tokens":     r.Usage.Output,
		"total_tokens":          r.Usage.Input + r.Usage.Output,
		"prompt_tokens_details": object{"cached_tokens": r.Usage.CacheRead},
	}
}

func (r Reply) envelope(kind string, in completion, choices ...object) object {
	if choices == nil {
		choices = []object{}
	}
	return object{"id": "chatcmpl-double", "object": kind, "created": 1, "model": in.Model, "choices": choices}
}

// marshal encodes what is made of plain values and cannot fail.
func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
