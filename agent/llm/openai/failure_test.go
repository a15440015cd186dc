package openai

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"nacre/agent/llm"
)

func TestComplaint(t *testing.T) {
	tests := []struct {
		name   string
		status int
		body   string
		cause  llm.Cause
		words  string
	}{
		{"OpenAI", 400, `{"error":{"message":"bad","type":"invalid_request_error","param":"x","code":null}}`, llm.BadRequest, "bad"},
		{"OpenAI window", 400, `{"error":{"message":"Your input exceeds the context window of this model.","type":"invalid_request_error"}}`, llm.TooLong, "Your input exceeds the context window of this model."},
		{"OpenAI tokens per minute", 429, `{"error":{"message":"Request too large: please reduce the length","code":"rate_limit_exceeded"}}`, llm.Overloaded, "Request too large: please reduce the length"},
		{"DeepSeek", 402, `{"error":{"message":"Insufficient Balance"}}`, llm.Billing, "Insufficient Balance"},
		{"Ollama", 404, `{"error":"model 'x' not found"}`, llm.BadRequest, "model 'x' not found"},
		{"vLLM", 400, `{"object":"error","message":"The decoder prompt is longer than the maximum model length of 10","type":"BadRequestError","code":400}`, llm.TooLong, "The decoder prompt is longer than the maximum model length of 10"},
		{"llama.cpp", 400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, llm.TooLong, "the request exceeds the available context size"},
		{"llama.cpp, older", 500, `{"error":{"code":500,"message":"the request exceeds the available context size"}}`, llm.TooLong, "the request exceeds the available context size"},
		{"llama.cpp loading", 503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`, llm.Overloaded, "Loading model"},
		{"timeout", 408, `{}`, llm.Overloaded, ""},
		{"quotes the request", 422, `{"detail":[{"msg":"bad","input":"my secret diary"}]}`, llm.BadRequest, ""},
		{"no JSON", 400, `my secret diary`, llm.BadRequest, ""},
		{"odd types", 400, `{"error":{"message":{"a":1},"code":[1]}}`, llm.BadRequest, ""},
		{"null", 500, `{"error":null}`, llm.Overloaded, ""},
		{"stream, number", 0, `{"error":{"message":"bad gateway","code":502}}`, llm.Overloaded, "bad gateway"},
		{"stream, refused key", 0, `{"error":{"message":"no","code":401}}`, llm.Refused, "no"},
		{"stream, unknown", 0, `{"error":{"message":"hm","code":"odd"}}`, llm.Overloaded, "hm"},
		{"stream, our fault", 0, `{"error":{"message":"hm","type":"invalid_request_error"}}`, llm.BadRequest, "hm"},
		{"stream, window", 0, `{"error":{"message":"hm","code":"context_length_exceeded"}}`, llm.TooLong, "hm"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := readComplaint([]byte(tt.body))
			status := tt.status
			if status == 0 {
				status = c.status()
			}
			if p := c.problem(status); p.cause != tt.cause || p.words != tt.words {
				t.Errorf("got %s %q; want %s %q", p.cause, p.words, tt.cause, tt.words)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		header string
		want   time.Duration
	}{
		{"", 0},
		{"7", 7 * time.Second},
		{"0.5", 500 * time.Millisecond},
		{"-3", 0},
		{"soon", 0},
		{"NaN", 0},
		{"1e300", maxAfter * time.Second},
		{"Fri, 01 May 2026 12:01:30 GMT", 90 * time.Second},
		{"Fri, 01 May 2026 11:00:00 GMT", 0},
	}
	for _, tt := range tests {
		if got := retryAfter(tt.header, now); got != tt.want {
			t.Errorf("%q: got %v; want %v", tt.header, got, tt.want)
		}
	}
}

func TestPresentable(t *testing.T) {
	c := New(Options{Key: testKey})
	long := strings.Repeat("é", 299)
	tests := []struct{ name, words, want string }{
		{"plain", "slow down", "slow down"},
		{"blanks", " a\r\n\tb\u0000c  d ", "a b c d"},
		{"key", "the key (" + testKey + ") is bad", "the key ([key]) is bad"},
		{"key at the cut", strings.Repeat("x ", 145) + testKey, strings.Repeat("x ", 145) + "[key]"},
		{"no UTF-8", "a\xffb", "a\uFFFDb"},
		{"exactly 300", long + "é", long + "é"},
		{"longer", long + "éé", long + "…"},
	}
	for _, tt := range tests {
		got := c.presentable(tt.words)
		if got != tt.want || utf8.RuneCountInString(got) > maxWords {
			t.Errorf("%s: got %q; want %q", tt.name, got, tt.want)
		}
	}
}
