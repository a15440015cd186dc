package nacre

// Usage is what a language model was asked for. Input includes the tokens that
// its provider read from a cache or wrote to it.
type Usage struct {
	Calls      int
	Input      int64 // tokens, as all but Calls and Cost
	Output     int64
	CacheRead  int64
	CacheWrite int64
	Cost       int64 // billionths of a dollar
	Unpriced   int64 // input and output of models whose price is unknown; not in Cost
}

// Plus is the sum of two.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Calls + v.Calls, u.Input + v.Input, u.Output + v.Output, u.CacheRead + v.CacheRead,
		u.CacheWrite + v.CacheWrite, u.Cost + v.Cost, u.Unpriced + v.Unpriced}
}
