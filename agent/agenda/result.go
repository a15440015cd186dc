package agenda

import "nacre/agent"

// said is a Result that has only words.
func said(text string) agent.Result { return agent.Result{Text: text} }

// done is the Result of a tool that did something: the person reads what, in words
// that are not the model's.
func done(told string) agent.Result {
	return agent.Result{Text: "Done. The person reads this behind your answer, so do not repeat it: " + told, Tell: told}
}
