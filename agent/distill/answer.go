package distill

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"nacre/agent/llm"
)

// maxNotes bounds the notes of an answer. Of one with more nothing is taken.
const maxNotes = 20

// What is wrong with an answer as a whole. The words are told to the model that
// wrote it.
var (
	errEmpty  = errors.New("it was empty")
	errProse  = errors.New(`it held no complete JSON object with the list "notes"`)
	errNoList = errors.New(`"notes" was no list`)
	errTypes  = errors.New("no note in it had the right types")
	errMany   = fmt.Errorf("it held more than %d notes", maxNotes)
)

// note is one note of an answer. All of it is the model's word alone.
type note struct {
	message, quote          string
	area, slug, text        string
	sensitive               *bool // nil if it was not said
	abstract, kind          string
	from, to, event, expiry string
	entities, replaces      list
}

// parseAnswer reads an answer. It reports how many of its notes could not be
// read, and an error if that is the answer as a whole.
func parseAnswer(text string) (notes []note, unread int, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, 0, errEmpty
	}
	raw, err := listed(text)
	if err != nil {
		return nil, 0, err
	}
	if len(raw) > maxNotes {
		return nil, 0, errMany
	}
	for _, r := range raw {
		if n, ok := parseNote(r); ok {
			notes = append(notes, n)
		}
	}
	if unread = len(raw) - len(notes); unread > 0 && len(notes) == 0 {
		return nil, unread, errTypes
	}
	return notes, unread, nil
}

// listed finds the notes of an answer, whatever stands around them.
func listed(text string) ([]json.RawMessage, error) {
	object, err := llm.Object(text, "notes")
	if err != nil {
		return nil, errProse
	}
	var answer struct{ Notes []json.RawMessage }
	if json.Unmarshal(object, &answer) != nil || answer.Notes == nil {
		return nil, errNoList
	}
	return answer.Notes, nil
}

// fields are those of one note. What is not listed below is nobody's business:
// who said it and who agreed to it is not for a model to say.
type fields map[string]json.RawMessage

// parseNote reads one note. It fails where something that every note needs has
// another type; what is missing is left to Review. An optional field of another
// type is left out.
func parseNote(raw json.RawMessage) (n note, ok bool) {
	var f fields
	if json.Unmarshal(raw, &f) != nil || f == nil {
		return n, false
	}
	ok = read(f, "message", &n.message) && read(f, "quote", &n.quote) && read(f, "area", &n.area) &&
		read(f, "slug", &n.slug) && read(f, "text", &n.text) && read(f, "sensitive", &n.sensitive)
	read(f, "abstract", &n.abstract)
	read(f, "kind", &n.kind)
	read(f, "entities", &n.entities)
	read(f, "from", &n.from)
	read(f, "to", &n.to)
	read(f, "event", &n.event)
	read(f, "expires", &n.expiry)
	read(f, "replaces", &n.replaces)
	return n, ok
}

// read decodes a field into a value, which is left alone where the field is
// missing. It reports whether the type was right.
func read[T any](f fields, name string, into *T) bool {
	raw, ok := f[name]
	if !ok {
		return true
	}
	var v T
	if json.Unmarshal(raw, &v) != nil {
		return false
	}
	*into = v
	return true
}

// list is texts. One that stands alone is a list too.
type list []string

// UnmarshalJSON implements json.Unmarshaler.
func (l *list) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		if one != "" {
			*l = list{one}
		}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(l))
}
