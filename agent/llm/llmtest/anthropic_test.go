package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"nacre/agent/llm"
)

// tell sends one request to the Anthropic double and returns the answer.
func tell(t *testing.T, double *Anthropic, version, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://double/v1/messages", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("x-api-key", "key")
	req.Header.Set("anthropic-version", version)
	resp, err := connect(t, double).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var text strings.Builder
	if _, err := io.Copy(&text, resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, text.String()
}

// turns is a request with these messages.
func turns(messages string) string {
	return `{"model":"m","max_tokens":9,"messages":[` + messages + `]}`
}

const (
	hi      = `{"role":"user","content":[{"type":"text","text":"hi"}]}`
	uses    = `{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{}},{"type":"tool_use","id":"2","name":"f","input":{}}]}`
	results = `{"type":"tool_result","tool_use_id":"1","content":"x"},{"type":"tool_result","tool_use_id":"2"}`
)

func TestAnthropicRefusals(t *testing.T) {
	said := func(role, blocks string) string { return `{"role":"` + role + `","content":[` + blocks + `]}` }
	word := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	mark := func(s string) string {
		return `{"type":"text","text":"` + s + `","cache_control":{"type":"ephemeral"}}`
	}
	image := func(kind, data string) string {
		return `{"type":"image","source":{"type":"base64","media_type":"` + kind + `","data":"` + data + `"}}`
	}
	tests := []struct {
		name, body, want string // want: part of the refusal; empty if it is accepted
	}{
		{"plain", turns(hi), ""},
		{"same role twice", turns(hi + "," + hi), ""},
		{"no model", `{"max_tokens":9,"messages":[` + hi + `]}`, "model: Field required"},
		{"no max_tokens", `{"model":"m","messages":[` + hi + `]}`, "max_tokens: Field required"},
		{"no messages", turns(""), "at least one message"},
		{"no JSON", "{", "unexpected end"},
		{"assistant first", turns(said("assistant", word("a")) + "," + hi), "first and the last"},
		{"assistant last", turns(hi + "," + said("assistant", word("a"))), "first and the last"},
		{"system role", turns(said("system", word("a")) + "," + hi), "role"},
		{"empty message", turns(said("user", "")), "non-empty content"},
		{"empty text", turns(said("user", word(""))), "non-whitespace"},
		{"blank text", turns(said("user", word(` \n`))), "non-whitespace"},
		{"blank system", `{"system":[` + word("") + `],` + turns(hi)[1:], "system: "},
		{"system image", `{"system":[` + image("image/png", "AA==") + `],` + turns(hi)[1:], "system: "},
		{"unknown block", turns(said("user", `{"type":"audio"}`)), "unknown block type"},
		{"image", turns(said("user", image("image/png", "AA=="))), ""},
		{"image without data", turns(said("user", image("image/png", ""))), "image"},
		{"image of another kind", turns(said("user", image("image/bmp", "AA=="))), "image"},
		{"image of the assistant", turns(hi + "," + said("assistant", image("image/png", "AA==")) + "," + hi), "unexpected block"},
		{"pair", turns(hi + "," + uses + "," + said("user", results)), ""},
		{"pair and text", turns(hi + "," + uses + "," + said("user", results+","+word("b"))), ""},
		{"pair in two messages", turns(hi + "," + uses + "," + said("user", results) + "," + hi), ""},
		{"text before the results", turns(hi + "," + uses + "," + said("user", word("b")+","+results)), "unexpected block"},
		{"text between", turns(hi + "," + uses + "," + hi + "," + said("user", results)), "without `tool_result`"},
		{"no result", turns(hi + "," + uses + "," + hi), "without `tool_result`"},
		{"one result", turns(hi + "," + uses + "," + said("user", strings.Split(results, ",{")[0])), "without `tool_result`"},
		{"result twice", turns(hi + "," + uses + "," + said("user", results+","+strings.Split(results, ",{")[0])), "unexpected `tool_use_id`"},
		{"orphan", turns(said("user", results)), "unexpected `tool_use_id`"},
		{"orphan after an answer", turns(hi + "," + said("assistant", word("a")) + "," + said("user", results)), "unexpected `tool_use_id`"},
		{"ids used again", turns(hi + "," + uses + "," + said("user", results) + "," + uses + "," + said("user", results)), "unique"},
		{"input is text", turns(hi + "," + said("assistant", `{"type":"tool_use","id":"1","name":"f","input":"x"}`) + "," + hi), "dictionary"},
		{"odd id", turns(hi + "," + said("assistant", `{"type":"tool_use","id":"a.b","name":"f","input":{}}`) + "," + hi), "pattern"},
		{"odd name", turns(hi + "," + said("assistant", `{"type":"tool_use","id":"1","name":"f()","input":{}}`) + "," + hi), "pattern"},
		{"call of the user", turns(said("user", `{"type":"tool_use","id":"1","name":"f","input":{}}`)), "unexpected block"},
		{"thinking", turns(hi + "," + said("assistant", `{"type":"thinking","thinking":"hm","signature":"`+sign("hm", "")+`"},`+word("a")) + "," + hi), ""},
		{"thinking changed", turns(hi + "," + said("assistant", `{"type":"thinking","thinking":"ha","signature":"`+sign("hm", "")+`"},`+word("a")) + "," + hi), "signature"},
		{"thinking marked", turns(hi + "," + said("assistant", `{"type":"redacted_thinking","data":"x","cache_control":{}},`+word("a")) + "," + hi), "cache_control"},
		{"four marks", `{"system":[` + mark("s") + `],` + turns(said("user", mark("a")+","+mark("b")+","+mark("c")))[1:], ""},
		{"five marks", `{"tools":[{"name":"f","input_schema":{},"cache_control":{}}],"system":[` + mark("s") + `],` + turns(said("user", mark("a")+","+mark("b")+","+mark("c")))[1:], "at most 4"},
		{"tool without a schema", `{"tools":[{"name":"f"}],` + turns(hi)[1:], "tools.0"},
		{"tool with an odd name", `{"tools":[{"name":"f g","input_schema":{}}],` + turns(hi)[1:], "tools.0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := &Anthropic{}
			double.Push(Reply{Text: "accepted"})
			status, body := tell(t, double, anthropicVersion, tt.body)
			if tt.want == "" && (status != 200 || !strings.Contains(body, "accepted")) {
				t.Errorf("got %d %s; want it accepted", status, body)
			}
			if tt.want != "" && (status != 400 || !strings.Contains(body, `"type":"invalid_request_error"`) || !strings.Contains(body, tt.want)) {
				t.Errorf("got %d %s; want %q", status, body, tt.want)
			}
			if len(double.Received()) != 1 {
				t.Error("the request was not recorded")
			}
		})
	}
}

