package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/prompt"
)

// maxAttachment bounds the bytes of an attachment that is fetched: what a bot
// may fetch from Telegram.
const maxAttachment = 20 << 20

// arrival is a message that came with attachments, and the place of its words
// in the turn.
type arrival struct {
	message nacre.Message
	at      int
}

// attach fetches and reads the attachments of a turn's messages. What cannot be
// read is said in the answer, and the conversation goes on.
func (s *session) attach(ctx context.Context, t *turn) {
	for _, a := range t.fetch {
		m, images := a.message, []llm.Image(nil)
		for place := range m.Attachments {
			r, err := s.reading(ctx, &m, place)
			if err != nil {
				t.log.Warn("attachment not read", "message", m.ID, "kind", nacre.KindOf(err))
				t.note(sentence(err))
				m.Segments = append(m.Segments, nacre.Segment{Provenance: nacre.Label, Text: "[a file that could not be read]"})
				continue
			}
			t.answerable = true
			if r.Image != nil {
				images = append(images, llm.Image{Ref: ref(m.ID, place), MIME: r.MIME, Data: r.Image})
			}
			if r.Text.Text != "" {
				m.Segments = append(m.Segments, r.Text)
			}
		}
		t.rehear(m)
		t.said[a.at] = prompt.User(&m)
		t.said[a.at].Images = images
	}
	t.fetch = nil
}

// note says once what went wrong on the way.
func (t *turn) note(sentence string) {
	if !slices.Contains(t.notes, sentence) {
		t.notes = append(t.notes, sentence)
	}
}

// reading makes of an attachment what a model can take. What was made before,
// by a turn that a crash cut short, is not made again.
func (s *session) reading(ctx context.Context, m *nacre.Message, place int) (nacre.Reading, error) {
	if r, err := s.agent.opts.Journal.Reading(ctx, s.info.Owner, m.ID, place); err == nil {
		return r, nil
	}
	data, err := s.bytes(ctx, m, place)
	if err != nil {
		return nacre.Reading{}, err
	}
	r, err := s.agent.opts.Media.Read(ctx, s.info.Owner, m.Attachments[place], data)
	if err != nil {
		return r, err
	}
	if r.Text.Provenance == nacre.ByVoice {
		r.Text.Provenance = cmp.Or(m.Attachments[place].Spoken, nacre.ByVoice)
	}
	return r, s.agent.opts.Journal.PutReading(ctx, s.info.Owner, m.ID, place, r)
}

// bytes are those of an attachment, stored for good before anything is made of
// them.
func (s *session) bytes(ctx context.Context, m *nacre.Message, place int) ([]byte, error) {
	data, err := s.agent.opts.Journal.Attachment(ctx, s.info.Owner, m.ID, place)
	if nacre.KindOf(err) != nacre.NotFound {
		return data, err
	}
	a := m.Attachments[place]
	switch {
	case a.Ref == "" && a.Bytes > maxAttachment:
		return nil, nacre.Errorf(nacre.Invalid, "That file is too large for me to fetch.")
	case a.Ref == "":
		return nil, nacre.Errorf(nacre.NotFound, "That file is not there any more.")
	}
	data, err = s.agent.opts.Host.Fetch(ctx, s.info.Chat, a.Ref, maxAttachment)
	if err != nil {
		return nil, unfetched(err)
	}
	return data, s.agent.opts.Journal.PutAttachment(ctx, s.info.Owner, m.ID, place, a.Kind, data)
}

// ref names the attachment that an image was made of.
func ref(m nacre.MessageID, place int) string { return fmt.Sprintf("%s/%d", m, place) }

// restore gives stored messages their images back. One whose bytes are gone
// stays without, and its message says so.
func (s *session) restore(messages []llm.Message) {
	for i := range messages {
		for j := range messages[i].Images {
			s.restoreImage(&messages[i].Images[j])
		}
	}
}

func (s *session) restoreImage(image *llm.Image) {
	id, place, _ := strings.Cut(image.Ref, "/")
	n, err := strconv.Atoi(place)
	if err != nil {
		return
	}
	r, err := s.agent.opts.Journal.Reading(s.agent.turns, s.info.Owner, nacre.MessageID(id), n)
	if err != nil {
		s.log.Warn("image not restored", "message", id, "kind", nacre.KindOf(err))
	}
	image.Data = r.Image
}

func hasImages(req llm.Request) bool {
	for _, m := range req.Messages {
		if len(m.Images) > 0 {
			return true
		}
	}
	return false
}

// unfetched is the error, with a sentence for the person, of an attachment that
// the network did not give.
func unfetched(err error) error {
	var e *nacre.Error
	if errors.As(err, &e) && (e.Kind == nacre.Invalid || e.Kind == nacre.NotFound) {
		return err
	}
	return nacre.Errorf(nacre.Transient, "I could not fetch the file that came with your message; please send it again.")
}
