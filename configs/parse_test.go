package configs

import "testing"

// TestOllama reads the forms that Ollama's own client understands.
func TestOllama(t *testing.T) {
	for _, v := range []struct{ text, want string }{
		{"box", "http://box:11434"},
		{"box:1", "http://box:1"},
		{":1", "http://127.0.0.1:1"},
		{"192.168.1.7", "http://192.168.1.7:11434"},
		{"0.0.0.0", "http://127.0.0.1:11434"},
		{"0.0.0.0:1", "http://127.0.0.1:1"},
		{"http://0.0.0.0:1", "http://127.0.0.1:1"},
		{"http://box:1/", "http://box:1"},
		{"http://box", "http://box"},
		{"https://box/ollama/", "https://box/ollama"},
		{"https://me:word@box:1", "https://me:word@box:1"},
		{"::1", "http://[::1]:11434"},
		{"::", "http://[::1]:11434"},
		{"[::1]", "http://[::1]:11434"},
		{"[::]:1", "http://[::1]:1"},
		{"https://[fe80::1]", "https://[fe80::1]"},
	} {
		if got, err := parseOllama(v.text); got != v.want || err != nil {
			t.Errorf("%s: got %s and %v, want %s", v.text, got, err, v.want)
		}
	}
}

func TestModelNames(t *testing.T) {
	for _, name := range []string{
		"openai/gpt-5", "anthropic/claude-sonnet-4-5-20250929", "deepseek/deepseek-chat", "local/Qwen/Qwen3-8B",
		"openrouter/anthropic/claude-sonnet-4-5:beta", "ollama/qwen3:8b", "offline",
	} {
		if got, err := parseModel(name); got != name || err != nil {
			t.Errorf("%s: got %s and %v", name, got, err)
		}
	}
	for _, name := range []string{"", "/", "gpt-5", "OpenAI/gpt-5", "openai", "openai/", "openai/gpt 5", " openai/gpt-5"} {
		if got, err := parseModel(name); got != "" || err == nil {
			t.Errorf("%q: got %s, want an error", name, got)
		}
	}
}
