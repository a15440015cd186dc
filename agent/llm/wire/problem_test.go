package wire

import (
	"testing"

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
		{"OpenRouter", 402, `{"error":{"message":"Insufficient credits","code":402}}`, llm.Billing, "Insufficient credits"},
		{"Anthropic", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}`, llm.Overloaded, "Overloaded"},
		{"Anthropic window", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8 maximum"}}`, llm.TooLong, "prompt is too long: 9 tokens > 8 maximum"},
		{"Anthropic window and answer", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"input length and ` + "`max_tokens`" + ` exceed context limit: 9"}}`, llm.TooLong, "input length and `max_tokens` exceed context limit: 9"},
		{"Anthropic size", 413, `{"type":"error","error":{"type":"request_too_large","message":"too large"}}`, llm.TooLong, "too large"},
		{"Anthropic credit", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`, llm.Billing, "Your credit balance is too low to access the Anthropic API."},
		{"Anthropic billing", 402, `{"type":"error","error":{"type":"billing_error","message":"pay"}}`, llm.Billing, "pay"},
		{"Anthropic permission", 403, `{"type":"error","error":{"type":"permission_error","message":"no"}}`, llm.Refused, "no"},
		{"OpenRouter flagged", 403, `{"error":{"code":403,"message":"Your chosen model requires moderation and your input was flagged","metadata":{"flagged_input":"my secret diary"}}}`, llm.Flagged, "Your chosen model requires moderation and your input was flagged"},
		{"OpenRouter guardrail", 403, `{"error":{"code":403,"message":"Request blocked: prompt injection patterns detected","type":"permission_denied"}}`, llm.Flagged, "Request blocked: prompt injection patterns detected"},
		{"OpenRouter limit of the key", 403, `{"error":{"code":403,"message":"Key limit exceeded (total limit)"}}`, llm.Billing, "Key limit exceeded (total limit)"},
		{"rate limit", 429, `{"error":{"message":"Rate limit exceeded (per minute)"}}`, llm.Overloaded, "Rate limit exceeded (per minute)"},
		{"xAI, unknown words", 403, `{"error":"hm"}`, llm.Flagged, "hm"},
		{"OpenAI country", 403, `{"error":{"message":"Country, region, or territory not supported"}}`, llm.Refused, "Country, region, or territory not supported"},
		{"proxy", 403, `<html>`, llm.Refused, ""},
		{"DeepSeek filter", 400, `{"error":{"message":"Content Exists Risk"}}`, llm.Flagged, "Content Exists Risk"},
		{"stream, flagged", 0, `{"error":{"code":403,"message":"input was flagged"}}`, llm.Flagged, "input was flagged"},
		{"busy filter", 429, `{"error":{"message":"moderation is busy"}}`, llm.Overloaded, "moderation is busy"},
		{"xAI window", 400, `{"error":"This model's maximum prompt length is 131072 but the request contains 140000 tokens."}`, llm.TooLong, "This model's maximum prompt length is 131072 but the request contains 140000 tokens."},
		{"Bedrock window", 400, `{"error":{"message":"Input is too long for requested model."}}`, llm.TooLong, "Input is too long for requested model."},
		{"LM Studio window", 400, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9>= n_ctx: 8)."}`, llm.TooLong, "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9>= n_ctx: 8)."},
		{"stream, LM Studio window", 0, `{"error":"the model is loaded with context length of only 8 tokens, which is not enough"}`, llm.TooLong, "the model is loaded with context length of only 8 tokens, which is not enough"},
		{"timeout", 408, `{}`, llm.Overloaded, ""},
		{"quotes the request", 422, `{"detail":[{"msg":"bad","input":"my secret diary"}]}`, llm.BadRequest, ""},
		{"no JSON", 400, `my secret diary`, llm.BadRequest, ""},
		{"odd types", 400, `{"error":{"message":{"a":1},"code":[1]}}`, llm.BadRequest, ""},
		{"null", 500, `{"error":null}`, llm.Overloaded, ""},
		{"stream, number", 0, `{"error":{"message":"bad gateway","code":502}}`, llm.Overloaded, "bad gateway"},
		{"stream, refused key", 0, `{"error":{"message":"no","code":401}}`, llm.Refused, "no"},
		{"stream, unknown", 0, `{"error":{"message":"hm","code":"odd"}}`, llm.Overloaded, "hm"},
		{"stream, our fault", 0, `{"error":{"message":"hm","type":"invalid_request_error"}}`, llm.BadRequest, "hm"},
		{"stream, Anthropic overloaded", 0, `{"type":"error","error":{"type":"overloaded_error","message":"hm"}}`, llm.Overloaded, "hm"},
		{"stream, Anthropic rate", 0, `{"type":"error","error":{"type":"rate_limit_error","message":"hm"}}`, llm.Overloaded, "hm"},
		{"stream, Anthropic inside", 0, `{"type":"error","error":{"type":"api_error","message":"hm"}}`, llm.Overloaded, "hm"},
		{"stream, Anthropic key", 0, `{"type":"error","error":{"type":"authentication_error","message":"hm"}}`, llm.Refused, "hm"},
		{"stream, Anthropic request", 0, `{"type":"error","error":{"type":"invalid_request_error","message":"hm"}}`, llm.BadRequest, "hm"},
		{"stream, Anthropic model", 0, `{"type":"error","error":{"type":"not_found_error","message":"hm"}}`, llm.BadRequest, "hm"},
		{"stream, window", 0, `{"error":{"message":"hm","code":"context_length_exceeded"}}`, llm.TooLong, "hm"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := readComplaint([]byte(tt.body))
			status := tt.status
			if status == 0 {
				status = c.status()
			}
			if p := c.problem(status); p.Cause != tt.cause || p.Words != tt.words {
				t.Errorf("got %s %q; want %s %q", p.Cause, p.Words, tt.cause, tt.words)
			}
		})
	}
}
