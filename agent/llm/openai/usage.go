package openai

import "nacre/agent/llm"

// usage counts tokens. Servers report cached ones in different fields;
// prompt_tokens includes them in all of them.
type usage struct {
	PromptTokens        int `json:"prompt_tokens"`
	CompletionTokens    int `json:"completion_tokens"`
	PromptTokensDetails struct {
		CachedTokens     int `json:"cached_tokens"`      // OpenAI, OpenRouter, vLLM, llama.cpp
		CacheWriteTokens int `json:"cache_write_tokens"` // OpenRouter
	} `json:"prompt_tokens_details"`
	PromptCacheHitTokens     int `json:"prompt_cache_hit_tokens"`     // DeepSeek
	CachedTokens             int `json:"cached_tokens"`               // Moonshot
	CacheReadInputTokens     int `json:"cache_read_input_tokens"`     // Anthropic behind proxies
	CacheCreationInputTokens int `json:"cache_creation_input_tokens"` // Anthropic behind proxies
}

func (u *usage) counts() llm.Usage {
	return llm.Usage{
		Input:      u.PromptTokens,
		Output:     u.CompletionTokens,
		CacheRead:  max(u.PromptTokensDetails.CachedTokens, u.PromptCacheHitTokens, u.CachedTokens, u.CacheReadInputTokens),
		CacheWrite: max(u.PromptTokensDetails.CacheWriteTokens, u.CacheCreationInputTokens),
	}
}
