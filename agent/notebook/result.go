package notebook

import "nacre/agent"

// said is the Result of a tool that has only words for the model.
func said(text string) agent.Result { return agent.Result{Text: text} }
