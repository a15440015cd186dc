package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre/agent/llm"
	"nacre/gateway/gatewaytest"
)

// post sends one request as a client would and returns the answer as it came.
func post(t *testing.T, client *http.Client, url, body string) (*http.Response, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer key")
	resp, err := client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp, string(text), err
}

const (
	rest     = `"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"a"},{"role":"assistant","content":"x"},{"role":"user","content":"b\n\nc\n\nIt is noon.\n\nBe brief."}]}`
	plain    = `{` + rest
	streamed = `{"stream":true,"stream_options":{"include_usage":true},` + rest
	orphan   = `{"model":"m","messages":[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"1","content":"x"}]}`
)

// connect returns a client whose every request goes to h, over pipes.
func connect(t testing.TB, h http.Handler) *http.Client {
	network := gatewaytest.NewPipeNet()
	network.Serve(t, h)
	transport := &http.Transport{DialContext: network.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func TestOpenAIStream(t *testing.T) {
	double := &OpenAI{Tail: "It is"}
	server := httptest.NewServer(double)
	defer server.Close()
	resp, body, err := post(t, server.Client(), server.URL, streamed)
	if err != nil || resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("got %v, %v", resp, err)
	}
	const head = `{"choices":[{"delta":`
	const tail = `,"index":0}],"created":1,"id":"chatcmpl-double","model":"m","object":"chat.completion.chunk"}` + "\n\n"
	want := `data: ` + head + `{"content":"","role":"assistant"},"finish_reason":null` + tail +
		`data: ` + head + `{"content":"echo: "},"finish_reason":null` + tail +
		`data: ` + head + `{"content":"b\nc"},"finish_reason":null` + tail +
		`data: ` + head + `{},"finish_reason":"stop"` + tail +
		`data: {"choices":[],"created":1,"id":"chatcmpl-double","model":"m","object":"chat.completion.chunk","usage":` +
		`{"completion_tokens":3,"prompt_tokens":60,"prompt_tokens_details":{"cached_tokens":0},"total_tokens":63}}` + "\n\ndata: [DONE]\n\n"
	if body != want {
		t.Errorf("got\n%s\nwant\n%s", body, want)
	}
	if got := double.Received(); len(got) != 1 || string(got[0].Body) != streamed || got[0].Header.Get("Authorization") != "Bearer key" {
		t.Errorf("recorded %+v", got)
	}
}

func TestOpenAIWhole(t *testing.T) {
	for _, tt := range []struct{ name, body string }{{"asked for", plain}, {"against the wish", streamed}} {
		double := &OpenAI{}
		double.Push(Reply{Text: "hi", Whole: true, Reasoning: "hm", Calls: []llm.ToolCall{{ID: "1", Name: "f", Args: json.RawMessage(`{}`)}}})
		client := connect(t, double)
		resp, body, err := post(t, client, "http://double", tt.body)
		const want = `{"choices":[{"finish_reason":"tool_calls","index":0,"message":{"content":"hi","reasoning_content":"hm","role":"assistant",` +
			`"tool_calls":[{"function":{"arguments":"{}","name":"f"},"id":"1","type":"function"}]}}],`
		if err != nil || resp.Header.Get("Content-Type") != "application/json" || !strings.HasPrefix(body, want) {
			t.Errorf("%s: got %s, %v", tt.name, body, err)
		}
	}
}

func TestOpenAIFragments(t *testing.T) {
	double := &OpenAI{}
	double.Push(Reply{Text: "a🎩", Halves: true, CRLF: true, Comments: true, Calls: []llm.ToolCall{{ID: "1", Name: "f", Args: json.RawMessage(`{"x":1}`)}}})
	client := connect(t, double)
	_, body, err := post(t, client, "http://double", streamed)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"content":"\u0061"`, `"content":"\ud83c"`, `"content":"\udfa9"`,
		`"function":{"arguments":"","name":"f"},"id":"1"`, `"function":{"arguments":"{\"x\":"},"index":0`, `"function":{"arguments":"1}"}`,
		": OPENROUTER PROCESSING\r\n\r\ndata: [DONE]\r\n\r\n",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	if strings.Count(body, "\n") != strings.Count(body, "\r\n") {
		t.Error("some lines end without a carriage return")
	}
}

func TestOpenAIRefusals(t *testing.T) {
	tests := []struct {
		name   string
		double OpenAI
		reply  Reply
		body   string
		status int
		want   string
	}{
		{"too many", OpenAI{}, Reply{Status: 429, RetryAfter: "7", Message: "slow down", Code: "rate_limit"}, plain, 429, `{"error":{"code":"rate_limit","message":"slow down","type":"double_error"}}`},
		{"overloaded", OpenAI{}, Reply{Status: 529}, streamed, 529, `"type":"double_error"`},
		{"web page", OpenAI{}, Reply{Status: 502, HTML: true}, streamed, 502, "<html>"},
		{"other key", OpenAI{Key: "other"}, Reply{}, plain, 401, "Incorrect API key provided: key"},
		{"no JSON", OpenAI{}, Reply{}, "{", 400, "invalid_request_error"},
		{"no model", OpenAI{}, Reply{}, `{"messages":[{"role":"user","content":"a"}]}`, 400, "model"},
		{"no messages", OpenAI{}, Reply{}, `{"model":"m"}`, 400, "messages"},
		{"orphan", OpenAI{Strict: true}, Reply{}, orphan, 400, `unknown call`},
		{"two of the user", OpenAI{Strict: true}, Reply{}, `{"model":"m","messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]}`, 400, "must alternate"},
		{"arguments that are no object", OpenAI{Strict: true}, Reply{}, `{"model":"m","messages":[{"role":"user","content":"a"},` +
			`{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":"x"}}]},{"role":"tool","tool_call_id":"1","content":"y"}]}`, 400, "are no object"},
		{"a part of another kind", OpenAI{}, Reply{}, `{"model":"m","messages":[{"role":"user","content":[{"type":"input_audio"}]}]}`, 400, "input_audio"},
		{"an image by its address", OpenAI{}, Reply{}, `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.org/a.png"}}]}]}`, 400, "image_url"},
		{"an image of the assistant", OpenAI{Strict: true}, Reply{}, `{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"}]},{"role":"user","content":"a"}]}`, 400, "assistant"},
		{"long cache key", OpenAI{}, Reply{}, `{"prompt_cache_key":"` + strings.Repeat("x", 65) + `",` + rest, 400, "prompt_cache_key"},
		{"empty cache key", OpenAI{}, Reply{}, `{"prompt_cache_key":"",` + rest, 400, "prompt_cache_key"},
		{"cache key", OpenAI{Tail: "It is"}, Reply{}, `{"prompt_cache_key":"k",` + rest, 200, "echo: b\\nc\""},
		{"an image", OpenAI{Strict: true}, Reply{}, `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}]}`, 200, "echo: [image]"},
		{"text and an image", OpenAI{Strict: true}, Reply{}, `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,AA=="}}]}]}`, 200, "echo: look"},
		{"orphan, unchecked", OpenAI{}, Reply{}, orphan, 200, "echo: a"},
		{"right key", OpenAI{Key: "key", Strict: true}, Reply{}, plain, 200, "echo: b"},
	}
	for i := range tests {
		tt := &tests[i]
		t.Run(tt.name, func(t *testing.T) {
			tt.double.Push(tt.reply)
			client := connect(t, &tt.double)
			resp, body, err := post(t, client, "http://double", tt.body)
			if err != nil || resp.StatusCode != tt.status || !strings.Contains(body, tt.want) || resp.Header.Get("Retry-After") != tt.reply.RetryAfter {
				t.Errorf("got %v %s, %v", resp, body, err)
			}
			if len(tt.double.Received()) != 1 {
				t.Error("the request was not recorded")
			}
		})
	}
}

func TestOpenAIOtherPath(t *testing.T) {
	double := &OpenAI{}
	w := httptest.NewRecorder()
	double.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/responses", strings.NewReader(plain)))
	if w.Code != 404 || len(double.Received()) != 0 {
		t.Errorf("got %d", w.Code)
	}
}

// A request that the server itself refuses leaves the script alone.
func TestOpenAIScript(t *testing.T) {
	double := &OpenAI{Strict: true}
	double.Push(Reply{Text: "first"}, Reply{Text: "second"})
	client := connect(t, double)
	for i, tt := range []struct{ body, want string }{{plain, "first"}, {orphan, "unknown call"}, {plain, "second"}, {plain, "echo: b"}} {
		if _, body, err := post(t, client, "http://double", tt.body); err != nil || !strings.Contains(body, tt.want) {
			t.Errorf("request %d: got %s, %v; want %q", i, body, err, tt.want)
		}
	}
}

func TestOpenAIBreaks(t *testing.T) {
	double := &OpenAI{}
	double.Push(Reply{Text: "one two three", Cut: true}, Reply{Text: "one two three", Break: true, Message: "busy", Code: "overloaded"})
	client := connect(t, double)
	if _, body, err := post(t, client, "http://double", streamed); err == nil || !strings.Contains(body, "one") || strings.Contains(body, "three") {
		t.Errorf("cut: got %s, %v", body, err)
	}
	_, body, err := post(t, client, "http://double", streamed)
	if err != nil || !strings.HasSuffix(body, `data: {"error":{"code":"overloaded","message":"busy"}}`+"\n\n") || strings.Contains(body, "three") {
		t.Errorf("broken: got %s, %v", body, err)
	}
}

// The double waits on the clock of a synctest bubble.
func TestOpenAITimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := NewGate()
		double := &OpenAI{}
		double.Push(Reply{Gate: gate, Text: "one", Pause: time.Hour})
		client := connect(t, double)
		start := time.Now()
		go func() {
			<-gate.Reached()
			time.Sleep(time.Minute)
			gate.Open()
		}()
		_, body, err := post(t, client, "http://double", streamed)
		if err != nil || !strings.Contains(body, "one") || time.Since(start) != 5*time.Hour+time.Minute {
			t.Errorf("got %s, %v after %v", body, err, time.Since(start))
		}
	})
}
