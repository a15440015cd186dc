package web

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"nacre"
	"nacre/gateway/live"
)

const (
	// maxRequest is the longest frame that a page may send, in bytes.
	maxRequest = 64 << 10
	// writeWait is how long one frame without a file may take to leave before
	// the page counts as dead.
	writeWait = 10 * time.Second
	// slowest is how many bytes of a file a page must take in a second.
	slowest = 64 << 10
)

// frameKind says what a frame is; the package comment lists what they mean.
type frameKind string

const (
	frameReady  frameKind = "ready"
	frameSay    frameKind = "say"
	frameStored frameKind = "stored"
	frameSaid   frameKind = "said"
	framePart   frameKind = "part"
	frameShown  frameKind = "shown"
	framePress  frameKind = "press"
	frameChosen frameKind = "chosen"
	frameStream frameKind = "stream"
	frameTyping frameKind = "typing"
	frameChange frameKind = "changed"
	frameError  frameKind = "error"
)

// Topic is something that pages show and that changes behind them.
type Topic string

// The topics.
const (
	TopicMemory   Topic = "memory"
	TopicFiles    Topic = "files"
	TopicJobs     Topic = "jobs"
	TopicSettings Topic = "settings"
	TopicAccess   Topic = "access"
	TopicChannels Topic = "channels" // also who waits to be admitted

	// TopicForgotten says that something was forgotten, so that a page drops
	// whatever it shows and reads it anew.
	TopicForgotten Topic = "forgotten"
)

// frame is what the server sends.
type frame struct {
	T        frameKind     `json:"t"`
	Owner    nacre.OwnerID `json:"owner,omitempty"` // whose page it is
	Mark     string        `json:"mark,omitempty"`  // another after each forgetting, and for each process
	ID       string        `json:"id,omitempty"`
	Text     string        `json:"text,omitempty"`
	Turn     nacre.TurnID  `json:"turn,omitempty"`
	Question nacre.ReplyID `json:"question,omitempty"`
	Options  []string      `json:"options,omitempty"`
	File     *nacre.File   `json:"file,omitempty"`

	// Files are the names of what came with a message.
	Files []string `json:"files,omitempty"`

	// Topics are what is different now.
	Topics []Topic `json:"topics,omitempty"`

	// Repeat is set on a part that an earlier process may have shown.
	Repeat bool `json:"repeat,omitempty"`
}

// burden is how much longer than another a page may take for f, because of its
// file.
func (f frame) burden() time.Duration {
	if f.File == nil {
		return 0
	}
	return time.Duration(base64.StdEncoding.EncodedLen(len(f.File.Data))/slowest) * time.Second
}

// request is a frame that a page sends.
type request struct {
	T        frameKind     `json:"t"`
	ID       string        `json:"id"`
	Text     string        `json:"text"`
	Question nacre.ReplyID `json:"question"`
	Option   int           `json:"option"`
}

// parseRequest reads what a page sent. A request which is refused returns its
// id where that is sound, so that the answer can name it, and an error that is
// a sentence for the person.
func parseRequest(data []byte) (request, error) {
	var r request
	if err := json.Unmarshal(data, &r); err != nil {
		return request{}, errStrange()
	}
	named, asked := live.SoundID(r.ID), live.SoundID(string(r.Question))
	switch {
	case r.T == frameSay && named && !live.Visible(r.Text):
		return request{ID: r.ID}, nacre.Errorf(nacre.Invalid, "The message was empty.")
	case r.T == frameSay && named, r.T == frameShown && named, r.T == framePress && asked:
		return r, nil
	case named:
		return request{ID: r.ID}, errStrange()
	}
	return request{}, errStrange()
}

func errStrange() error {
	return nacre.Errorf(nacre.Invalid, "Nacre did not understand this page; load it anew.")
}
