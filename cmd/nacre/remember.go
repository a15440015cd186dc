package main

import (
	"context"
	"sync"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/distill"
	"nacre/agent/notebook"
	"nacre/agent/reflect"
	"nacre/memory"
	"nacre/memory/folder"
	"nacre/web"
)

// wireMemory builds what memory is made of. It is called once, before anything
// runs; hear is told of them once the sessions exist.
func (a *app) wireMemory(log memory.Log, model agent.Choice, poll bool) *notebook.Notebook {
	a.library = memory.NewLibrary(log, a.zoneOf)
	distiller := distill.New(distill.Options{Model: model.Model, Simple: model.Simple, Log: a.log})
	a.folder = folder.New(folder.Options{Dir: a.cfg.Data, Library: a.library, Poll: poll, Ledger: a.ledger, Tell: a.tell, Log: a.log,
		Edited: func(owner nacre.OwnerID) { a.page.Changed(owner, web.TopicFiles) }})
	a.reflector = reflect.New(reflect.Options{
		Library:   a.library,
		Log:       a.ledger,
		Distiller: distiller,
		Steering:  func(owner nacre.OwnerID) (string, error) { return a.ownText(owner, folder.Reflect) },
		Zone:      a.zoneOf,
		Logger:    a.log,
	})
	a.notes = notebook.New(notebook.Options{
		Library:   a.library,
		Log:       a.ledger,
		Distiller: distiller,
		Zone:      a.zoneOf,
		Person:    a.personOf,
		Voice:     a.voice,
		Logger:    a.log,
		Keys:      a.noteKeys(),
		Selected:  a.selected,
	})
	return a.notes
}

// watchMemory tells everybody who keeps something of memory what happens to it.
func (a *app) watchMemory(n *notebook.Notebook) {
	a.library.Watch(memory.Hooks{
		Changed: func(owner nacre.OwnerID) {
			a.folder.Changed(owner)
			a.page.Changed(owner, web.TopicMemory)
		},
		Planning: func(ctx context.Context, owner nacre.OwnerID) {
			if _, err := a.folder.Sync(ctx, owner); err != nil {
				a.log.Warn("hand edits were not read before a forgetting", "owner", owner, "err", err)
			}
		},
		Forgetting: func(owner nacre.OwnerID, needle *memory.Needle) {
			a.sessions.Forget(owner, needle.Redact)
		},
		Forgotten: func(ctx context.Context, owner nacre.OwnerID, now *memory.State, needle *memory.Needle) (prose, pending []string) {
			n.Forgotten()
			a.forgetFound(owner, needle != nil)
			a.settings.read(ctx, owner)
			defer a.forgotten(owner)
			prose, pending = a.folder.Forgotten(ctx, owner, now, needle)
			return prose, append(pending, a.backups.forgotten(ctx)...)
		},
		Cut: func(ctx context.Context, owner nacre.OwnerID, needle *memory.Needle) error {
			defer a.page.Changed(owner, web.TopicForgotten)
			return a.folder.Cut(ctx, owner, needle)
		},
	})
}

// forgotten tells an owner's pages that something was forgotten, which can have stood
// anywhere.
func (a *app) forgotten(owner nacre.OwnerID) {
	for _, topic := range []web.Topic{web.TopicForgotten, web.TopicMemory, web.TopicFiles, web.TopicJobs, web.TopicSettings, web.TopicAccess} {
		a.page.Changed(owner, topic)
	}
}

// openFolders reads back what hands wrote in the owners' folders while nothing
// ran, and makes that of the operator. Others get theirs with their first note. A
// folder that cannot be made costs its files and nothing else.
func (a *app) openFolders(ctx context.Context) {
	owners, err := a.ledger.Owners(ctx)
	if err != nil {
		a.log.Error("owners' files are not kept in step", "err", err)
	}
	for _, o := range owners {
		if !o.Operator && !a.folder.Exists(o.ID) {
			continue
		}
		if err := a.folder.Open(ctx, o.ID); err != nil && ctx.Err() == nil {
			a.log.Error("an owner's files are not kept in step", "owner", o.ID, "err", err)
		}
	}
}

// keepMemory keeps the owners' folders in step, sends checkpoints and runs what is
// due until the function that it returns is called.
func (a *app) keepMemory(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { a.anchor(ctx) })
	work.Go(func() { a.runClock(ctx) })
	work.Go(func() { a.watchChannels(ctx) })
	work.Go(func() { a.learnStyles(ctx) })
	work.Go(func() {
		a.openFolders(ctx)
		if err := a.folder.Run(ctx); err != nil && ctx.Err() == nil {
			a.log.Error("hand edits of memory are not noticed any more", "err", err)
		}
	})
	return func() { cancel(); work.Wait() }
}

// voice is who the assistant is to an owner.
func (a *app) voice(owner nacre.OwnerID) string {
	words, err := a.folder.Voice(owner)
	if err != nil {
		a.log.Warn("SOUL.md cannot be read; the built-in voice speaks", "owner", owner, "err", err)
	}
	return words
}

// tell says something to an owner unasked, where they wrote last in private and
// messages are taken. One who cannot be reached is told nothing.
func (a *app) tell(ctx context.Context, owner nacre.OwnerID, text string) {
	a.tellBeside(ctx, owner, "", text)
}

// tellBeside is tell, but never on one channel, which is what is told of.
func (a *app) tellBeside(ctx context.Context, owner nacre.OwnerID, not nacre.ChannelName, text string) {
	chat, found, err := a.reachable(ctx, owner, not)
	if err == nil && !found {
		a.log.Warn("a notice has no chat to go to", "owner", owner)
		return
	}
	r := nacre.Reply{ID: nacre.ReplyID(nacre.NewID(time.Now())), Chat: chat, Text: text}
	var list []nacre.Delivery
	if err == nil {
		list, err = a.ledger.Post(ctx, owner, nacre.RenderedReply{ID: r.ID, Chat: r.Chat, Parts: a.gateway.Render(r)})
	}
	if err != nil {
		a.log.Error("a notice could not be sent", "owner", owner, "err", err)
		return
	}
	a.gateway.Post(list)
}

// reachable is the private chat in which an owner wrote last of those that take
// messages, leaving one channel out.
func (a *app) reachable(ctx context.Context, owner nacre.OwnerID, not nacre.ChannelName) (chat nacre.Chat, found bool, err error) {
	homes, err := a.ledger.Homes(ctx, owner)
	for _, h := range homes {
		if h.Chat.Channel == not {
			continue
		}
		gone, err := a.ledger.Gone(ctx, h.Chat)
		if err != nil || !gone {
			return h.Chat, err == nil, err
		}
	}
	return nacre.Chat{}, false, err
}
