package llmtest

import (
	"fmt"

	"nacre/agent/llm"
)

// Check refuses what at least one provider refuses in a conversation: it must
// begin with the user and end with the user or a tool result; no message may
// be empty; no two answers may follow each other; and the calls of an answer
// must each have an id of their own and exactly one result, before anything
// else is said.
func Check(req llm.Request) error {
	c := checker{}
	for i, m := range req.Messages {
		if err := c.next(m); err != nil {
			return fmt.Errorf("messages[%d]: %w", i, err)
		}
	}
	switch {
	case c.last == "":
		return fmt.Errorf("no messages")
	case len(c.open) > 0:
		return fmt.Errorf("%d tool calls without a result", len(c.open))
	case c.last == llm.Assistant:
		return fmt.Errorf("nothing to answer: the last message is the assistant's")
	}
	return nil
}

// checker walks over a conversation.
type checker struct {
	last llm.Role
	open map[string]bool // calls that wait for their result
}

func (c *checker) next(m llm.Message) error {
	defer func() { c.last = m.Role }()
	if len(c.open) > 0 && m.Role != llm.Tool {
		return fmt.Errorf("a %s message before %d tool results", m.Role, len(c.open))
	}
	switch m.Role {
	case llm.User:
		if m.Text == "" && len(m.Images) == 0 {
			return fmt.Errorf("an empty user message")
		}
	case llm.Assistant:
		return c.assistant(m)
	case llm.Tool:
		if !c.open[m.CallID] {
			return fmt.Errorf("a tool result for the unknown call %q", m.CallID)
		}
		delete(c.open, m.CallID)
	default:
		return fmt.Errorf("the unknown role %q", m.Role)
	}
	return nil
}

func (c *checker) assistant(m llm.Message) error {
	switch {
	case c.last == "":
		return fmt.Errorf("the conversation begins with the assistant")
	case c.last == llm.Assistant:
		return fmt.Errorf("two assistant messages in a row")
	case m.Text == "" && len(m.Calls) == 0:
		return fmt.Errorf("an empty assistant message")
	}
	c.open = map[string]bool{}
	for _, call := range m.Calls {
		if call.ID == "" || call.Name == "" || c.open[call.ID] {
			return fmt.Errorf("a tool call whose id or name is empty or used twice")
		}
		c.open[call.ID] = true
	}
	return nil
}
