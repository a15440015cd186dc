package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"nacre/agent/llm"
)

// Ollama is an http.Handler that speaks Ollama's own format at /api/chat,
// /api/tags and /api/show. Set the exported fields before it serves. The zero
// Ollama has every model, and each can do everything; it echoes.
type Ollama struct {
	Script
	Strict bool          // refuse with 400 what Check refuses, and results that do not name their tool
	Models []OllamaModel // all that it has, if set
	Tail   string        // how a request's Tail begins, which the echo leaves out
}

// OllamaModel is one model of the double.
type OllamaModel struct {
	Name         string
	Size         int64
	Window       int      // what it was trained for
	Capabilities []string // such as completion, tools and vision; nil as from a server that does not know them
	RemoteHost   string   // for a model of the cloud
}

// ServeHTTP implements http.Handler.
func (o *Ollama) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "POST /api/chat":
		o.chat(w, r)
	case "GET /api/tags":
		send(w, http.StatusOK, object{"models": o.tags()})
	case "POST /api/show":
		o.show(w, r)
	default:
		http.Error(w, "404 page not found", http.StatusNotFound)
	}
}

func (o *Ollama) chat(w http.ResponseWriter, r *http.Request) {
	body, err := o.receive(r)
	if err != nil {
		return
	}
	in, reply := o.reply(body)
	if reply.Gate.pass(r.Context()) != nil {
		return
	}
	answer := ollamaAnswer{reply, in.Model}
	switch {
	case reply.refuses():
		reply.refuse(w, object{"error": reply.Message})
	case in.Stream && !reply.Whole:
		answer.send(w, r)
	default:
		send(w, http.StatusOK, answer.whole())
	}
}

// reply returns the reply to a request. One that the server itself refuses
// takes none from the script.
func (o *Ollama) reply(body []byte) (ollamaChat, Reply) {
	var in ollamaChat
	if err := json.Unmarshal(body, &in); err != nil {
		return in, Reply{Status: http.StatusBadRequest, Message: err.Error()}
	}
	m := o.model(in.Model)
	switch {
	case m == nil:
		return in, Reply{Status: http.StatusNotFound, Message: fmt.Sprintf("model '%s' not found", in.Model)}
	case len(in.Tools) > 0 && o.Models != nil && !slices.Contains(m.Capabilities, "tools"):
		return in, Reply{Status: http.StatusBadRequest, Message: fmt.Sprintf("registry.ollama.ai/library/%s does not support tools", in.Model)}
	}
	req, err := in.request(o.Tail)
	if err == nil {
		err = Check(req)
	}
	if err != nil && o.Strict {
		return in, Reply{Status: http.StatusBadRequest, Message: err.Error()}
	}
	return in, o.next(req, body)
}

// model finds a model, nil if there is none of that name.
func (o *Ollama) model(name string) *OllamaModel {
	if o.Models == nil {
		return &OllamaModel{Name: name}
	}
	i := slices.IndexFunc(o.Models, func(m OllamaModel) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return &o.Models[i]
}

func (o *Ollama) tags() []object {
	out := []object{}
	for _, m := range o.Models {
		tag := object{"name": m.Name, "model": m.Name, "size": m.Size, "modified_at": "2026-01-02T03:04:05Z", "details": object{"family": "double"}}
		if m.RemoteHost != "" {
			tag["remote_host"] = m.RemoteHost
		}
		out = append(out, tag)
	}
	return out
}

func (o *Ollama) show(w http.ResponseWriter, r *http.Request) {
	var in struct{ Model string }
	err := json.NewDecoder(r.Body).Decode(&in)
	m := o.model(in.Model)
	if err != nil || m == nil {
		send(w, http.StatusNotFound, object{"error": fmt.Sprintf("model '%s' not found", in.Model)})
		return
	}
	info := object{
		"license": "none", "details": object{"family": "double"},
		"model_info": object{"general.architecture": "double", "double.context_length": m.Window, "double.block_count": 2},
	}
	if m.Capabilities != nil {
		info["capabilities"] = m.Capabilities
	}
	send(w, http.StatusOK, info)
}

// ollamaChat is the body of a request, as far as the double looks at it.
type ollamaChat struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
	Tools    []json.RawMessage `json:"tools"`
	Messages []ollamaMessage   `json:"messages"`
}

type ollamaMessage struct {
	Role       string   `json:"role"`
	Content    string   `json:"content"`
	Images     [][]byte `json:"images"`
	ToolName   string   `json:"tool_name"`
	ToolCallID string   `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string                     `json:"name"`
			Arguments map[string]json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// request is the conversation without its system messages. What the client
// merged is apart again, and the Tail left out.
func (c *ollamaChat) request(tail string) (llm.Request, error) {
	var req llm.Request
	names := map[string]string{} // of tools, by call
	for i, m := range c.Messages {
		switch m.Role {
		case "system":
		case "user":
			said := paragraphs(m.Content, tail)
			if len(said) == 0 && len(m.Images) > 0 {
				said = []llm.Message{{Role: llm.User}}
			}
			for _, data := range m.Images {
				said[0].Images = append(said[0].Images, llm.Image{Data: data})
			}
			req.Messages = append(req.Messages, said...)
		default:
			out := llm.Message{Role: llm.Role(m.Role), Text: m.Content, CallID: m.ToolCallID}
			for _, t := range m.ToolCalls {
				names[t.ID] = t.Function.Name
				out.Calls = append(out.Calls, llm.ToolCall{ID: t.ID, Name: t.Function.Name, Args: json.RawMessage(marshal(t.Function.Arguments))})
			}
			if m.Role == "tool" && (m.ToolName == "" || m.ToolName != names[m.ToolCallID]) {
				return req, fmt.Errorf("messages[%d]: a result of the tool %q for the call %q", i, m.ToolName, m.ToolCallID)
			}
			req.Messages = append(req.Messages, out)
		}
	}
	return req, nil
}
