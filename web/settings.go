package web

import "context"

// Settings is how an owner wants things to be.
type Settings interface {
	// Show reads the settings.
	Show(ctx context.Context) (SettingsSheet, error)
	// Change changes those that are given, all or none, and returns what is then.
	Change(ctx context.Context, c SettingsChange) (SettingsSheet, error)
}

// SettingsSheet is the settings in effect, and what there is to choose from. Those
// that an owner has not set are the installation's.
type SettingsSheet struct {
	Name     string `json:"name"`     // what they are called; at most 100 characters
	Zone     string `json:"zone"`     // IANA name; an offset such as +09:00 where the machine's zone has none
	Language string `json:"language"` // of two letters, in which they are spoken to; empty leaves it to what they write
	Hours    string `json:"hours"`    // active ones, such as 08:00-22:00
	Model    string `json:"model"`    // that answers where /model chose no other

	Models    []string `json:"models"`       // to choose from, the installation's first
	Memory    string   `json:"memory_model"` // that works on memory
	Languages []string `json:"languages"`    // to choose from
	Heartbeat string   `json:"heartbeat"`    // how often, such as 30m; empty while it is off

	Own []string `json:"own"` // names of the settings that are the owner's own: "name", "zone", "language", "hours", "model"
}

// SettingsChange is what to change. Nil leaves a setting as it is, an empty text
// makes it the installation's again.
type SettingsChange struct {
	Name     *string `json:"name,omitempty"`
	Zone     *string `json:"zone,omitempty"`
	Language *string `json:"language,omitempty"`
	Hours    *string `json:"hours,omitempty"`
	Model    *string `json:"model,omitempty"`
}
