package agent

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"nacre"
)

// CommandFunc answers a command with a Result: a text to show, files, a question.
// An error's sentence is shown instead.
type CommandFunc func(ctx context.Context, caller nacre.Caller, args string) (Result, error)

// Words makes a CommandFunc of one that has nothing but a text to show.
func Words(say func(ctx context.Context, caller nacre.Caller, args string) (string, error)) CommandFunc {
	return func(ctx context.Context, caller nacre.Caller, args string) (Result, error) {
		text, err := say(ctx, caller, args)
		return Result{Text: text}, err
	}
}

// ownCommands are those that need nothing but the session.
var ownCommands = map[string]func(s *session, ctx context.Context, caller nacre.Caller, args string) (string, error){
	"start": plain(start),
	"help":  plain(help),
	"new": plain(func(context.Context, nacre.Caller, string) (string, error) {
		return "A fresh start: I no longer look at what we said before.", nil
	}),
	"stop": func(s *session, _ context.Context, _ nacre.Caller, _ string) (string, error) {
		if !s.stopped {
			return "There was nothing to stop.", nil
		}
		return "Stopped.", nil
	},
	"retry": plain(func(context.Context, nacre.Caller, string) (string, error) {
		return "There is nothing that I could answer again.", nil
	}),
	"model":  (*session).modelCommand,
	"whoami": plain(whoami),
}

// plain is a command that does not look at the session.
func plain(say func(context.Context, nacre.Caller, string) (string, error)) func(*session, context.Context, nacre.Caller, string) (string, error) {
	return func(_ *session, ctx context.Context, caller nacre.Caller, args string) (string, error) {
		return say(ctx, caller, args)
	}
}

// command answers the last of some messages, a command, as a turn of its own.
// The quiet ones before it end with the conversation, or are seen by a retry;
// else they wait for the next turn. Interrupted says that a command behind it
// stops whatever runs.
func (s *session) command(messages []nacre.Message, c nacre.Command, args string, interrupted bool) error {
	if c.Name != "new" && c.Name != "retry" {
		messages = messages[len(messages)-1:]
	}
	t := s.begin(messages)
	if c.Name == "retry" && interrupted {
		t.end(nacre.Stopped, "")
		t.said = nil
		return s.commit(t)
	}
	if at := s.lastAsked(); c.Name == "retry" && at >= 0 {
		return s.retry(t, s.past[at], args)
	}
	r, err := s.apart(t, func(ctx context.Context, caller nacre.Caller) (Result, error) {
		return s.runCommand(ctx, caller, c, args)
	})
	if err == nil && c.Interrupt && args != "" {
		r.Text += "\n\nI did not read what stood behind /" + c.Name + "; please send it again by itself."
	}
	t.fresh = c.Name == "new"
	return s.conclude(t, r, err)
}

func (s *session) runCommand(ctx context.Context, caller nacre.Caller, c nacre.Command, args string) (Result, error) {
	if run := ownCommands[c.Name]; run != nil {
		text, err := run(s, ctx, caller, args)
		return Result{Text: text}, err
	}
	if run := s.agent.opts.Commands[c.Name]; run != nil {
		return run(ctx, caller, args)
	}
	return Result{}, nacre.Errorf(nacre.NotFound, "I cannot do /%s here.", c.Name)
}

// modelCommand shows the models, or lets another one answer this conversation.
func (s *session) modelCommand(ctx context.Context, _ nacre.Caller, args string) (string, error) {
	models := s.agent.opts.Models
	if args == "" {
		var b strings.Builder
		fmt.Fprintf(&b, "%s answers here.", s.model.Name)
		if len(models) > 1 {
			b.WriteString(" You can choose:\n")
			for i, c := range models {
				fmt.Fprintf(&b, "\n/model %d – %s", i+1, c.Name)
			}
		}
		return b.String(), nil
	}
	for i, c := range models {
		if !strings.EqualFold(args, c.Name) && args != strconv.Itoa(i+1) {
			continue
		}
		name := c.Name
		if name == s.agent.choice(s.info.Owner, "").Name {
			name = "" // so that it follows what is usual
		}
		if err := s.agent.opts.Journal.ChooseModel(ctx, s.info, name); err != nil {
			return "", err
		}
		s.chosen = name
		s.setModel(c)
		return c.Name + " answers here from now on.", nil
	}
	return "", nacre.Errorf(nacre.NotFound, "There is no model %q to choose; /model lists them.", args)
}

func start(context.Context, nacre.Caller, string) (string, error) {
	return "Hello, I am Nacre, your assistant. Write to me as you would to a friend; /help shows my commands.", nil
}

func help(context.Context, nacre.Caller, string) (string, error) {
	var b strings.Builder
	b.WriteString("Write to me in your own words, or use a command:\n")
	for _, c := range nacre.Commands {
		b.WriteString("\n" + strings.TrimSpace("/"+c.Name+" "+c.Args) + " – " + c.Help)
	}
	return b.String(), nil
}

func whoami(_ context.Context, c nacre.Caller, _ string) (string, error) {
	role := "one of the people I know"
	if c.Operator {
		role = "the operator: the one who runs me and admits others"
	}
	return fmt.Sprintf("You are %s, %s.\nOwner %s, conversation %s.", c.Author, role, c.Owner, c.Session), nil
}
