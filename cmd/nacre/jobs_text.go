package main

import (
	"fmt"
	"strings"
	"time"

	"nacre"
	"nacre/web"
)

// jobsText is the jobs at a glance, with titles that are cut to a width; 0 cuts
// none.
func jobsText(l web.JobListing, width int) string {
	var b strings.Builder
	digits := 0
	for _, j := range l.Jobs {
		digits = max(digits, len(fmt.Sprint(j.Number)))
	}
	for _, j := range l.Jobs {
		title := titleOfJob(j)
		if room := width - digits - 2; room >= narrow {
			title = cut(title, room)
		}
		fmt.Fprintf(&b, "%*d  %s\n%s", digits, j.Number, title, indented(digits+2, timesOfJob(j)))
	}
	if len(l.Jobs) > 0 {
		b.WriteString("\n")
	}
	b.WriteString(jobsFoot(l))
	return b.String()
}

// jobsFoot counts what stands above, and what does not.
func jobsFoot(l web.JobListing) string {
	text := capital(number(len(l.Jobs), "job", "jobs")) + ".\n"
	if len(l.Jobs) == 0 {
		text = "No jobs. Make one with: nacre jobs add \"tomorrow 9:00 call mum\"\n"
	}
	if l.Over > 0 {
		text += number(l.Over, "more is", "more are") + " over: nacre jobs list --all\n"
	}
	if l.Aside > 0 {
		text += number(l.Aside, "batch", "batches") + " of messages could not be read back: nacre jobs aside\n"
	}
	return text
}

// titleOfJob is what a job does, in a line.
func titleOfJob(j web.Job) string {
	if j.Kind == nacre.Heartbeat {
		return "Heartbeat"
	}
	return capital(string(j.Kind)) + ": " + jobName(j.Kind, j.Text)
}

// timesOfJob is when a job is due, or why it is not, in a line or two.
func timesOfJob(j web.Job) string {
	switch {
	case j.State != nacre.Active:
		return j.When + "\n" + stateWords[j.State] + "\n"
	case j.NextWords == "":
		return j.When + "\n"
	case j.Schedule.Kind == nacre.Once:
		return "once on " + j.NextWords + "\n"
	}
	return j.When + "\nnext " + j.NextWords + "\n"
}

var stateWords = map[nacre.JobState]string{
	nacre.Active:   "active",
	nacre.Paused:   "paused",
	nacre.Disabled: "switched off, because it failed too often",
	nacre.Parked:   "put aside; resume it to hear why",
	nacre.Finished: "over",
}

// jobSheetText is everything about a job.
func jobSheetText(s web.JobSheet) string {
	j := s.Job
	var b strings.Builder
	fmt.Fprintf(&b, "%d  %s\n\n", j.Number, titleOfJob(j))
	for _, f := range []struct{ name, value string }{
		{"When", j.When},
		{"Next", j.NextWords},
		{"Last", j.LastWords},
		{"State", stateWords[j.State]},
		{"Speaks", j.Place},
		{"Grace", "a missed time is made up for within " + j.Grace},
		{"Planning", planningWords(j)},
		{"Failed", failedWords(j.Failures)},
		{"Made", j.Made.Format(minutes)},
		{"Id", string(j.ID)},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, "%-9s %s\n", f.name, f.value)
		}
	}
	if len(s.Runs) > 0 {
		b.WriteString("\nRuns:\n" + indented(2, runsText(s.Runs, false)))
	}
	return b.String()
}

func planningWords(j web.Job) string {
	if j.MayPlan {
		return "it may make and change jobs by itself"
	}
	return ""
}

func failedWords(n int) string {
	if n == 0 {
		return ""
	}
	return number(n, "time", "times") + " in a row"
}

// runsText is runs, one a line, with what ran where they are of several jobs.
func runsText(runs []web.JobRun, named bool) string {
	if len(runs) == 0 {
		return "Nothing ran yet.\n"
	}
	words := 0
	for _, r := range runs {
		words = max(words, len(outcomeOfRun(r)))
	}
	var b strings.Builder
	for _, r := range runs {
		line := r.Slot.Format(minutes) + "  " + padded(outcomeOfRun(r), words)
		if named {
			line += "  " + runName(r)
		}
		if r.Used != "" {
			line += "  " + r.Used
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// runName is what ran, short enough for a line.
func runName(r web.JobRun) string {
	name := cut(r.Name, 40)
	if r.Job == 0 {
		return name
	}
	return fmt.Sprintf("%d %s", r.Job, name)
}

// outcomeOfRun is what became of a run, how long it took, and how.
func outcomeOfRun(r web.JobRun) string {
	text := r.Words
	if r.TookMS > 0 {
		text += ", " + (time.Duration(r.TookMS) * time.Millisecond).Round(100*time.Millisecond).String()
	}
	if r.Attempts > 1 {
		text += fmt.Sprintf(", %d attempts", r.Attempts)
	}
	if r.ByHand {
		text += ", by hand"
	}
	return text
}

// asideText is messages that were set aside, a batch a line.
func asideText(batches []web.AsideBatch) string {
	if len(batches) == 0 {
		return "Nothing is set aside: all that you said was read back.\n"
	}
	var b strings.Builder
	for _, a := range batches {
		fmt.Fprintf(&b, "%s  messages %d to %d of the inbox, tried %s: %s\n", a.At.Format(minutes), a.First, a.Through, number(a.Failures, "time", "times"), a.Words)
	}
	b.WriteString("\nnacre jobs aside --again reads them now.\n")
	return b.String()
}

// madeText tells the time that was understood.
func madeText(done string, j web.Job) string {
	text := fmt.Sprintf("%s: %d  %s\n%s", done, j.Number, titleOfJob(j), timesOfJob(j))
	if j.Waits && j.State == nacre.Active {
		text += "Nacre is not running; nothing comes due until it is.\n"
	}
	return text
}
