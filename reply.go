package nacre

import "time"

// Reply is what goes out to one chat, in Markdown, which is our own
// markup-neutral form. A Channel renders it into Parts.
type Reply struct {
	ID   ReplyID
	Chat Chat
	Text string
}

// Part is one rendered piece of a Reply, as its channel will send it: within
// the platform's limit and never empty.
type Part struct {
	Text string `json:"text"`
}

// Delivery is one Part in the outbox, on its way to one chat.
type Delivery struct {
	ID       DeliveryID
	Seq      int64 // position in the outbox; the parts of a chat go out in this order
	Owner    OwnerID
	Chat     Chat
	Part     Part
	State    DeliveryState
	Attempts int       // sends that certainly failed
	Unsure   int       // sends whose outcome the network never told
	NotUntil time.Time // earliest next try; zero means now
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
