package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"nacre/agent/llm"
)

// delta is an event whose delta is the given JSON.
func delta(d string) string { return `{"choices":[{"index":0,"delta":` + d + `}]}` }

func contents(literals ...string) string {
	var events []string
	for _, l := range literals {
		events = append(events, delta(`{"content":`+l+`}`))
	}
	return stream(append(events, end)...)
}

func TestText(t *testing.T) {
	tests := []struct {
		name     string
		literals []string
		want     string
	}{
		{"joined", []string{`"a"`, `"b"`, `""`, `null`, `"c"`}, "abc"},
		{"escapes", []string{`"a\n\"b\"\\"`, `"\u00e9\t"`}, "a\n\"b\"\\é\t"},
		{"pair in one delta", []string{`"\ud83c\udfa9"`}, "🎩"},
		{"pair in two deltas", []string{`"hat \ud83c"`, `"\udfa9!"`}, "hat 🎩!"},
		{"pair with capitals", []string{`"\uD83C"`, `"\uDFA9"`}, "🎩"},
		{"pair around an empty delta", []string{`"\ud83c"`, `""`, `null`, `"\udfa9"`}, "🎩"},
		{"two pairs", []string{`"\ud83c"`, `"\udfa9\ud83c"`, `"\udfa9"`}, "🎩🎩"},
		{"lone first half", []string{`"\ud83c"`, `"x"`}, "\uFFFDx"},
		{"lone first half at the end", []string{`"x\ud83c"`}, "x\uFFFD"},
		{"lone second half", []string{`"\udfa9"`, `"x"`}, "\uFFFDx"},
		{"first half twice", []string{`"\ud83c"`, `"\ud83c"`, `"\udfa9"`}, "\uFFFD🎩"},
		{"escaped backslash", []string{`"\\ud83c"`, `"\\udfa9"`}, `\ud83c\udfa9`},
		{"escaped backslash and a half", []string{`"\\\ud83c"`, `"\udfa9"`}, `\🎩`},
		{"invalid bytes", []string{"\"a\xffb\""}, "a\uFFFDb"},

		{"thought", []string{`"<think>hm</think>yes"`}, "yes"},
		{"thought and blanks", []string{`"\n<think>\nhm\n</think>\n\n"`, `"\n yes "`, `" no"`}, "yes  no"},
		{"thought in pieces", []string{`"<"`, `"thi"`, `"nk>a"`, `"b</"`, `"thin"`, `"k>"`, `"yes"`}, "yes"},
		{"thought not closed", []string{`"<think>hm"`}, ""},
		{"thought alone", []string{`"<think>hm</think>"`}, ""},
		{"almost a thought", []string{`"<thi"`, `"s>"`}, "<this>"},
		{"almost a thought at the end", []string{`" <thi"`}, " <thi"},
		{"blanks only", []string{`"  "`, `"\n"`}, "  \n"},
		{"thought later", []string{`"yes <think>no</think>"`}, "yes <think>no</think>"},
		{"second thought", []string{`"<think>a</think>b<think>c</think>"`}, "b<think>c</think>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(strings.NewReader(contents(tt.literals...)), llm.Request{})
			if err != nil || got.Text != tt.want {
				t.Errorf("got %q, %v; want %q", got.Text, err, tt.want)
			}
		})
	}
}

func TestRefusalText(t *testing.T) {
	got, err := read(strings.NewReader(stream(delta(`{"refusal":"I can"}`), delta(`{"content":null,"refusal":"not."}`), end)), llm.Request{})
	if err != nil || got.Text != "I cannot." || got.Stop != llm.StopRefused {
		t.Errorf("got %+v, %v; want a refusal", got, err)
	}
}

func TestOtherReasoning(t *testing.T) {
	got, err := read(strings.NewReader(stream(delta(`{"reasoning":"hm","content":""}`), delta(`{"content":"yes"}`), end)), llm.Request{})
	if err != nil || got.Text != "yes" || got.Blob != nil {
		t.Errorf("got %+v, %v; want the text alone", got, err)
	}
}

func TestOtherChoices(t *testing.T) {
	got, err := read(strings.NewReader(stream(`{"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"yes"}}]}`, end)), llm.Request{})
	if err != nil || got.Text != "yes" {
		t.Errorf("got %q, %v; want the first choice", got.Text, err)
	}
}

