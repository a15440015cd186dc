package main

import (
	"context"
	"time"

	"nacre/web"
)

// work looks at what the running server should be doing for its owners.
func (x *examination) work(context.Context) []finding {
	if x.status == nil {
		return nil
	}
	return append([]finding{checkJobs(x.status.Jobs, time.Now()), checkSpent(x.status.Spent)}, checkMemory(x.status)...)
}

// checkMemory tells what owners wait for in vain; nothing where all is well.
func checkMemory(s *web.Status) (list []finding) {
	if s.Full > 0 {
		list = append(list, finding{Name: "notes", Level: warning, Found: "the memory of " + number(s.Full, "owner", "owners") + " is full, or nearly",
			Do: "have them archive or forget on the page what they need no longer; else nothing more is noted"})
	}
	if s.Aside > 0 {
		list = append(list, finding{Name: "reading back", Level: warning, Found: number(s.Aside, "batch", "batches") + " of messages could not be read for what is worth remembering",
			Do: "see that the model for memory works, then run nacre jobs aside --again"})
	}
	if s.MailLost > 0 {
		list = append(list, finding{Name: "Gmail", Level: warning, Found: "the consent of " + number(s.MailLost, "owner", "owners") + " is gone, so that their sent mail is not read",
			Do: "have them connect it once more, on the page or with nacre gmail connect"})
	}
	return list
}

// lateJob is how long after its time a job should have begun at the latest.
const lateJob = 15 * time.Minute

// checkJobs tells which jobs do not do what their owners expect.
func checkJobs(j web.JobsStatus, now time.Time) finding {
	f := finding{Name: "jobs", Level: fine, Found: number(j.Active, "job is", "jobs are") + " active"}
	switch {
	case !j.Next.IsZero() && now.Sub(j.Next) > lateJob:
		f.Level, f.Found, f.Do = warning, f.Found+", but one has been due for "+now.Sub(j.Next).Round(time.Minute).String(), "see the log for what holds them up, then restart Nacre"
	case j.Failing > 0:
		f.Level, f.Found, f.Do = warning, f.Found+", "+number(j.Failing, "fails or was stopped for failing", "fail or were stopped for failing"), "nacre jobs shows which, and nacre jobs show NUMBER why"
	case j.Parked > 0:
		f.Level, f.Found, f.Do = warning, f.Found+", "+number(j.Parked, "has no chat any more or cannot be read", "have no chat any more or cannot be read"), "nacre jobs shows which; drop it, or make it again elsewhere"
	}
	return f
}

// checkSpent tells whether models may still be asked.
func checkSpent(s web.SpentStatus) finding {
	f := finding{Name: "budget", Level: fine, Found: dollars(s.Day) + " today, " + dollars(s.Month) + " this month"}
	switch {
	case s.DayLimit > 0 && s.Day >= s.DayLimit:
		f.Level, f.Found, f.Do = warning, f.Found+", which is all of the day's", "wait for tomorrow, or raise NACRE_BUDGET_DAY"
	case s.MonthLimit > 0 && s.Month >= s.MonthLimit:
		f.Level, f.Found, f.Do = warning, f.Found+", which is all of the month's", "wait for the next month, or raise NACRE_BUDGET_MONTH"
	}
	return f
}
