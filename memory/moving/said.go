package moving

import (
	"time"

	"nacre"
)

// Source is where something is taken over from, as a name that is written down.
type Source string

// The sources. Their names are stored with what was said there, and never change.
const (
	FromNacre    Source = "nacre"
	FromChatGPT  Source = "chatgpt"
	FromClaude   Source = "claude"
	FromNanobot  Source = "nanobot"
	FromNuum     Source = "nuum"
	FromNuggets  Source = "nuggets"
	FromNod      Source = "nod"
	FromOpenClaw Source = "openclaw"
	FromHermes   Source = "hermes"
	FromText     Source = "text" // pasted, or a file of nobody in particular
)

// sourceNames are what people call the sources.
var sourceNames = map[Source]string{
	FromNacre: "Nacre", FromChatGPT: "ChatGPT", FromClaude: "Claude", FromNanobot: "nanobot", FromNuum: "Nuum",
	FromNuggets: "Nuggets", FromNod: "Nod", FromOpenClaw: "OpenClaw", FromHermes: "Hermes", FromText: "a text",
}

// Name is what people call a source; of one that is not known, how it is written down.
func (s Source) Name() string {
	if name, ok := sourceNames[s]; ok {
		return name
	}
	return string(s)
}

// known reports whether a source is one of those above.
func known(s Source) bool { return sourceNames[s] != "" }

// Who says something in a conversation.
type Who string

// Who may say something.
const (
	Owner     Who = "owner"
	Assistant Who = "assistant"
	Others    Who = "others" // another person, or a text that somebody else wrote
)

// Said is one message of a conversation that was held elsewhere.
type Said struct {
	Source Source
	Chat   string // its conversation, unique in the source
	ID     string // unique in the conversation, and the same whenever it is exported again
	Who    Who
	At     time.Time // when it was said; never zero
	Text   string    // as it was said, at most MaxSaid bytes

	Place // where it stands
}

// MaxSaid is how many bytes one message may have; longer ones are left out.
const MaxSaid = 256 << 10

// Place is where something stands in a Parcel.
type Place struct {
	File string // slash-separated; empty where the Parcel is one text
	Line int    // from 1; the number of the entry where a file is one JSON value; 0 for all of it, and never a count
}

// Job is a reminder or a task of another assistant.
type Job struct {
	Place
	Kind     nacre.JobKind // Reminder or Task
	Schedule nacre.Schedule
	Text     string
	Left     string // why it is not to be taken over, as a sentence; empty if it is
}

// Left is what is not taken over, and why.
type Left struct {
	Place
	What string // what it is, in a few words: "a message", "the file", "who may write"; never its content. Where it stands for several it begins with their number: "5 quotes"
	Why  string // as a sentence, which also says what to do where there is something to do
}

// Setting is how the owner wanted something; of our own archive alone.
type Setting struct {
	Place
	Name, Value string // as web.SettingsChange names them
}
