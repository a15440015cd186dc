package agent

import (
	"context"
	"errors"

	"nacre"
)

// maxAttachment bounds the bytes of an attachment that is fetched: what a bot
// may fetch from Telegram.
const maxAttachment = 20 << 20

// fetch stores the attachments of a turn's messages. What cannot be fetched is
// said in the answer, and the conversation goes on.
func (s *session) fetch(ctx context.Context, t *turn) {
	for _, m := range t.fetch {
		for place, a := range m.Attachments {
			if err := s.fetchOne(ctx, m.ID, place, a); err != nil {
				t.log.Warn("attachment not fetched", "message", m.ID, "kind", nacre.KindOf(err))
				t.notes = append(t.notes, fetchSentence(err))
			}
		}
	}
	t.fetch = nil
}

func (s *session) fetchOne(ctx context.Context, m nacre.MessageID, place int, a nacre.Attachment) error {
	if a.Ref == "" {
		return nacre.Errorf(nacre.Invalid, "That file is too large for me to fetch.")
	}
	data, err := s.agent.opts.Host.Fetch(ctx, s.info.Chat, a.Ref, maxAttachment)
	if err != nil {
		return err
	}
	return s.agent.opts.Journal.PutAttachment(ctx, s.info.Owner, m, place, a.Kind, data)
}

func fetchSentence(err error) string {
	var e *nacre.Error
	if errors.As(err, &e) && (e.Kind == nacre.Invalid || e.Kind == nacre.NotFound) {
		return sentence(err)
	}
	return "I could not fetch the file that came with your message; please send it again."
}
