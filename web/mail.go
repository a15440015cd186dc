package web

import (
	"context"
	"time"

	"nacre"
)

// Mail is an owner's Gmail, from which their writing style is learned.
type Mail interface {
	// Show reads how it is connected.
	Show(ctx context.Context) (MailSheet, error)
	// Connect returns the address at Google's where the owner consents.
	Connect(ctx context.Context, c MailConnect) (MailConsent, error)
	// Finish takes the address to which Google sent a browser that could not come back
	// here by itself.
	Finish(ctx context.Context, r MailReturn) (MailSheet, error)
	// Disconnect takes the consent back and drops what is kept of it. The style that
	// was learned stays until it is forgotten.
	Disconnect(ctx context.Context) (MailGone, error)
	// Learn learns the writing style now. It returns a sentence to show.
	Learn(ctx context.Context) (string, error)
}

// MailSheet is an owner's Gmail as they see it.
type MailSheet struct {
	Connected bool         `json:"connected"`
	Address   string       `json:"address,omitempty"`
	Drafts    bool         `json:"drafts,omitempty"` // it may write drafts
	Client    bool         `json:"client,omitempty"` // the owner's client is kept, so that Connect needs none
	Since     time.Time    `json:"since,omitzero"`
	Learned   time.Time    `json:"learned,omitzero"`  // when the style was learned last
	Trouble   string       `json:"trouble,omitempty"` // what is wrong, and what to do, as a sentence
	Style     string       `json:"style,omitempty"`   // what was learned
	Note      nacre.NoteID `json:"note,omitempty"`    // of the style
	Failed    string       `json:"failed,omitempty"`  // why the consent that was asked for last came to nothing
	Yours     bool         `json:"yours,omitempty"`   // the owner said themselves how they write
}

// MailConnect says what to connect.
type MailConnect struct {
	ID     string `json:"client_id,omitempty"` // the owner's own client of Google's; empty for the one that is kept
	Secret string `json:"client_secret,omitempty"`
	Drafts bool   `json:"drafts,omitempty"` // also to write drafts
	// At is the origin by which the page was loaded; empty for none, as in a terminal.
	At string `json:"at,omitempty"`
}

// MailConsent is where an owner consents.
type MailConsent struct {
	URL  string `json:"url"`
	Back string `json:"back"` // where the browser is sent afterwards, which the client must allow
}

// MailReturn is where a browser was sent after consent.
type MailReturn struct {
	URL string `json:"url"` // the whole address, as the browser shows it
}

// MailGone tells how a disconnection went.
type MailGone struct {
	Revoked bool `json:"revoked"` // Google knows; else the owner can take it back at myaccount.google.com
}
