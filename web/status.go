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

	MemoryModel string      `json:"memory_model,omitempty"` // works on memory
	Notes       int         `json:"notes"`                  // live, of all owners; -1 while memory is busy
	Review      int         `json:"review"`                 // notes that wait for their owners' word
	Index       int64       `json:"index"`                  // bytes that the search through what was said takes
	Full        int         `json:"full"`                   // owners whose memory takes next to nothing more
	Aside       int         `json:"aside"`                  // batches of messages that no model could read
	MailLost    int         `json:"mail_lost"`              // owners whose Gmail cannot be read any more
	Jobs        JobsStatus  `json:"jobs"`
	Spent       SpentStatus `json:"spent"`
	Disk        DiskStatus  `json:"disk"`
	Backup      time.Time   `json:"backup,omitzero"` // of the newest; zero if there is none
}

// JobsStatus counts the jobs of all owners.
type JobsStatus struct {
	Active  int       `json:"active"`
	Paused  int       `json:"paused"`        // by their owners
	Failing int       `json:"failing"`       // that failed when they last ran; some of them are active
	Parked  int       `json:"parked"`        // whose chat is gone, or that cannot be read any more
	Next    time.Time `json:"next,omitzero"` // when the next is due
}

// SpentStatus is what models cost, in billionths of a dollar; a limit of 0 is none.
type SpentStatus struct {
	Day        int64 `json:"day"`
	Month      int64 `json:"month"`
	DayLimit   int64 `json:"day_limit"`
	MonthLimit int64 `json:"month_limit"`
}

// DiskStatus is how much room the database takes and how much is left, in bytes.
type DiskStatus struct {
	Database int64 `json:"database"`
	Free     int64 `json:"free"`
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

// mostDead is how many dead letters Text shows, so that a phone shows all of it.
const mostDead = 5

// Text is the status for people.
func (s Status) Text(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Nacre %s, %s\n", s.Version, s.running(now))
	fmt.Fprintf(&b, "Model: %s\n", s.Model)
	if s.MemoryModel != "" && s.MemoryModel != s.Model {
		fmt.Fprintf(&b, "Model for memory: %s\n", s.MemoryModel)
	}
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
	b.WriteString(s.memory())
	fmt.Fprintf(&b, "Jobs: %s.\n", s.Jobs.words(now))
	fmt.Fprintf(&b, "Cost: %s today, %s this month.\n", spent(s.Spent.Day, s.Spent.DayLimit), spent(s.Spent.Month, s.Spent.MonthLimit))
	fmt.Fprintf(&b, "Disk: database %s, free %s.\n", bytesText(s.Disk.Database), bytesText(s.Disk.Free))
	fmt.Fprintf(&b, "Newest backup: %s.\n", ago(now, s.Backup))
	return b.String()
}

func (s Status) memory() string {
	if s.Notes < 0 {
		return "Memory: busy.\n"
	}
	text := fmt.Sprintf("Memory: %d notes, %d waiting for review", s.Notes, s.Review)
	if s.Aside > 0 {
		text += fmt.Sprintf(", %d batches of messages NOT READ", s.Aside)
	}
	return text + ", index of " + bytesText(s.Index) + ".\n"
}

// words are the counts that are not 0, and when the next is due.
func (j JobsStatus) words(now time.Time) string {
	text := fmt.Sprintf("%d active", j.Active)
	for _, c := range []struct {
		n    int
		what string
	}{{j.Paused, "paused"}, {j.Failing, "FAILING"}, {j.Parked, "parked"}} {
		if c.n > 0 {
			text += fmt.Sprintf(", %d %s", c.n, c.what)
		}
	}
	if !j.Next.IsZero() {
		text += ", the next in " + max(0, j.Next.Sub(now)).Round(time.Minute).String()
	}
	return text
}

// spent is a sum with its limit, if it has one.
func spent(sum, limit int64) string {
	text := fmt.Sprintf("$%.2f", float64(sum)/1e9)
	if limit > 0 {
		text += fmt.Sprintf(" of $%.2f", float64(limit)/1e9)
	}
	return text
}

func bytesText(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }

func ago(now, at time.Time) string {
	if at.IsZero() {
		return "none"
	}
	return max(0, now.Sub(at)).Round(time.Minute).String() + " ago"
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
	for _, d := range s.DeadLetters[:min(len(s.DeadLetters), mostDead)] {
		fmt.Fprintf(&b, "  %s  %s  %s  %s\n", d.At.Format("2006-01-02 15:04"), d.Channel, d.Reason, d.ID)
	}
	return b.String()
}
