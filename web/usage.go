package web

// UsageQuery says of what time to tell.
type UsageQuery struct {
	Days int `json:"days,omitempty"` // up to today; 0: 30; at most 400
}

// Usage is what language models were used for and cost, in tokens and billionths
// of a dollar.
type Usage struct {
	Days   []DayUsage   `json:"days"`   // oldest first, without gaps
	Models []ModelUsage `json:"models"` // over these days, the dearest first
	Today  Spending     `json:"today"`
	Month  Spending     `json:"month"` // so far
	// Budgets are the limits that hold, with what is used of them.
	Budgets []Budget `json:"budgets"`
	// Everybody is what all owners used together, for the operator alone.
	Everybody *Everybody `json:"everybody,omitempty"`
}

// Spending is a sum of calls.
type Spending struct {
	Calls      int   `json:"calls"`
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cache_read"` // of Input
	CacheWrite int64 `json:"cache_write"`
	Cost       int64 `json:"cost"`
	Unpriced   int64 `json:"unpriced"` // tokens of models whose price is not known
}

// DayUsage is what was used on one day of the installation's zone.
type DayUsage struct {
	Day string `json:"day"` // YYYY-MM-DD
	Spending
}

// ModelUsage is what was used of one model.
type ModelUsage struct {
	Model string `json:"model"`
	Spending
}

// Budget is a limit. Either is 0 where there is none.
type Budget struct {
	Whose      string `json:"whose"` // "you" or "everybody"
	Span       string `json:"span"`  // "day" or "month"
	Cost       int64  `json:"cost"`
	Tokens     int64  `json:"tokens"`
	UsedCost   int64  `json:"used_cost"`
	UsedTokens int64  `json:"used_tokens"`
}

// Everybody is what all owners used together.
type Everybody struct {
	Today Spending   `json:"today"`
	Month Spending   `json:"month"`
	Days  []DayUsage `json:"days"`
}
