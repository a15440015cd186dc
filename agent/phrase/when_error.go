package phrase

import (
	"time"

	"nacre"
)

// What is asked back. The sentences hold nothing of what the person wrote.
var (
	errLong    = nacre.Errorf(nacre.Invalid, "That is too long for me to look for a time in it. Please send the time with a few words.")
	errWhen    = nacre.Errorf(nacre.Invalid, "I do not see when. Please put the time first, such as “tomorrow 9:00”, “in 20 minutes” or “every Monday at 8”.")
	errMany    = nacre.Errorf(nacre.Invalid, "That is more than one reminder. Please send them one by one.")
	errTwo     = nacre.Errorf(nacre.Invalid, "I see more than one time. Please put the one that counts first, day and hour together, with a colon behind it: “tomorrow 9:00: …”.")
	errUnclear = nacre.Errorf(nacre.Invalid, "I do not understand all of that time. Please write it like “tomorrow 9:00: …”, “2026-12-24 18:00: …” or “every Monday at 8: …”.")
	errVague   = nacre.Errorf(nacre.Invalid, "That is no time to the minute. On which day, and at what time?")
	errZone    = nacre.Errorf(nacre.Invalid, "I do not know that time zone for sure. Please name a city of the time zone database, as in “9:00 in Tokyo: …”, or the zone, as in “9:00 America/New_York: …”.")

	errHour     = nacre.Errorf(nacre.Invalid, "There is no such time of day. Hours go from 0 to 23 and minutes to 59.")
	errPart     = nacre.Errorf(nacre.Invalid, "That hour and that part of the day do not go together. Please write it like 20:00, with the day.")
	errOne      = nacre.Errorf(nacre.Invalid, "Is that in the night or around noon? Please write it like 00:30 or 12:30.")
	errMidnight = nacre.Errorf(nacre.Invalid, "The midnight before that day or the one after? Please write 00:00 with the day that then begins, or 23:59.")

	errDate    = nacre.Errorf(nacre.Invalid, "There is no such date. Please write it like 2026-12-24.")
	errIdiom   = nacre.Errorf(nacre.Invalid, "Is that so many days, or whole weeks? Please name the day, or write it in weeks.")
	errPast    = nacre.Errorf(nacre.Invalid, "That time is past. Please name one that is still to come.")
	errFar     = nacre.Errorf(nacre.Invalid, "That is too far away. Please name a time within the next 20 years.")
	errNever   = nacre.Errorf(nacre.Invalid, "That time lies no distance ahead. Please write it like “in 20 minutes”.")
	errWeekday = nacre.Errorf(nacre.Invalid, "That date is another day of the week. Please name only the date, or only the day.")

	errWhichDay  = nacre.Errorf(nacre.Invalid, "On which day? Please write it like “every week on Monday at 8”, “every month on the 1st at 9” or “every year on 24 December at 9”.")
	errShort     = nacre.Errorf(nacre.Invalid, "Not every month has that day. Please name one from 1 to 28.")
	errCannot    = nacre.Errorf(nacre.Invalid, "I cannot repeat like that. I can repeat every so many minutes, hours, days or weeks, on days of the week, on a day of each month, and each year.")
	errLastDay   = nacre.Errorf(nacre.Invalid, "I cannot repeat by the last day or by a counted weekday of the month. Please name a day from 1 to 28, or a day of the week.")
	errHourly    = nacre.Errorf(nacre.Invalid, "I cannot repeat by the hour only on some days or from some hour on. Please write it like “every 2 hours”, or “every hour at :15”.")
	errTwoDigits = nacre.Errorf(nacre.Invalid, "Please write that date with all digits of the year, like 2026-12-24.")
)

// errSlashed asks which of two dates is meant that are both written 3/4.
func errSlashed(year, a, b int) error {
	one := time.Date(year, time.Month(a), b, 0, 0, 0, 0, time.UTC)
	other := time.Date(year, time.Month(b), a, 0, 0, 0, 0, time.UTC)
	return nacre.Errorf(nacre.Invalid, "That date can be read in two ways. Please write %s or %s.", one.Format("2 January"), other.Format("2 January"))
}
