package agent

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/prompt"
)

// Forget takes out of the live sessions of an owner what redact finds: of past
// turns and what stands for them, of the turn in progress with its answer and
// its files, and of all that this turn says from then on. Redact blanks it in a
// text and tells whether it was there; it is called from several goroutines. If
// it finds everything, a session forgets its past, and its history keeps nothing
// of the turn in progress. Sessions that are not live hold no words.
//
// Each session does it itself, before its next request, before it shows a
// piece of an answer and before it stores anything; an idle one is woken for it.
// A request that was made before may still be under way when Forget returns,
// but nothing of it is stored or shown as it is, and what was stored before is
// in the journal for all to see: call it, then look there. It waits for what is
// being stored, so its caller must not hold up the Journal. A tool, a command and
// Memory.Answer may cause it.
func (a *Sessions) Forget(owner nacre.OwnerID, redact func(text string) (string, bool)) {
	r := newRedaction(redact)
	for _, s := range a.of(owner) {
		s.storing.Lock()
		s.forgets = append(s.forgets, r)
		s.storing.Unlock()
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
}

// of are the live sessions of an owner, errands included.
func (a *Sessions) of(owner nacre.OwnerID) []*session {
	a.mu.Lock()
	defer a.mu.Unlock()
	var list []*session
	for _, s := range a.live {
		if s.info.Owner == owner {
			list = append(list, s)
		}
	}
	for s := range a.errands {
		if s.info.Owner == owner {
			list = append(list, s)
		}
	}
	return list
}

// forget takes what is to be forgotten out of the session and of the turn in
// progress, nil if there is none. It returns true if there was anything new.
func (s *session) forget(t *turn) bool {
	s.storing.Lock()
	defer s.storing.Unlock()
	return s.forgetHeld(t)
}

// forgetHeld is forget while storing is held.
func (s *session) forgetHeld(t *turn) (anew bool) {
	for _, r := range s.forgets {
		anew = true
		s.forgetOne(r)
		if t != nil {
			t.forgetOne(r)
		}
	}
	s.forgets = nil
	if t != nil {
		for _, r := range t.forgets {
			t.redact(r)
		}
	}
	return anew
}

// forgetOne takes one thing out of what came before the turn in progress.
func (s *session) forgetOne(r redaction) {
	s.frozen = Frozen{}
	if r.all {
		s.head, s.past, s.reminded = nil, nil, nil
		return
	}
	s.head = r.messages(s.head)
	for _, list := range [][]past{s.past, s.reminded} {
		for i := range list {
			list[i].messages = r.messages(list[i].messages)
		}
	}
}

// forgetOne takes one thing out of a turn, now and whenever it has said more.
// Reasoning that is kept for a provider may repeat it. Once everything is
// forgotten there is nothing to repeat.
func (t *turn) forgetOne(r redaction) {
	for i := range t.said {
		t.said[i].Blob = nil
	}
	t.evidence, t.recalled = Evidence{}, r.all // what was found may rest on it, and is looked for anew
	if !r.all {
		t.forgets = append(t.forgets, r)
		return
	}
	t.redact(r)
	t.blank = true
	if t.answer != "" || t.question != "" {
		t.answer, t.question, t.options, t.files = forgotten, "", nil, nil
	}
	t.tells = nil
}

// forgotten is what people read in the place of an answer to what they wanted
// forgotten.
const forgotten = "I was told to forget everything while I was answering, my answer included."

// redact takes what is forgotten out of all words of a turn.
func (t *turn) redact(r redaction) {
	t.said = r.messages(t.said)
	t.answer, t.question = r.text(t.answer), r.text(t.question)
	if r.text(t.evidence.Text) != t.evidence.Text {
		t.evidence = Evidence{} // found before it was forgotten
	}
	for i := range t.tells {
		t.tells[i] = r.text(t.tells[i])
	}
	t.options = slices.Clone(t.options)
	for i := range t.options {
		t.options[i] = r.text(t.options[i])
	}
	t.files = slices.Clone(t.files)
	for i := range t.files {
		t.files[i] = r.file(t.files[i])
	}
	for i := range t.heard {
		t.heard[i].Segments = r.segments(t.heard[i].Segments)
	}
	for i := range t.fetch {
		t.fetch[i].message.Segments = r.segments(t.fetch[i].message.Segments)
	}
	t.last.Segments = r.segments(t.last.Segments)
}

// showable is a piece of an answer without what is forgotten.
func (s *session) showable(t *turn, text string) string {
	s.storing.Lock()
	defer s.storing.Unlock()
	for _, r := range t.forgets {
		text = r.text(text)
	}
	for _, r := range s.forgets {
		text = r.text(text)
	}
	return text
}

// redaction is one thing that is to be forgotten.
type redaction struct {
	blank func(string) (string, bool)
	all   bool // it finds everything
}

// nothing is a text that says nothing; only who finds everything finds it.
const nothing = "xqzj"

func newRedaction(blank func(string) (string, bool)) redaction {
	_, all := blank(nothing)
	return redaction{blank, all}
}

// text is a text without what is forgotten. A prompt takes no empty text.
func (r redaction) text(text string) string {
	blanked, found := r.blank(text)
	if !found || text == "" {
		return text
	}
	return cmp.Or(blanked, "*")
}

// messages are messages without it; the same slice if none holds it. What a
// provider keeps with any of them may repeat it, and goes.
func (r redaction) messages(list []llm.Message) []llm.Message {
	out, found := slices.Clone(list), false
	for i := range out {
		found = r.message(&out[i]) || found
	}
	if !found {
		return list
	}
	for i := range out {
		out[i].Blob = nil
	}
	return out
}

// message takes it out of a message, and reports whether it was there.
func (r redaction) message(m *llm.Message) (found bool) {
	text := prompt.Rewrite(m.Text, r.text)
	found = text != m.Text
	m.Text, m.Calls = text, slices.Clone(m.Calls)
	for i := range m.Calls {
		args := r.args(m.Calls[i].Args)
		found = found || !bytes.Equal(args, m.Calls[i].Args)
		m.Calls[i].Args = args
	}
	if r.all {
		m.Images = nil
	}
	return found
}

// args are the arguments of a call without it. They stay JSON.
func (r redaction) args(raw json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var args any
	if err := d.Decode(&args); err != nil {
		return raw // storable makes JSON of all of them
	}
	blanked, found := r.value(args)
	if !found {
		return raw
	}
	out, err := json.Marshal(blanked)
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return out
}

// value is a value of JSON without it, and whether it was there. A number that
// is forgotten becomes a text.
func (r redaction) value(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		text := r.text(v)
		return text, text != v
	case json.Number:
		if text := r.text(v.String()); text != v.String() {
			return text, true
		}
	case []any:
		found := false
		for i := range v {
			var ok bool
			v[i], ok = r.value(v[i])
			found = found || ok
		}
		return v, found
	case map[string]any:
		return r.object(v)
	}
	return v, false
}

func (r redaction) object(in map[string]any) (any, bool) {
	out, found := make(map[string]any, len(in)), false
	for k, v := range in {
		key := r.text(k)
		value, ok := r.value(v)
		found = found || ok || key != k
		out[key] = value
	}
	return out, found
}

// file is a file without it; one that is no text stays as it is.
func (r redaction) file(f nacre.File) nacre.File {
	f.Name = r.text(f.Name)
	if utf8.Valid(f.Data) {
		f.Data = []byte(r.text(string(f.Data)))
	}
	return f
}

func (r redaction) segments(list []nacre.Segment) []nacre.Segment {
	out := slices.Clone(list)
	for i := range out {
		out[i].Text = r.text(out[i].Text)
	}
	return out
}
