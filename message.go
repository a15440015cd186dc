package nacre

import (
	"slices"
	"strings"
	"time"
)

// ChatID is what a network calls a chat. Minted by that network, unique within
// its channel.
type ChatID string

// ThreadID is a topic inside a chat; empty where there is none.
type ThreadID string

// Chat is a place where a conversation happens. It is comparable, so it can
// be a map key.
type Chat struct {
	Channel ChannelName `json:"channel"`
	ID      ChatID      `json:"id"`
	Thread  ThreadID    `json:"thread,omitempty"`
}

// Provenance says how a piece of text came to be in a message. It is computed
// by the channel from the envelope alone, never from the words.
type Provenance string

// The provenances, with what may rest on them. Only Owner text in a private
// chat supports a note about the owner.
const (
	ByOwner   Provenance = "owner"       // the author's own typed words in a private chat
	ByVoice   Provenance = "owner-voice" // a voice note by the author, transcribed
	Quoted    Provenance = "quoted"      // the quoted part of a reply
	Forwarded Provenance = "forwarded"   // a forwarded text
	Prefill   Provenance = "prefill"     // deep-link parameter, button or list text, inline result
	InGroup   Provenance = "group"       // said in a group, by anyone
	Label     Provenance = "label"       // file name, contact card, chat title, poll, location name
	InFile    Provenance = "file"        // the text of a document that was sent
	BySystem  Provenance = "system"      // written by Nacre itself: reminders, scheduled runs
	Imported  Provenance = "imported"    // the owner's, as an export of another assistant has it: nobody vouches for it
)

// Segment is a run of text with one provenance.
type Segment struct {
	Provenance Provenance `json:"p"`
	Text       string     `json:"t"`
}

// Message is what came in. Channels build it, the gateway admits and stores
// it, the session answers it. An edit is a new revision with the same
// External id.
type Message struct {
	ID       MessageID  // minted by the gateway when it is stored
	Seq      int64      // position in the inbox; set by the ledger, orders everything
	Chat     Chat       // where to answer
	External ExternalID // the network's id; (channel, chat, external, revision) is unique
	Revision int64      // 0 for the first version, else the time of the edit in Unix seconds
	Author   Address    // who sent it; zero if the network named no person
	Also     []Address  // further identities of the author that the network itself vouches for; the one that is admitted is kept as Author
	Private  bool       // a one-to-one chat
	ToUs     bool       // in a group: we were mentioned or replied to
	Sent     time.Time  // by the network's clock
	Received time.Time  // by ours
	Language string     // the app's language tag, if the network tells; a hint only
	Album    string     // messages with the same one were sent as one; empty alone

	// Quiet messages (reactions, edits of what was answered) start no turn of
	// their own; the next turn sees them.
	Quiet bool

	// Late messages came so long after they were sent that an answer would come
	// out of nowhere. They are kept as Quiet ones, and the gateway says so in one
	// line for all of them.
	Late bool

	// Due is set if Nacre put the message here by itself. Its segments are all
	// BySystem then, and its Author is zero.
	Due *Due

	Segments    []Segment
	Attachments []Attachment
}

// Attachment is a file that came with a Message. Its bytes stay with the
// network until somebody fetches them by Ref, unless they came along.
type Attachment struct {
	Kind  AttachmentKind `json:"kind"`
	Name  string         `json:"name,omitempty"` // as the sender's app gave it: a label
	MIME  string         `json:"mime,omitempty"`
	Bytes int64          `json:"bytes,omitempty"` // 0 if the network does not tell
	Ref   string         `json:"ref"`             // the network's handle; opaque to all but its channel, empty if there is nothing to fetch
	Data  []byte         `json:"-"`               // the bytes, if they came along; the ledger stores them with the message, and takes them out of it

	// Spoken is whose words are in it, if it is not the author's own voice.
	Spoken Provenance `json:"spoken,omitempty"`
}

// Reading is what was made of an attachment for models: a text, or a picture.
type Reading struct {
	Text  Segment `json:"t,omitzero"` // InFile, or whose words were spoken
	MIME  string  `json:"m,omitempty"`
	Image []byte  `json:"i,omitempty"` // of that MIME type, within the limits of every provider
}

// AttachmentKind says what an attachment is to people.
type AttachmentKind string

// The kinds of attachments.
const (
	Photo     AttachmentKind = "photo"
	Voice     AttachmentKind = "voice" // recorded in the app
	Audio     AttachmentKind = "audio"
	Video     AttachmentKind = "video"
	Animation AttachmentKind = "animation"
	Sticker   AttachmentKind = "sticker"
	Document  AttachmentKind = "document"
)

// Elsewhere is the channel of what was said to other assistants and taken over. No
// channel carries it, nobody is answered there, and nothing rests on it: it can be
// found, that is all. Its authors are the Address Elsewhere with the id "owner", or
// with the name of who spoke, such as "chatgpt". A chat's id is told apart by owner.
const Elsewhere ChannelName = "elsewhere"

// ElsewhereOwner is the id of the owner among the authors there.
const ElsewhereOwner = "owner"

// Pressed begins the External id of a message that a press of a button made, or a
// number in its place; its segments are the question, Quoted, and the choice. No
// channel gives such ids.
const Pressed = "press/"

// Text is the author's own words.
func (m *Message) Text() string { return m.words(ByOwner, ByVoice, InGroup) }

// Typed is what the author typed themselves: in a private chat, or in a group.
func (m *Message) Typed() string {
	if m.Private {
		return m.words(ByOwner)
	}
	return m.words(InGroup)
}

// Worded reports whether a message has words beside labels.
func (m *Message) Worded() bool {
	return slices.ContainsFunc(m.Segments, func(s Segment) bool { return s.Provenance != Label && s.Text != "" })
}

// words joins the segments of some provenances by newlines.
func (m *Message) words(of ...Provenance) string {
	var parts []string
	for _, s := range m.Segments {
		if s.Text != "" && slices.Contains(of, s.Provenance) {
			parts = append(parts, s.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// Inbound is a Message on its way into the inbox. The gateway says whose it
// is; the ledger fills in Session and the message's Seq, which stays 0 for a
// message that is already known.
type Inbound struct {
	Owner   OwnerID
	Session SessionInfo
	Message Message
}
