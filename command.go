package nacre

import "strings"

// Command is one word that people send to be obeyed without a model.
type Command struct {
	Name      string // without the slash
	Args      string // a hint shown in help, such as "[code]"
	Help      string // what it does, a few words
	Interrupt bool   // acts at once, whatever is running
}

// Commands is the one table of commands: help, the menus of the apps and the
// parser all read it.
var Commands = []Command{
	{Name: "start", Help: "say hello"},
	{Name: "help", Help: "show what I can do"},
	{Name: "new", Help: "start a new conversation", Interrupt: true},
	{Name: "stop", Help: "stop what I am doing", Interrupt: true},
	{Name: "retry", Help: "answer my last message again"},
	{Name: "model", Args: "[name]", Help: "show or choose the language model"},
	{Name: "settings", Args: "[what value]", Help: "show or change how you want things"},
	{Name: "usage", Help: "show what the language model has cost"},
	{Name: "memory", Args: "[area]", Help: "show what I remember of you, and decide on what waits"},
	{Name: "context", Help: "show what I always have before me"},
	{Name: "why", Help: "show which notes stood behind my last answer"},
	{Name: "remind", Args: "when what", Help: "tell you something at a time, once or again and again"},
	{Name: "jobs", Args: "[number]", Help: "show your reminders and what I do by myself"},
	{Name: "remember", Args: "text", Help: "remember something, in your words"},
	{Name: "forget", Args: "[words]", Help: "forget something for good"},
	{Name: "undo", Help: "take back the last change of what I remember"},
	{Name: "export", Help: "get all that I remember as a file"},
	{Name: "whoami", Help: "show who I think you are"},
	{Name: "pair", Args: "[code]", Help: "link another app, or admit somebody by their code"},
	{Name: "status", Help: "show how I am doing"},
	{Name: "web", Help: "get a link to my page"},
}

// ParseCommand reads "/name args" or "/name@bot args" as the first thing in a
// text. It returns false for text that names no command of the table, which is
// then an ordinary message. The bot's name is not looked at: a channel passes
// on only what is meant for us.
func ParseCommand(text string) (c Command, args string, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "/") {
		return Command{}, "", false
	}
	word := text[1:]
	if i := strings.IndexAny(word, " \t\r\n"); i >= 0 {
		word, args = word[:i], strings.TrimSpace(word[i:])
	}
	name, _, _ := strings.Cut(word, "@")
	for _, c := range Commands {
		if strings.EqualFold(c.Name, name) {
			return c, args, true
		}
	}
	return Command{}, "", false
}

// Command reads the command that the author typed, never one in a forwarded or
// quoted text. A deep link's parameter, which the app fills in, is its argument
// where they typed none.
func (m *Message) Command() (c Command, args string, ok bool) {
	c, args, ok = ParseCommand(m.Text())
	if ok && args == "" {
		args = m.words(Prefill)
	}
	return c, args, ok
}
