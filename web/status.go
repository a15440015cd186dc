package web

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"nacre"
)

// Status is how a Nacre is, in ids and numbers.
type Status struct {
	Version string    `json:"version"`
	Since   time.Time `json:"since,omitzero"` // start of the server; zero if none is running
	Data    string    `json:"data"`
	Model   string    `json:"model"`

	Owners   int `json:"owners"`
	Messages int `json:"messages"` // admitted ever
	Pending  int `json:"pending"`  // not answered yet

	Waiting int       `json:"waiting"`         // parts not delivered yet
	Oldest  time.Time `json:"oldest,omitzero"` // when the oldest of them was written
	Dead    int       `json:"dead"`            // parts given up

	Channels    []ChannelStatus `json:"channels"`
	WhatsApp    *WhatsApp       `json:"whatsapp,omitempty"` // nil while it is off
	DeadLetters []DeadLetter    `json:"dead_letters"`       // the newest few
}

// ChannelStatus is how one channel is.
type ChannelStatus struct {
	Name  nacre.ChannelName `json:"name"`
	OK    bool              `json:"ok"`
	Words string            `json:"words"`
}

// DeadLetter is a part that was given up, and why.
type DeadLetter struct {
	ID      nacre.DeliveryID  `json:"id"`
	Channel nacre.ChannelName `json:"channel"`
	Reason  string            `json:"reason"`
	At      time.Time         `json:"at"`
}

// Text is the status for people.
func (s Status) Text(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Nacre %s, %s\n", s.Version, s.running(now))
	fmt.Fprintf(&b, "Model: %s\n", s.Model)
	slices.SortFunc(s.Channels, func(x, y ChannelStatus) int { return strings.Compare(string(x.Name), string(y.Name)) })
	for _, c := range s.Channels {
		mark := "ok, "
		if !c.OK {
			mark = "NOT WORKING: "
		}
		fmt.Fprintf(&b, "Channel %s: %s%s\n", c.Name, mark, c.Words)
	}
	fmt.Fprintf(&b, "Owners: %d. Messages: %d, %d not answered yet.\n", s.Owners, s.Messages, s.Pending)
	b.WriteString(s.outbox(now))
	return b.String()
}

func (s Status) running(now time.Time) string {
	if s.Since.IsZero() {
		return "not running"
	}
	return "running for " + now.Sub(s.Since).Round(time.Second).String()
}

func (s Status) outbox(now time.Time) string {
	var b strings.Builder
	if s.Waiting == 0 {
		b.WriteString("Outbox: empty.\n")
	} else {
		fmt.Fprintf(&b, "Outbox: %d waiting, the oldest for %s.\n", s.Waiting, now.Sub(s.Oldest).Round(time.Second))
	}
	if s.Dead == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "Dead letters: %d could not be delivered; the newest:\n", s.Dead)
	for _, d := range s.DeadLetters {
		fmt.Fprintf(&b, "  %s  %s  %s  %s\n", d.At.Format("2006-01-02 15:04"), d.Channel, d.Reason, d.ID)
	}
	return b.String()
}
