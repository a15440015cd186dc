package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
	"nacre/memory/moving"
	"nacre/web"
)

// movingDesk is what an owner brings from elsewhere, and takes along. It is a
// web.Moving.
type movingDesk struct {
	app *app
	by  web.Hand
}

// Moving implements web.Desk.
func (a *app) Moving(h web.Hand) web.Moving { return movingDesk{a, h} }

// Archive implements web.Moving.
func (m movingDesk) Archive(ctx context.Context, w io.Writer) error {
	owner := m.app.ownerOf(m.by)
	chats, err := m.app.ledger.Chats(ctx, owner)
	if err != nil {
		return err
	}
	t := &taking{memoryDesk{m.app, owner, m.by.By}, ctx, moving.NewArchive(w, time.Now().UTC().Format(time.RFC3339)), chats}
	for _, step := range []func() error{t.settings, t.files, t.history, t.notes, t.jobs, t.to.Close} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// taking is an archive while it is made.
type taking struct {
	memoryDesk
	ctx   context.Context
	to    *moving.Archive
	chats map[nacre.SessionID]nacre.Chat
}

// settings takes the settings that are the owner's own.
func (t *taking) settings() error {
	mine := t.app.settings.of(t.owner)
	for _, name := range settingNames {
		if text := mine.text(name); text != "" {
			if err := t.to.Setting(moving.ArchiveSetting{Name: name, Value: text}); err != nil {
				return err
			}
		}
	}
	return nil
}

// files takes the files of the owner's folder.
func (t *taking) files() error {
	list, err := t.app.folder.Owns(t.owner)
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := t.to.File(f.Name, []byte(f.Text)); err != nil {
			return err
		}
	}
	shown, err := readBelow(filepath.Join(t.app.cfg.Data, "owners", string(t.owner)), "MEMORY.md")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.to.File("MEMORY.md", shown)
}

// readBelow reads a file of a directory, and none to which a link leads out of it.
func readBelow(dir, name string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(name)
}

// history takes what was said, the oldest first.
func (t *taking) history() error {
	var failed error
	err := t.app.archive.Everything(t.ctx, t.owner, func(s ledger.Saying) bool {
		failed = t.to.Said(t.said(s))
		return failed == nil
	})
	return cmp.Or(failed, err)
}

// said is what was said, as it is taken along. Words of strangers in a message of the
// owner's are not the owner's elsewhere.
func (t *taking) said(s ledger.Saying) moving.ArchiveSaid {
	out := moving.ArchiveSaid{Source: moving.FromNacre, Chat: string(s.Session), ID: string(s.Message), Who: moving.Others, At: s.Sent, Text: s.Text,
		Group: s.Scope != memory.Private}
	chat := t.chats[s.Session]
	switch {
	case chat.Channel == nacre.Elsewhere:
		out.Source, out.Chat = archivedChat(chat)
		out.ID, out.Who = archivedName(string(s.External)), whoElsewhere(s.Author, out.Source)
	case s.Answer:
		out.ID, out.Who = string(s.Turn)+answerEnd, moving.Assistant
	case s.Own && !s.Strange:
		out.Who = moving.Owner
	case !s.Own && s.Author != nacre.Address{}:
		out.Name = s.Author.String()
	}
	return out
}

// archivedChat is what our archives call a conversation that was taken over.
func archivedChat(c nacre.Chat) (moving.Source, string) {
	_, rest, _ := strings.Cut(string(c.ID), "/")
	source, stored, _ := strings.Cut(rest, "/")
	return moving.Source(source), archivedName(stored)
}

// whoElsewhere is who said something that was taken over; authorElsewhere made the Address.
func whoElsewhere(a nacre.Address, s moving.Source) moving.Who {
	switch a.ID {
	case nacre.ElsewhereOwner:
		return moving.Owner
	case string(s):
		return moving.Assistant
	}
	return moving.Others
}

// notes takes all notes of which there is something to show, then the words that they
// rest on, as far as they still stand.
func (t *taking) notes() error {
	state, err := t.book().State(t.ctx)
	if err != nil {
		return err
	}
	list := inOrder(everything(state))
	for _, n := range list {
		if err := t.to.Note(archivedNote(n)); err != nil {
			return err
		}
	}
	sessions := map[nacre.Chat]nacre.SessionID{}
	for id, chat := range t.chats {
		sessions[chat] = id
	}
	for _, n := range list {
		if err := t.evidence(n, sessions); err != nil {
			return err
		}
	}
	return nil
}

func archivedNote(n *memory.Note) moving.ArchiveNote {
	return moving.ArchiveNote{Area: n.Slot.Area, Slug: n.Slot.Slug, Scope: n.Slot.Scope, Text: n.Text, Abstract: n.Abstract, Kind: n.Kind, Entities: n.Entities,
		From: n.Valid.From.String(), To: n.Valid.To.String(), Event: n.Event.String(), Expires: n.Expires.String(), Status: n.Status, Origin: n.Origin,
		Pinned: n.Pinned, Sensitive: string(n.Topic), Recorded: n.Recorded.From, Until: n.Recorded.To}
}

// evidence takes the words that a note rests on.
func (t *taking) evidence(n *memory.Note, sessions map[nacre.Chat]nacre.SessionID) error {
	quotes, err := t.book().Quotes(t.ctx, n)
	if err != nil || len(quotes) == 0 {
		return err
	}
	ids := make([]nacre.MessageID, len(quotes))
	for i, q := range quotes {
		ids[i] = q.Evidence.Message
	}
	elsewhere, err := t.app.ledger.CalledElsewhere(t.ctx, t.owner, ids)
	if err != nil {
		return err
	}
	about := archivedNote(n)
	for _, q := range quotes {
		e := moving.ArchiveEvidence{Note: about.Key(), Scope: about.Scope, Recorded: about.Recorded, Source: moving.FromNacre,
			Chat: string(sessions[q.Chat]), Message: string(q.Evidence.Message), Quote: q.Text, At: q.Evidence.Sent}
		if name, ok := elsewhere[q.Evidence.Message]; ok {
			e.Source, e.Chat = archivedChat(q.Chat)
			e.Message = archivedName(string(name))
		}
		if err := t.to.Evidence(e); err != nil {
			return err
		}
	}
	return nil
}

// jobs takes the jobs whose words can still be read; the heartbeat is everywhere.
func (t *taking) jobs() error {
	list, err := t.app.board.Jobs(t.ctx, t.owner)
	if err != nil {
		return err
	}
	for _, j := range list {
		if j.Kind == nacre.Heartbeat || j.Text == "" {
			continue
		}
		if err := t.to.Job(moving.ArchiveJob{Kind: j.Kind, Schedule: j.Schedule, Text: j.Text, State: j.State}); err != nil {
			return err
		}
	}
	return nil
}