func TestCalls(t *testing.T) {
	tests := []struct {
		name   string
		deltas []string // the fragments of each delta
		want   string   // name id args, a line each; "-" for a minted id
	}{
		{"fragments", []string{
			`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}`,
			`{"index":0,"function":{"arguments":"{\"x\""}}`,
			`{"index":0,"function":{"arguments":":1}"}}`,
		}, `f a {"x":1}`},
		{"parallel, interleaved", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}},{"index":1,"id":"b","function":{"name":"g","arguments":"{"}}`,
			`{"index":1,"function":{"arguments":"}"}}`,
			`{"index":0,"function":{"arguments":":1}"}}`,
		}, "f a {\"x\":1}\ng b {}"},
		{"id and name repeated", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}`,
			`{"index":0,"id":"a","function":{"name":"f","arguments":":1}"}}`,
		}, `f a {"x":1}`},
		{"name repeated without an id", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}`,
			`{"index":0,"function":{"name":"f","arguments":":1}"}}`,
		}, `f a {"x":1}`},
		{"id comes late", []string{
			`{"index":0,"function":{"name":"f"}}`,
			`{"index":0,"id":"a","function":{"arguments":"{}"}}`,
		}, `f a {}`},
		{"whole calls, same index", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`,
			`{"index":0,"id":"b","function":{"name":"f","arguments":"{}"}}`,
		}, "f a {}\nf b {}"},
		{"whole calls, same index, no id", []string{
			`{"index":0,"function":{"name":"f","arguments":"{}"}}`,
			`{"index":0,"function":{"name":"f","arguments":"{}"}}`,
		}, "f - {}\nf - {}"},
		{"changing ids, same index", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}`,
			`{"index":0,"id":"b","function":{"arguments":":1"}}`,
			`{"index":0,"id":"c","function":{"arguments":"}"}}`,
		}, `f a {"x":1}`},
		{"same index, found by id", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}},{"index":0,"id":"b","function":{"name":"g","arguments":"{"}}`,
			`{"index":0,"id":"a","function":{"arguments":"}"}},{"index":0,"id":"b","function":{"arguments":"}"}}`,
		}, "f a {}\ng b {}"},
		{"arguments as an object", []string{`{"index":0,"id":"a","function":{"name":"f","arguments":{"x":1}}}`}, `f a {"x":1}`},
		{"no index", []string{
			`{"id":"a","function":{"name":"f","arguments":"{\"x\""}}`,
			`{"function":{"arguments":":1}"}}`,
			`{"id":"b","function":{"name":"g","arguments":"{}"}}`,
		}, "f a {\"x\":1}\ng b {}"},
		{"no index, found by id", []string{
			`{"id":"a","function":{"name":"f","arguments":"{"}},{"id":"b","function":{"name":"g","arguments":"{"}}`,
			`{"id":"a","function":{"arguments":"}"}},{"id":"b","function":{"arguments":"}"}}`,
		}, "f a {}\ng b {}"},
		{"no index, no id", []string{
			`{"function":{"name":"f"}},{"function":{"name":"g"}}`,
		}, "f - {}\ng - {}"},
		{"duplicate id", []string{
			`{"index":0,"id":"a","function":{"name":"f"}},{"index":1,"id":"a","function":{"name":"g"}}`,
		}, "f a {}\ng - {}"},
		{"id of an earlier call", []string{
			`{"index":0,"id":"old","function":{"name":"f"}}`,
		}, "f - {}"},
		{"null arguments", []string{`{"index":0,"id":"a","function":{"name":"f","arguments":null}}`}, `f a {}`},
		{"arguments that are no JSON", []string{`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\": "}}`}, `f a {"x": `},
		{"emoji in two pieces", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":\"\ud83c"}}`,
			`{"index":0,"function":{"arguments":"\udfa9\"}"}}`,
		}, `f a {"x":"🎩"}`},
	}
	earlier := llm.Request{Messages: []llm.Message{{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "old", Name: "f"}}}}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var events []string
			for _, d := range tt.deltas {
				events = append(events, delta(`{"tool_calls":[`+d+`]}`))
			}
			got, err := read(strings.NewReader(stream(append(events, end)...)), earlier)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{"old": true}
			var lines []string
			for _, c := range got.Calls {
				if seen[c.ID] || c.ID == "" {
					t.Errorf("the id %q is not unique", c.ID)
				}
				seen[c.ID] = true
				id := c.ID
				if strings.HasPrefix(id, "call_") {
					id = "-"
				}
				lines = append(lines, c.Name+" "+id+" "+string(c.Args))
			}
			if s := strings.Join(lines, "\n"); s != tt.want {
				t.Errorf("got\n%s\nwant\n%s", s, tt.want)
			}
			if got.Stop != llm.StopTools {
				t.Errorf("stop is %q", got.Stop)
			}
		})
	}
}

func TestNamelessCall(t *testing.T) {
	_, err := read(strings.NewReader(stream(delta(`{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{}"}}]}`), end)), llm.Request{})
	if err == nil || !strings.Contains(err.Error(), "without a name") {
		t.Errorf("got %v; want an error", err)
	}
}

