package moving

import (
	"encoding/json"
	"path"
	"time"
)

// event is a line of a transcript of Nuum, or a message of its older form, which has a
// role.
type event struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	ID      string          `json:"id"`
	Created json.RawMessage `json:"createdAt"` // milliseconds since 1970
	Text    string          `json:"text"`
	Content json.RawMessage `json:"content"`
	Parts   json.RawMessage `json:"parts"`
	Payload struct {
		Content string          `json:"content"`
		Text    string          `json:"text"` // its older name
		Caption string          `json:"caption"`
		Widget  json.RawMessage `json:"widget"`
	} `json:"payload"`
}

// events is a transcript while it is read.
type events struct {
	talk
	// private is what the assistant wrote since the owner's last message. It is what the
	// owner saw in transcripts without messages of their own for that, and notes to
	// itself in the others.
	private []Said
	speaks  bool // it has such messages
	strange int  // events of kinds that are not known
}

// nuumTranscript reads what was said to an agent of Nuum, a line an event.
func nuumTranscript(_ *Parcel, e entry, r *reading) error {
	in, err := r.open(e)
	if err != nil {
		return err
	}
	defer in.Close()
	t := events{talk: talk{r: r, source: FromNuum, chat: agentOf(e.name)}}
	err = readLines(in, func(number int, raw []byte) error {
		if len(raw) == 0 {
			return nil
		}
		t.place = e.place(number)
		var ev event
		if !decoded(raw, &ev) || ev.Type == "" && ev.Role == "" {
			return r.left(t.place, "a line", badMessage)
		}
		return t.take(&ev)
	}, func(number int) error { return r.left(e.place(number), "a line", tooLong) })
	if err == nil {
		err = t.flush()
	}
	if err != nil || t.strange == 0 {
		return err
	}
	return r.left(e.place(0), plural(t.strange, "line"), "Nacre does not know what such lines say.")
}

// agentOf is the agent whose transcript a file is: the folder that it lies in.
func agentOf(name string) string {
	if dir := path.Base(path.Dir(name)); dir != "." && dir != "/" {
		return idOf(dir)
	}
	return "transcript"
}

func (t *events) take(ev *event) error {
	at, ok := unixTime(ev.Created, time.Millisecond)
	if !ok {
		return t.r.left(t.place, "a message", badTime)
	}
	kind := ev.Type
	if kind == "" {
		kind = "role " + ev.Role
	}
	switch kind {
	case "wake", "tool", "compact", "profile", "role tool", "role system":
		return nil
	case "user":
		return t.tell(ev, Owner, at, ev.Text)
	case "role user", "role assistant":
		text, ok := partsText(ev.Content)
		if !ok {
			return t.r.left(t.place, "a message", badMessage)
		}
		if ev.Role == "user" {
			return t.tell(ev, Owner, at, text)
		}
		return t.tell(ev, Assistant, at, text)
	case "assistant":
		text, ok := partsText(ev.Parts)
		if !ok {
			return t.r.left(t.place, "a message", badMessage)
		}
		return t.keep(ev, at, text)
	case "message":
		t.speaks, t.private = true, nil
		return t.tell(ev, Assistant, at, ev.shown())
	}
	t.strange++
	return nil
}

// shown is what the owner saw of a message.
func (ev *event) shown() string {
	p := ev.Payload
	var question struct {
		Prompt string `json:"prompt"`
	}
	decoded(p.Widget, &question)
	for _, text := range []string{p.Content, p.Text, p.Caption} {
		if text != "" {
			return text
		}
	}
	return question.Prompt
}

// id is the id of an event, or what is made of its words where it has none.
func (ev *event) id(text string) string {
	if ev.ID != "" {
		return idOf(ev.ID)
	}
	return hashed(string(ev.Created), ev.Type+ev.Role, text)
}

// tell hands over a message, behind what waited for it.
func (t *events) tell(ev *event, who Who, at time.Time, text string) error {
	if err := t.flush(); err != nil {
		return err
	}
	return t.say(ev.id(text), who, at, withoutThoughts(text))
}

// maxPrivate is how many texts wait to be known as messages or as notes.
const maxPrivate = 64

// keep keeps what the assistant wrote until it is known whether the owner saw it.
func (t *events) keep(ev *event, at time.Time, text string) error {
	if t.speaks || text == "" || len(text) > MaxSaid {
		return nil
	}
	t.private = append(t.private, Said{ID: ev.id(text), At: at, Text: text, Place: t.place})
	if len(t.private) < maxPrivate {
		return nil
	}
	return t.flush()
}

// flush hands over what was kept: the owner saw it.
func (t *events) flush() error {
	here := t.place
	defer func() { t.place = here }()
	for _, s := range t.private {
		t.place = s.Place
		if err := t.say(s.ID, Assistant, s.At, withoutThoughts(s.Text)); err != nil {
			return err
		}
	}
	t.private = nil
	return nil
}
