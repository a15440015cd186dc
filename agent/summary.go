package agent

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"nacre/agent/llm"
	"nacre/agent/prompt"
)

//go:embed summary.md
var summaryTask string

// How a summary is made.
const (
	summaryTime   = 60 * time.Second // for one call, or a quarter of what is left of the turn's time
	summaryTries  = 2                // of one model that gives no usable answer
	summaryTokens = 8000             // of the answer, thoughts included
	scriptShare   = 0.50             // of the window of the model that writes it
	maxChunks     = 6                // calls for one summary; what is older is left out, and counted
)

// summaryRoom is how many tokens a summary may have where a conversation has
// so many.
func summaryRoom(room int) int { return min(1500, max(100, room/8)) }

// unreachable reports whether a model could not be asked at all, which may be
// different soon.
func unreachable(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return llm.Passing(err) || errors.Is(err, context.DeadlineExceeded) ||
		ok && (e.Cause == llm.Spent || e.Cause == llm.Billing || e.Cause == llm.Refused)
}

// summarize puts messages, after the summary so far, into so many tokens. The
// model for memory writes it, else the one that chats; where both are the
// offline one, the person's words stand for it. The error is that of the last
// model.
func (s *session) summarize(ctx context.Context, going []llm.Message, tokens int) (string, error) {
	writers := []Choice{s.agent.opts.Memory, s.model}
	if writers[0].Name == writers[1].Name {
		writers = writers[:1]
	}
	err := errNoWriter
	for i, w := range writers {
		if w.Simple || ctx.Err() != nil {
			continue
		}
		var text string
		if text, err = s.write(ctx, w, going, tokens); err == nil {
			return clip(text, tokens), nil
		}
		s.log.Warn("a model wrote no summary", "model", w.Name, "left", len(writers)-1-i, "err", err)
	}
	if err == errNoWriter {
		return digest(s.earlier(), going, tokens), nil
	}
	return "", err
}

var errNoWriter = errors.New("no model can write a summary")

// write lets one model write a summary, in several calls if the messages do not
// fit its window at once.
func (s *session) write(ctx context.Context, w Choice, going []llm.Message, tokens int) (string, error) {
	chunks, left := chunksOf(scriptOf(going), int(float64(w.Window)*scriptShare))
	summary := s.earlier()
	for _, chunk := range chunks {
		if summary != "" {
			chunk = "Summary so far: " + strings.ReplaceAll(clip(summary, tokens), "\n", "\n  ") + "\n" + chunk
		}
		var err error
		if summary, err = s.writeOne(ctx, w, chunk); err != nil {
			return "", err
		}
	}
	if left > 0 {
		summary = fmt.Sprintf("(%d older messages are not in this summary.) ", left) + summary
	}
	return summary, nil
}

func (s *session) writeOne(ctx context.Context, w Choice, script string) (text string, err error) {
	req := llm.Request{System: summaryTask, MaxTokens: summaryTokens, Account: string(s.info.Owner),
		Messages: []llm.Message{{Role: llm.User, Text: script}}}
	for range summaryTries {
		err = safely(s.log, func() error {
			ctx, end := context.WithTimeout(ctx, timeFor(ctx))
			defer end()
			r, err := w.Model.Complete(ctx, req, nil)
			text = strings.TrimSpace(r.Text)
			if err == nil && (text == "" || len(r.Calls) > 0 || r.Stop == llm.StopRefused) {
				err = errEmpty
			}
			return err
		})
		if !errors.Is(err, errEmpty) {
			break
		}
	}
	return text, err
}

// timeFor is how long one call may take, so that there is time for the others
// and for the answer.
func timeFor(ctx context.Context) time.Duration {
	end, ok := ctx.Deadline()
	if !ok {
		return summaryTime
	}
	return min(summaryTime, time.Until(end)/4)
}

// chunksOf joins lines into the newest few texts of so many tokens each, and
// counts the lines that are older.
func chunksOf(lines []string, tokens int) (chunks []string, left int) {
	to := len(lines)
	for to > 0 && len(chunks) < maxChunks {
		from, room := to, tokens
		for from > 0 {
			if room -= prompt.TextTokens(lines[from-1]); room < 0 && from < to {
				break
			}
			from--
		}
		chunks = append([]string{strings.Join(lines[from:to], "")}, chunks...)
		to = from
	}
	return chunks, to
}

// scriptOf writes a conversation down. What tools returned is left out: it may
// be a stranger's, and what mattered of it is in the answers.
func scriptOf(messages []llm.Message) []string {
	const most = 1000 // tokens of one message
	var lines []string
	for _, m := range messages {
		text := strings.ReplaceAll(clip(m.Text, most), "\n", "\n  ") // so that no line of it can look like another's
		line := "You: " + text
		switch {
		case m.Role == llm.Tool || m.Text == "" && len(m.Calls) == 0:
			continue
		case m.Source == llm.FromSystem:
			line = text
		case m.Role == llm.User:
			line = "Person: " + text
		}
		for _, c := range m.Calls {
			line += " [used " + c.Name + "]"
		}
		lines = append(lines, line+"\n")
	}
	return lines
}

// digest stands in for a summary: what the person said, each cut short, the
// newest that have room, after what was left of the summary so far.
func digest(earlier string, messages []llm.Message, tokens int) string {
	const each = 50
	if earlier != "" {
		earlier = clip(earlier, tokens/2) + "\n"
	}
	var lines []string
	for _, m := range messages {
		if m.Role == llm.User && m.Source != llm.FromSystem {
			lines = append(lines, "\n- "+strings.Join(strings.Fields(clip(m.Text, each)), " "))
		}
	}
	from := len(lines)
	for room := tokens - prompt.TextTokens(earlier); from > 0; from-- {
		if room -= prompt.TextTokens(lines[from-1]); room < 0 {
			break
		}
	}
	left := ""
	if from > 0 {
		left = fmt.Sprintf(" (%d older messages are left out)", from)
	}
	return earlier + "The person wrote" + left + ":" + strings.Join(lines[from:], "")
}