func TestUsage(t *testing.T) {
	tests := []struct {
		name, usage string
		want        llm.Usage
	}{
		{"OpenAI", `{"prompt_tokens":10,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":8}}`, llm.Usage{Input: 10, Output: 2, CacheRead: 8}},
		{"DeepSeek", `{"prompt_tokens":10,"completion_tokens":2,"prompt_cache_hit_tokens":7,"prompt_cache_miss_tokens":3}`, llm.Usage{Input: 10, Output: 2, CacheRead: 7}},
		{"OpenRouter", `{"prompt_tokens":10,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":6,"cache_write_tokens":3}}`, llm.Usage{Input: 10, Output: 2, CacheRead: 6, CacheWrite: 3}},
		{"Moonshot", `{"prompt_tokens":10,"completion_tokens":2,"cached_tokens":5}`, llm.Usage{Input: 10, Output: 2, CacheRead: 5}},
		{"Claude behind a proxy", `{"prompt_tokens":10,"completion_tokens":2,"cache_read_input_tokens":4,"cache_creation_input_tokens":1}`, llm.Usage{Input: 10, Output: 2, CacheRead: 4, CacheWrite: 1}},
		{"no details", `{"prompt_tokens":10,"completion_tokens":2,"prompt_tokens_details":null}`, llm.Usage{Input: 10, Output: 2}},
		{"null", `null`, llm.Usage{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(strings.NewReader(stream(hello, end, `{"choices":[],"usage":`+tt.usage+`}`, "[DONE]")), llm.Request{})
			if err != nil || got.Usage != tt.want {
				t.Errorf("got %+v, %v; want %+v", got.Usage, err, tt.want)
			}
		})
	}
}

// The reasoning that DeepSeek wants back is kept even when it is empty, and
// only where the server knows the field. No other server gets it.
func TestKeptReasoning(t *testing.T) {
	call := `"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]`
	tests := []struct{ name, delta, want string }{
		{"some", `{"reasoning_content":"hm",` + call + `}`, `{"origin":"openai@api.openai.com","reasoning_content":"hm"}`},
		{"none, but the field", `{"reasoning_content":null,` + call + `}`, `{"origin":"openai@api.openai.com","reasoning_content":""}`},
		{"no such field", `{` + call + `}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(strings.NewReader(stream(delta(tt.delta), end)), llm.Request{})
			if err != nil || string(got.Blob) != tt.want {
				t.Fatalf("got %s, %v; want %s", got.Blob, err, tt.want)
			}
			m := llm.Message{Role: llm.Assistant, Calls: got.Calls, Blob: got.Blob}
			for base, want := range map[string]bool{"": tt.want != "", "https://openrouter.ai/api/v1": false, "https://api.deepseek.com": true} {
				b, err := json.Marshal(New(Options{BaseURL: base}).message(&m))
				if sent := strings.Contains(string(b), `"reasoning_content":`); err != nil || sent != want {
					t.Errorf("sent to %q as %s, %v", base, b, err)
				}
			}
		})
	}
}

// The details that OpenRouter wants back are put together as they were before
// they were streamed, and are no part of the text.
func TestKeptDetails(t *testing.T) {
	const call = `"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]`
	tests := []struct {
		name   string
		deltas []string
		want   string
	}{
		{"signature", []string{`{"content":"","reasoning_details":[{"type":"reasoning.encrypted","id":"a","format":"google-gemini-v1","index":0,"data":"xyz"}],` + call + `}`},
			`[{"type":"reasoning.encrypted","id":"a","format":"google-gemini-v1","index":0,"data":"xyz"}]`},
		{"text in pieces", []string{
			`{"reasoning":"h","reasoning_details":[{"type":"reasoning.text","index":0,"text":"h"}]}`,
			`{"reasoning":"m","reasoning_details":[{"type":"reasoning.text","index":0,"text":"m"}]}`,
			`{"reasoning_details":[{"type":"reasoning.text","index":0,"signature":"abc"},{"type":"reasoning.text","index":1,"text":"more"}]}`,
			`{"reasoning_details":[{"type":"reasoning.encrypted","index":1,"data":"x"},{"type":"reasoning.encrypted","index":1,"data":"y"}],` + call + `}`},
			`[{"type":"reasoning.text","index":0,"text":"hm","signature":"abc"},{"type":"reasoning.text","index":1,"text":"more"},` +
				`{"type":"reasoning.encrypted","index":1,"data":"x"},{"type":"reasoning.encrypted","index":1,"data":"y"}]`},
		{"of an unknown form", []string{`{"reasoning_details":{"a":1},` + call + `}`}, ""},
		{"without calls", []string{`{"reasoning_details":[{"type":"reasoning.text","text":"h"}]}`}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var events []string
			for _, d := range tt.deltas {
				events = append(events, delta(d))
			}
			got, err := read(strings.NewReader(stream(append(events, end)...)), llm.Request{})
			want := ""
			if tt.want != "" {
				want = `{"origin":"openai@api.openai.com","reasoning_details":` + tt.want + `}`
			}
			if err != nil || got.Text != "" || string(got.Blob) != want {
				t.Fatalf("got %+v with %s, %v; want %s", got, got.Blob, err, want)
			}
			if tt.want == "" {
				return
			}
			m := llm.Message{Role: llm.Assistant, Calls: got.Calls, Blob: got.Blob}
			for base, sent := range map[string]bool{"": true, "https://openrouter.ai/api/v1": false} {
				b, err := json.Marshal(New(Options{BaseURL: base}).message(&m))
				if err != nil || strings.Contains(string(b), `"reasoning_details":`+tt.want) != sent {
					t.Errorf("sent to %q as %s, %v", base, b, err)
				}
			}
		})
	}
}
