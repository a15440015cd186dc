package jobs

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"nacre"
	"nacre/jobs/timetable"
	"nacre/memory/render"
)

// bell begins what is said at a slot.
const bell = "⏰ "

// moment is how a slot is written where its zone is plain.
const moment = "Mon 2 Jan 2006, 15:04"

// say is what a slot puts in the inbox of the session of its job. Its External id
// is made of both, so that it can be there but once.
func say(job nacre.Job, slot time.Time, text string, now time.Time) *nacre.Inbound {
	in := inbound(job, slot, job.Session, text, now)
	in.Message.External = external(job, slot)
	return in
}

// sayOutcome is what a run has to say when it ends.
func sayOutcome(job nacre.Job, slot time.Time, where nacre.SessionInfo, text string, now time.Time) *nacre.Inbound {
	in := inbound(job, slot, where, text, now)
	in.Message.External = external(job, slot) + ":out"
	return in
}

func external(job nacre.Job, slot time.Time) nacre.ExternalID {
	return nacre.ExternalID(fmt.Sprintf("job:%s:%d", job.ID, slot.UnixMilli()))
}

func inbound(job nacre.Job, slot time.Time, where nacre.SessionInfo, text string, now time.Time) *nacre.Inbound {
	return &nacre.Inbound{Owner: job.Owner, Session: where, Message: nacre.Message{
		ID: nacre.MessageID(nacre.NewID(now)), Chat: where.Chat, Private: where.Private, Sent: now, Received: now,
		Due:      &nacre.Due{Job: job.ID, Kind: job.Kind, Slot: slot, Strange: job.Strange},
		Segments: []nacre.Segment{{Provenance: nacre.BySystem, Text: text}},
	}}
}

// words are those of a job for a message, which is Markdown: they are shown as they
// were written, line by line.
func words(job nacre.Job) string {
	lines := strings.Split(strings.ReplaceAll(job.Text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = render.Literal(line)
	}
	return strings.Join(lines, "\n")
}

// plain is a reminder that is on time.
func plain(job nacre.Job) string { return bell + words(job) }

// ring is a reminder that stands for n slots, the newest of them slot.
func ring(job nacre.Job, slot time.Time, n int, home *time.Location, now time.Time) string {
	var notes []string
	if now.Sub(slot) > onTime {
		notes = append(notes, "due at "+local(job, slot, home))
	}
	if n > 1 {
		notes = append(notes, times(n-1)+" before that left out")
	}
	if notes == nil {
		return plain(job)
	}
	return bell + "(" + strings.Join(notes, "; ") + ") " + words(job)
}

// Why slots were left out.
const (
	notRunning = "I was not running"
	notBegun   = "I did not come to it"
	wasAside   = "It was put aside"
)

// leftOut tells that the slots of a job up to one passed, too long ago to make up
// for. next is the job as it is now.
func leftOut(why string, job, next nacre.Job, slot time.Time, n int, home *time.Location, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s", why, local(job, slot, home))
	if n > 1 {
		fmt.Fprintf(&b, " and %s before that", times(n-1))
	}
	fmt.Fprintf(&b, ", so I left out: %s", words(job))
	b.WriteString(nextTime(next, home, now))
	return b.String()
}

// nextTime is the line that tells when a job is due again; empty if it is not.
func nextTime(job nacre.Job, home *time.Location, now time.Time) string {
	if job.State != nacre.Active || job.Next.IsZero() {
		return ""
	}
	return "\nNext time: " + timetable.Moment(job.Next, timetable.Zone(job.Schedule, home), now)
}

func local(job nacre.Job, slot time.Time, home *time.Location) string {
	return slot.In(timetable.Zone(job.Schedule, home)).Format(moment)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// interrupted tells that the program died in a run twice.
func interrupted(job nacre.Job) string {
	return "It was interrupted twice: " + words(job) + "\nI do not try it again by myself; you can run it from the list of jobs."
}

// unable tells that a run failed.
func unable(job nacre.Job, err error, home *time.Location, now time.Time) string {
	return fmt.Sprintf("I could not do this: %s\n%s%s", words(job), because(err), nextTime(job, home, now))
}

// stopped tells that a job failed too often to go on; why is a sentence.
func stopped(job nacre.Job, why string) string {
	what := "job " + fmt.Sprint(job.Number)
	if job.Kind == nacre.Heartbeat {
		what = "the heartbeat"
	}
	return fmt.Sprintf("I have stopped %s, because it failed %d times in a row: %s\n%s Resume it from the list of jobs when that is mended.",
		what, job.Failures, words(job), why)
}

const unknown = "Something went wrong; the log says what."

// because is a sentence that says why a run failed, without anything internal.
func because(err error) string {
	switch codeOf(err) {
	case codeDeadline:
		return "It took too long."
	case codePanic:
		return unknown
	}
	var e *nacre.Error
	if !errors.As(err, &e) || e.Kind == nacre.Internal {
		return unknown
	}
	return strings.TrimSuffix(e.Text, ".") + "."
}

// tidings tell an owner, outside of the job's own chat, that it was parked.
func tidings(job nacre.Job, why string) string {
	reason := map[string]string{
		wordsGone: "its words can no longer be read",
		timesGone: "its times can no longer be read",
		zoneGone:  "its time zone " + render.Literal(job.Schedule.Zone) + " is not known here any more",
		placeGone: "the conversation in which it was made is gone",
		chatGone:  "its chat does not take my messages any more",
		refused:   "what becomes of it cannot be stored",
	}[why]
	return fmt.Sprintf("I have put job %d aside, because %s. You find it in the list of jobs.", job.Number, reason)
}
