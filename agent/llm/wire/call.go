package wire

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"nacre/agent/llm"
)

const (
	// MaxCalls is how many tools one answer may ask for.
	MaxCalls = 128

	maxArgs = 256 << 10 // bytes of one call's arguments, which every later request repeats
	maxID   = 40        // bytes of an id that OpenAI takes back, the narrowest
	maxName = 64        // characters of a tool's name in OpenAI's format, the narrowest
)

// ErrCalls is the Problem of an answer with more than MaxCalls.
var ErrCalls = Senseless("an answer with too many tool calls", nil)

// IDs knows the ids of the calls of a conversation. Every call needs one that
// no other has, because results are matched by it.
type IDs map[string]bool

// NewIDs returns the ids that the messages of req hold.
func NewIDs(req *llm.Request) IDs {
	ids := IDs{}
	for i := range req.Messages {
		for _, c := range req.Messages[i].Calls {
			ids[c.ID] = true
		}
	}
	return ids
}

// Take returns the id for a new call: the provider's own, or a fresh one where
// that is empty or taken.
func (ids IDs) Take(id string) string {
	if id == "" || len(id) > maxID || ids[id] {
		id = "call_" + rand.Text()
	}
	ids[id] = true
	return id
}

// Args are the arguments of one call, which arrive in pieces.
type Args struct {
	text   strings.Builder
	pieces Literals
}

// Add appends a piece, which is a JSON string, null or nothing.
func (a *Args) Add(raw json.RawMessage) error {
	piece, err := a.pieces.Next(raw)
	if err != nil {
		return err
	}
	return a.append(piece)
}

// Put appends the JSON of arguments that come as such rather than as the text
// of it.
func (a *Args) Put(raw json.RawMessage) error { return a.append(string(raw)) }

func (a *Args) append(piece string) error {
	if a.text.Len()+len(piece) > maxArgs {
		return Senseless("a tool call with more than 256 KiB of arguments", nil)
	}
	a.text.WriteString(piece)
	return nil
}

// Whole reports whether the pieces so far are an object.
func (a *Args) Whole() bool {
	s := a.text.String()
	return strings.HasSuffix(strings.TrimSpace(s), "}") && json.Valid([]byte(s))
}

// End returns the arguments as the model wrote them, which may be no JSON. An
// empty object stands for none.
func (a *Args) End() json.RawMessage {
	a.text.WriteString(a.pieces.End())
	s := a.text.String()
	if strings.TrimSpace(s) == "" {
		s = "{}"
	}
	return json.RawMessage(s)
}

// Object returns stored arguments as the JSON object that providers want to
// see in the history. What is none is wrapped into one, for a single bad call
// would otherwise have every later request refused. So would the escape of
// half a character, which some servers do not read.
func Object(args json.RawMessage) json.RawMessage {
	if s := string(bytes.TrimSpace(args)); s == "" || s == "null" {
		return json.RawMessage("{}")
	}
	var fields map[string]any
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	switch {
	case !json.Valid(args) || d.Decode(&fields) != nil || fields == nil:
		fields = map[string]any{"invalid": string(args)}
	case utf8.Valid(args) && !bytes.Contains(bytes.ToLower(args), []byte(`\ud`)):
		return args
	}
	object, err := Encode(fields)
	if err != nil {
		return json.RawMessage("{}")
	}
	return bytes.TrimSpace(object)
}

// Name returns a tool's name as all providers accept it in the history: models
// invent names that have other characters or no end.
func Name(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z') {
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), maxName)]
}

// Encode returns v as one line of JSON. HTML characters stay as they are: they
// are common in prompts and escaping would only cost bytes.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
