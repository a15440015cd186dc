package llmtest

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"nacre/agent/llm"
)

// postTo sends one request to a path of a double.
func postTo(t *testing.T, h http.Handler, path, body string) (int, http.Header, string, error) {
	t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(t.Context(), method, "http://double"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := connect(t, h).Do(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, string(text), err
}

const (
	ollamaRest  = `"messages":[{"role":"system","content":"s"},{"role":"user","content":"a\n\nb\n\nNow: noon"}]}`
	ollamaAsk   = `{"model":"m","stream":true,` + ollamaRest
	ollamaTools = `{"model":"m","stream":true,"tools":[{"type":"function"}],` + ollamaRest
)

func TestOllamaStream(t *testing.T) {
	double := &Ollama{Strict: true, Tail: "Now: "}
	double.Push(Reply{Reasoning: "hm", Text: "so <so", Usage: llm.Usage{Input: 7, Output: 2, CacheRead: 5},
		Calls: []llm.ToolCall{{Name: "f", Args: []byte(`{"x":1}`)}, {ID: "call_1", Name: "g", Args: []byte(`{}`)}}})
	const head = `{"created_at":"2026-01-02T03:04:05.678901234Z","done":false,"message":`
	want := head + `{"content":"","role":"assistant","thinking":"hm"},"model":"m"}` + "\n" +
		head + `{"content":"so ","role":"assistant"},"model":"m"}` + "\n" +
		head + `{"content":"\u003cso","role":"assistant"},"model":"m"}` + "\n" +
		head + `{"content":"","role":"assistant","tool_calls":[{"function":{"arguments":{"x":1},"index":0,"name":"f"}}]},"model":"m"}` + "\n" +
		head + `{"content":"","role":"assistant","tool_calls":[{"function":{"arguments":{},"index":1,"name":"g"},"id":"call_1"}]},"model":"m"}` + "\n" +
		`{"created_at":"2026-01-02T03:04:05.678901234Z","done":true,"done_reason":"stop","eval_count":2,"load_duration":2154458,` +
		`"message":{"content":"","role":"assistant"},"model":"m","prompt_eval_cached_count":5,"prompt_eval_count":7,"total_duration":5191566416}` + "\n"
	code, header, body, err := postTo(t, double, "/api/chat", ollamaTools)
	if err != nil || code != 200 || header.Get("Content-Type") != "application/x-ndjson" || body != want {
		t.Errorf("got %d, %v\n%s\nwant\n%s", code, err, body, want)
	}
	if _, _, body, err := postTo(t, double, "/api/chat", ollamaAsk); err != nil || !strings.Contains(body, `"content":"a\nb"`) {
		t.Errorf("the echo is %s, %v", body, err)
	}
}

func TestOllamaAnswers(t *testing.T) {
	models := []OllamaModel{
		{Name: "m", Size: 5, Window: 8192, Capabilities: []string{"completion"}},
		{Name: "old"},
		{Name: "far", RemoteHost: "https://ollama.com"},
	}
	tests := []struct {
		name   string
		double Ollama
		reply  Reply
		path   string
		body   string
		status int
		want   string
	}{
		{"whole", Ollama{}, Reply{Text: "hi", Whole: true}, "/api/chat", ollamaAsk, 200, `"done":true,"done_reason":"stop","eval_count":1,"load_duration":2154458,"message":{"content":"hi"`},
		{"refused", Ollama{}, Reply{Status: 503, Message: "server busy"}, "/api/chat", ollamaAsk, 503, `{"error":"server busy"}`},
		{"broken off", Ollama{}, Reply{Text: "one two three", Break: true, Message: "died"}, "/api/chat", ollamaAsk, 200, `{"error":"died"}` + "\n"},
		{"no such model", Ollama{Models: models}, Reply{}, "/api/chat", `{"model":"x"}`, 404, `model 'x' not found`},
		{"no tools", Ollama{Models: models}, Reply{}, "/api/chat", ollamaTools, 400, "registry.ollama.ai/library/m does not support tools"},
		{"tools unasked", Ollama{Models: models}, Reply{Text: "hi"}, "/api/chat", ollamaAsk, 200, "hi"},
		{"arguments that are a string", Ollama{}, Reply{}, "/api/chat", `{"model":"m","messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}]}`, 400, "cannot unmarshal"},
		{"orphan", Ollama{Strict: true}, Reply{}, "/api/chat", `{"model":"m","messages":[{"role":"user","content":"a"},{"role":"tool","tool_name":"f","tool_call_id":"1"}]}`, 400, "a result of the tool"},
		{"nothing to answer", Ollama{Strict: true}, Reply{}, "/api/chat", `{"model":"m"}`, 400, "no messages"},
		{"tags", Ollama{Models: models}, Reply{}, "/api/tags", "", 200, `"name":"m","size":5}`},
		{"cloud tag", Ollama{Models: models}, Reply{}, "/api/tags", "", 200, `"name":"far","remote_host":"https://ollama.com"`},
		{"no tags", Ollama{}, Reply{}, "/api/tags", "", 200, `{"models":[]}`},
		{"show", Ollama{Models: models}, Reply{}, "/api/show", `{"model":"m"}`, 200, `{"capabilities":["completion"],"details":{"family":"double"},"license":"none","model_info":{"double.block_count":2,"double.context_length":8192,"general.architecture":"double"}}`},
		{"show of an old server", Ollama{Models: models}, Reply{}, "/api/show", `{"model":"old"}`, 200, `{"details"`},
		{"show nothing", Ollama{Models: models}, Reply{}, "/api/show", `{"model":"x"}`, 404, "not found"},
		{"other path", Ollama{}, Reply{}, "/api/generate", `{}`, 404, "404 page not found"},
	}
	for i := range tests {
		tt := &tests[i]
		t.Run(tt.name, func(t *testing.T) {
			tt.double.Push(tt.reply)
			code, _, body, err := postTo(t, &tt.double, tt.path, tt.body)
			if err != nil || code != tt.status || !strings.Contains(body, tt.want) {
				t.Errorf("got %d, %s, %v; want %d, %s", code, body, err, tt.status, tt.want)
			}
		})
	}
}

func TestOllamaCut(t *testing.T) {
	double := &Ollama{}
	double.Push(Reply{Text: "one two three", Cut: true})
	if _, _, body, err := postTo(t, double, "/api/chat", ollamaAsk); err == nil || !strings.Contains(body, "one") || strings.Contains(body, "three") {
		t.Errorf("got %s, %v", body, err)
	}
}
