package web

import (
	"context"
	"time"

	"nacre"
)

// History is what was said in an owner's chats, on whatever channel. What was
// forgotten is not there. Its methods may be called from any goroutine.
type History interface {
	// Recent reads the owner's chat on the page backwards: the newest part, or
	// what stands before a cursor.
	Recent(ctx context.Context, q RecentQuery) (Conversation, error)
	// Around reads what was said before and after a message, in its own chat.
	// NotFound means that there is no such message any more.
	Around(ctx context.Context, q AroundQuery) (Conversation, error)
	// Search finds what was said, in words of any form.
	Search(ctx context.Context, q SearchQuery) (Found, error)
	// Why tells which notes and earlier messages were in front of the model when
	// it answered last in the owner's chat on the page. NotFound means that it
	// answered nothing there since it was started.
	Why(ctx context.Context) (Why, error)
	// Answer is what became of a message on the page, by the id that its sender
	// gave it. NotFound means that there is none of that id.
	Answer(ctx context.Context, id nacre.ExternalID) (Answer, error)
}

// Saying is a message, or an answer of Nacre's.
type Saying struct {
	Message nacre.MessageID `json:"message,omitempty"` // empty for an answer
	Turn    nacre.TurnID    `json:"turn,omitempty"`    // that answered it, or that it is the answer of
	ID      string          `json:"id,omitempty"`      // of a message on the page: what the page called it
	Who     Speaker         `json:"who"`
	Name    string          `json:"name,omitempty"` // of others: their address, or what another assistant is called
	Sent    time.Time       `json:"sent"`
	Text    string          `json:"text"`
	Strange bool            `json:"strange,omitempty"` // holds words of people who did not write it
	Heard   bool            `json:"heard,omitempty"`   // written down from a recording
	Files   []string        `json:"files,omitempty"`   // names of what came with it, where the text does not tell

	// Elsewhere is the other assistant to whom, or by whom, it was said, as people call
	// it; its Place has the channel nacre.Elsewhere. Empty for what was said here.
	Elsewhere string `json:"elsewhere,omitempty"`

	// Of an answer that asked something, from Recent alone.
	Question nacre.ReplyID `json:"question,omitempty"` // what a press names
	Options  []string      `json:"options,omitempty"`
	Chosen   string        `json:"chosen,omitempty"` // one of the options; empty while the question is open
}

// Speaker is who said something.
type Speaker string

// The speakers.
const (
	You    Speaker = "you"
	Nacre  Speaker = "nacre"
	Others Speaker = "others"
)

// Place is a chat in which something was said.
type Place struct {
	Channel nacre.ChannelName `json:"channel"`
	Private bool              `json:"private"`
}

// RecentQuery says what part of the chat to read.
type RecentQuery struct {
	Before string `json:"before,omitempty"` // Conversation.Earlier; empty for the newest
	Most   int    `json:"most,omitempty"`   // 0: 50; at most 200
}

// AroundQuery says what to read around.
type AroundQuery struct {
	Message nacre.MessageID `json:"message"`
	Each    int             `json:"each,omitempty"` // before it, and after it; 0: 10; at most 50
}

// Conversation is a part of a chat, oldest first.
type Conversation struct {
	Place   Place    `json:"place"`
	Sayings []Saying `json:"sayings"`
	Earlier string   `json:"earlier,omitempty"` // where what stands before begins; empty if nothing does
}

// SearchQuery says what to find. Dates are as memory.ParseDate reads them, both
// included.
type SearchQuery struct {
	Words  string `json:"words"`
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	Newest bool   `json:"newest,omitempty"` // first, instead of the best
	Cursor string `json:"cursor,omitempty"` // Found.Next
	Most   int    `json:"most,omitempty"`   // 0: 20; at most 100
}

// Found is a page of what was found.
type Found struct {
	Hits     []FoundSaying `json:"hits"`
	Total    int           `json:"total"`
	Next     string        `json:"next,omitempty"`
	Complete bool          `json:"complete"` // false while older messages are still being indexed
}

// FoundSaying is a message that was found, and where.
type FoundSaying struct {
	Saying
	Place Place `json:"place"`
}

// Why is what was in front of the model.
type Why struct {
	Found    []Note   `json:"found"`    // notes that were looked up for it
	Always   []Note   `json:"always"`   // that are always there
	Messages []Saying `json:"messages"` // earlier ones that were looked up
	Gone     int      `json:"gone"`     // notes and messages that were forgotten since
}

// Answer is what became of a message.
type Answer struct {
	Done bool   `json:"done"` // its turn is over
	Text string `json:"text"` // of the answer; empty if it has none
}
