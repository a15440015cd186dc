package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"

	"nacre"
	"nacre/configs"
)

// settingNames are what an owner can set, in the order in which it is shown. The
// ledger keeps each under its name.
var settingNames = []string{"name", "zone", "language", "hours", "model"}

// own are the settings that are an owner's own. What is zero is as the installation
// has it.
type own struct {
	name     string // by which they want to be called
	zone     *time.Location
	language string         // its two letters
	hours    *configs.Hours // when they may be told something unasked
	model    string         // that answers where /model chose no other
}

// text is a setting as it is written; empty for one that is not the owner's own.
func (o own) text(name string) string {
	switch {
	case name == "name":
		return o.name
	case name == "zone" && o.zone != nil:
		return o.zone.String()
	case name == "language":
		return o.language
	case name == "hours" && o.hours != nil:
		return o.hours.String()
	case name == "model":
		return o.model
	}
	return ""
}

// settingsStore keeps settings. The ledger is one.
type settingsStore interface {
	// PutSettings sets settings of an owner, all or none; nil takes one away.
	PutSettings(ctx context.Context, owner nacre.OwnerID, set map[string]json.RawMessage) error
	// OwnSettings returns those that are set.
	OwnSettings(ctx context.Context, owner nacre.OwnerID) (map[string]json.RawMessage, error)
}

// settings is how each owner wants things to be. They are read once, so that
// everything may ask at any time: that takes no lock, and no question to the ledger.
type settings struct {
	store  settingsStore
	models []string // to choose from
	log    *slog.Logger

	changing sync.Mutex // held while something is stored or read, so that held agrees with the store
	held     sync.Map   // own, by nacre.OwnerID
}

// of are an owner's.
func (s *settings) of(owner nacre.OwnerID) own {
	o, _ := s.held.Load(owner)
	mine, _ := o.(own)
	return mine
}

// read reads what is kept of an owner: at the start, and when something was
// forgotten. What cannot be read, or holds no more, such as a model that is not
// configured any more, is as if it were not set.
func (s *settings) read(ctx context.Context, owner nacre.OwnerID) {
	s.changing.Lock()
	defer s.changing.Unlock()
	kept, err := s.store.OwnSettings(ctx, owner)
	if err != nil {
		s.log.Error("an owner's settings cannot be read; the usual ones hold", "owner", owner, "err", err)
	}
	var o own
	for name, value := range kept {
		if name == mailSetting || strings.HasPrefix(name, fileSetting) {
			continue
		}
		var text string
		if json.Unmarshal(value, &text) != nil || s.set(&o, name, text) != nil {
			s.log.Warn("a setting does not hold any more; the usual one does", "owner", owner, "setting", name)
		}
	}
	s.held.Store(owner, o)
}

// change sets settings, all or none, by their names; an empty text makes one the
// installation's again. It returns what held before and what holds now. An Invalid
// error is a sentence.
func (s *settings) change(ctx context.Context, owner nacre.OwnerID, wanted map[string]string) (before, after own, err error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	before = s.of(owner)
	after = before
	put := map[string]json.RawMessage{}
	for _, name := range settingNames {
		text, given := wanted[name]
		if !given {
			continue
		}
		if err := s.set(&after, name, text); err != nil {
			return before, before, err
		}
		put[name] = nil
		if text := after.text(name); text != "" {
			put[name], _ = json.Marshal(text) // a text always can be
		}
	}
	if err := s.store.PutSettings(ctx, owner, put); err != nil {
		return before, before, err
	}
	s.held.Store(owner, after)
	return before, after, nil
}
