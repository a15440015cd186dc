package agent

import (
	"context"
	"fmt"
	"strings"

	"nacre"
)

// CommandFunc answers a command with the text to show. An error's sentence is
// shown instead.
type CommandFunc func(ctx context.Context, caller nacre.Caller, args string) (string, error)

// ownCommands are those that need nothing but the session.
var ownCommands = map[string]CommandFunc{
	"start": start,
	"help":  help,
	"new": func(context.Context, nacre.Caller, string) (string, error) {
		return "A fresh start: I no longer look at what we said before.", nil
	},
	"stop":   func(context.Context, nacre.Caller, string) (string, error) { return "Stopped.", nil },
	"whoami": whoami,
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