func TestAnthropicHeaders(t *testing.T) {
	for _, tt := range []struct {
		name, version string
		double        *Anthropic
		status        int
		want          string
	}{
		{"right", anthropicVersion, &Anthropic{Key: "key"}, 200, "echo: hi"},
		{"other key", anthropicVersion, &Anthropic{Key: "other"}, 401, "authentication_error"},
		{"other version", "2020-01-01", &Anthropic{}, 400, "anthropic-version"},
		{"no version", "", &Anthropic{}, 400, "anthropic-version"},
	} {
		if status, body := tell(t, tt.double, tt.version, turns(hi)); status != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%s: got %d %s", tt.name, status, body)
		}
	}
	w := httptest.NewRecorder()
	new(Anthropic).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/complete", strings.NewReader(turns(hi))))
	if w.Code != 404 || !strings.Contains(w.Body.String(), "not_found_error") {
		t.Errorf("another path: got %d %s", w.Code, w.Body)
	}
}

func TestAnthropicStream(t *testing.T) {
	double := &Anthropic{Tail: "It is"}
	double.Push(Reply{}, Reply{Reasoning: "hm", Text: "a", Calls: []llm.ToolCall{{ID: "1", Name: "f", Args: json.RawMessage(`{"x":1}`)}},
		Usage: llm.Usage{Input: 10, Output: 3, CacheRead: 4, CacheWrite: 5}})
	body := `{"stream":true,` + turns(`{"role":"user","content":[{"type":"text","text":"b"},{"type":"text","text":"c"},{"type":"text","text":"It is noon."}]}`)[1:]
	const want = `event: message_start
data: {"message":{"content":[],"id":"msg_double","model":"m","role":"assistant","stop_reason":null,"stop_sequence":null,"type":"message","usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"input_tokens":43,"output_tokens":1}},"type":"message_start"}

event: ping
data: {"type":"ping"}

event: content_block_start
data: {"content_block":{"text":"","type":"text"},"index":0,"type":"content_block_start"}

event: content_block_delta
data: {"delta":{"text":"echo: ","type":"text_delta"},"index":0,"type":"content_block_delta"}

event: content_block_delta
data: {"delta":{"text":"b\nc","type":"text_delta"},"index":0,"type":"content_block_delta"}

event: content_block_stop
data: {"index":0,"type":"content_block_stop"}

event: message_delta
data: {"delta":{"stop_reason":"end_turn","stop_sequence":null},"type":"message_delta","usage":{"output_tokens":3}}

event: message_stop
data: {"type":"message_stop"}

`
	if _, got := tell(t, double, anthropicVersion, body); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	_, got := tell(t, double, anthropicVersion, body)
	for _, part := range []string{
		`"usage":{"cache_creation_input_tokens":5,"cache_read_input_tokens":4,"input_tokens":1,"output_tokens":1}`,
		`"delta":{"thinking":"hm","type":"thinking_delta"},"index":0`, `"delta":{"signature":"` + digest("hm") + `.`,
		`"content_block":{"id":"1","input":{},"name":"f","type":"tool_use"},"index":2`, `"delta":{"partial_json":"{\"x\":","type":"input_json_delta"},"index":2`,
		`"stop_reason":"tool_use"`, `"usage":{"output_tokens":3}`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("no %s in\n%s", part, got)
		}
	}
}
