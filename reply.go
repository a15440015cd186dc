package nacre

import "time"

// Reply is what goes out to one chat, in Markdown, which is our own
// markup-neutral form. A Channel renders it into Parts.
type Reply struct {
	ID      ReplyID
	Chat    Chat
	Text    string
	Options []string // answers that the person can give by a button; see Press
	Files   []File   // sent after the text, in order
}

// File is a file on its way out.
type File struct {
	Name string `json:"name"` // with an ending that fits
	MIME string `json:"mime,omitempty"`
	Data []byte `json:"data"`
}

// Part is one rendered piece of a Reply, as its channel will send it: within
// the platform's limit and never empty.
type Part struct {
	Text  string `json:"text,omitempty"`  // in the platform's markup; the caption where there is a File
	Plain string `json:"plain,omitempty"` // the same without markup, for when it is refused; empty where Text has none
	File  *File  `json:"file,omitempty"`

	Question ReplyID  `json:"question,omitempty"` // the Reply whose Options these are
	Options  []string `json:"options,omitempty"`  // buttons under this part
}

// Question is a Reply that offered Options, as it is remembered until somebody
// chooses.
type Question struct {
	ID      ReplyID
	Owner   OwnerID
	Chat    Chat
	Text    string
	Options []string
	Chosen  int // -1 while it is open
}

// Press is a person choosing one of a Reply's Options by its button.
type Press struct {
	Author   Address
	Chat     Chat
	Private  bool
	Question ReplyID
	Option   int // its place in Options, from 0
}

// Delivery is one Part in the outbox, on its way to one chat.
type Delivery struct {
	ID       DeliveryID
	Seq      int64 // position in the outbox; the parts of a chat go out in this order
	Owner    OwnerID
	Chat     Chat
	Reply    ReplyID
	Part     Part
	State    DeliveryState
	Attempts int       // sends that certainly failed
	Unsure   int       // sends whose outcome the network never told
	NotUntil time.Time // earliest next try; zero means now

	// Bubble is the message in which the answer was shown while it was made.
	// The part takes its place instead of being sent as a message of its own.
	Bubble ExternalID

	// Keep is how long the part's words stay in the outbox after it was sent,
	// because the network may ask for them again.
	Keep time.Duration
}

// DeliveryState is how far a Delivery has come.
type DeliveryState int

// The states of a Delivery. Asked is the only ambiguous one: a process that
// dies there cannot know whether the network took the part.
const (
	Waiting DeliveryState = iota // will be sent
	Asked                        // is being sent
	Sent                         // the network has it
	Dead                         // given up, with a reason; shown by status
)

func (s DeliveryState) String() string {
	return [...]string{"waiting", "asked", "sent", "dead"}[s]
}
