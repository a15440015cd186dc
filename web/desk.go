package web

import (
	"context"

	"nacre"
)

// Desk is what people can ask of a running Nacre, and what a subcommand does by
// itself where none is running. What has a Hand is that owner's own, and nothing
// of another's; the rest is for the operator alone, which whoever serves it sees
// to. Errors are sentences for the person. Its methods may be called from any
// goroutine.
type Desk interface {
	// Me tells an owner who they are here.
	Me(ctx context.Context, h Hand) (Me, error)
	// Memory is what is remembered of an owner.
	Memory(h Hand) Memory
	// Files are the files that steer the assistant of an owner.
	Files(h Hand) Files
	// History is what was said in an owner's chats.
	History(h Hand) History
	// Jobs is what an owner has planned.
	Jobs(h Hand) Jobs
	// Settings is how an owner wants it.
	Settings(h Hand) Settings
	// Access is who may act as an owner.
	Access(h Hand) Access
	// Moving takes over what an owner brings from elsewhere, and gives them all that
	// is here.
	Moving(h Hand) Moving
	// Mail is an owner's Gmail.
	Mail(h Hand) Mail
	// Usage is what models cost for an owner, and for the operator also what they
	// cost for everybody.
	Usage(ctx context.Context, h Hand, q UsageQuery) (Usage, error)
	// Login returns a fresh link with which a browser logs in as the owner, once.
	Login(ctx context.Context, h Hand) (string, error)

	// Status reads how everything is.
	Status(ctx context.Context) (Status, error)
	// Backups are the copies of everything.
	Backups() Backups
	// Pair admits the stranger who was shown a code, or returns a code to join
	// with if code is empty. It returns a sentence to show.
	Pair(ctx context.Context, code string) (string, error)
	// Strangers lists who was shown a code and waits to be admitted, oldest first.
	Strangers(ctx context.Context) ([]Stranger, error)
	// Decide admits or refuses one of them. It returns a sentence to show. NotFound
	// means that they do not wait any more.
	Decide(ctx context.Context, d Decision) (string, error)
	// LinkWhatsApp links an account by a QR code or, where phone is a number with
	// its country code, by a code to be typed there. show gets each step as it
	// comes; when the last was shown the account is linked. It takes as long as the
	// person takes. Conflict if an account is linked already, NotFound if WhatsApp
	// is off.
	LinkWhatsApp(ctx context.Context, phone string, show func(nacre.LinkStep)) error
	// UnlinkWhatsApp logs the linked account out and forgets it. NotFound if there
	// is none.
	UnlinkWhatsApp(ctx context.Context) error
}

// Me is an owner as the page greets them.
type Me struct {
	Owner    nacre.OwnerID `json:"owner"`
	Operator bool          `json:"operator"`
	Name     string        `json:"name"`     // as they want to be called; empty if they said none
	Language string        `json:"language"` // of two letters; empty leaves the choice to the browser
	Zone     string        `json:"zone"`     // whose clock counts: an IANA name, or an offset such as +09:00
	Version  string        `json:"version"`  // of the program
	Commands []Command     `json:"commands"` // that the chat obeys without a model
}

// Command is a nacre.Command as the page offers it.
type Command struct {
	Name string `json:"name"` // without the slash
	Args string `json:"args,omitempty"`
	Help string `json:"help"`
}

// Commands are those of nacre.Commands.
func Commands() []Command {
	list := make([]Command, len(nacre.Commands))
	for i, c := range nacre.Commands {
		list[i] = Command{c.Name, c.Args, c.Help}
	}
	return list
}
