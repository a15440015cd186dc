package anthropic

import "nacre/agent/llm"

// usage counts tokens. Its input leaves out what went through the cache.
type usage struct {
	InputTokens              int `json:"input_tokens"`
	OutputTokens             int `json:"output_tokens"`
	CacheReadInputTokens     int `json:"cache_read_input_tokens"`
	CacheCreationInputTokens int `json:"cache_creation_input_tokens"`
}

// count takes the counts of one event. They are totals, and a later event may
// leave some of them out.
func (a *answer) count(u usage) {
	a.usage = usage{
		InputTokens:              max(a.usage.InputTokens, u.InputTokens),
		OutputTokens:             max(a.usage.OutputTokens, u.OutputTokens),
		CacheReadInputTokens:     max(a.usage.CacheReadInputTokens, u.CacheReadInputTokens),
		CacheCreationInputTokens: max(a.usage.CacheCreationInputTokens, u.CacheCreationInputTokens),
	}
	a.response.Usage = llm.Usage{
		Input:      a.usage.InputTokens + a.usage.CacheReadInputTokens + a.usage.CacheCreationInputTokens,
		Output:     a.usage.OutputTokens,
		CacheRead:  a.usage.CacheReadInputTokens,
		CacheWrite: a.usage.CacheCreationInputTokens,
	}
}
