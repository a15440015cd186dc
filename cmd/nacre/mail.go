package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/gmail"
	"nacre/agent/llm"
	"nacre/agent/style"
	"nacre/web"
)

// wireMail builds what reaches the owners' Gmail, and what learns from it how they
// write. writer describes; the offline model cannot, and leaves it to be measured.
func (a *app) wireMail(o outside, writer agent.Choice) {
	a.learning = make(chan nacre.OwnerID, mostLearning)
	a.mail = gmail.New(gmail.Options{Store: mailStore{a.ledger}, Google: a.cfg.Google, HTTP: o.google, Log: a.log, Now: time.Now})
	var model llm.Model
	if !writer.Simple {
		model = writer.Model
	}
	a.styles = style.New(style.Options{Mailbox: a.mail, Model: model, Library: a.library, Logger: a.log, Now: time.Now})
}

// mailSetting is the name under which the ledger keeps an owner's Gmail, among their
// settings: sealed, gone for good with what replaces it, and gone when all is
// forgotten. It is none of settingNames, so that nothing shows it.
const mailSetting = "gmail"

// mailStore keeps Gmail accounts in the ledger. It is a gmail.Store.
type mailStore struct{ settings settingsStore }

// Account implements gmail.Store.
func (m mailStore) Account(ctx context.Context, owner nacre.OwnerID) (*gmail.Account, error) {
	kept, err := m.settings.OwnSettings(ctx, owner)
	text, ok := kept[mailSetting]
	if err != nil || !ok {
		return nil, err
	}
	account := &gmail.Account{}
	return account, json.Unmarshal(text, account)
}

// Keep implements gmail.Store.
func (m mailStore) Keep(ctx context.Context, owner nacre.OwnerID, account *gmail.Account) error {
	var text json.RawMessage
	if account != nil {
		var err error
		if text, err = json.Marshal(account); err != nil {
			return err
		}
	}
	return m.settings.PutSettings(ctx, owner, map[string]json.RawMessage{mailSetting: text})
}

// mostLearning bounds the owners whose style waits to be learned; the hourly round
// learns that of others.
const mostLearning = 16

// connected lets follow what has to when an owner's Gmail was connected: their pages
// show it, and what they sent is read at once.
func (a *app) connected(owner nacre.OwnerID) {
	a.log.Info("a Gmail account was connected", "owner", owner)
	a.page.Changed(owner, web.TopicSettings)
	select {
	case a.learning <- owner:
	default:
	}
}

// consented takes the address to which Google sent a browser in which nobody is logged
// in.
func (a *app) consented(ctx context.Context, address string) error {
	owner, err := a.mail.Finish(ctx, "", address)
	if err == nil {
		a.connected(owner)
	}
	return err
}

// learnStyles learns the styles of owners who connected their Gmail, until ctx ends.
// One that cannot be learned now is by the hourly round.
func (a *app) learnStyles(ctx context.Context) {
	for {
		select {
		case owner := <-a.learning:
			if err := a.clock.RunRound(ctx, owner, nacre.RoundStyle); err != nil && ctx.Err() == nil {
				a.log.Log(ctx, levelOf(err), "the writing style was not learned yet; the next hour tries again", "owner", owner, "err", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// levelOf is how much whoever reads the log should care for an error: little, where
// somebody was told of it, or it passes.
func levelOf(err error) slog.Level {
	if nacre.KindOf(err) == nacre.Internal {
		return slog.LevelError
	}
	return slog.LevelInfo
}
