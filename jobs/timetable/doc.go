// Package timetable works out when a nacre.Schedule is due. It is pure: the time
// is passed in, and nothing is kept between two calls.
//
// The moments that a schedule names are its slots. Those of Once and Every are
// moments of real time, which no change of a clock moves: Every counts from At,
// in steps of its length. Only an Every of whole days, however it was said, goes by
// days of the calendar: its slots are at the time of day at which At is, so many
// days later. They, and those of Cron, are what a clock in the schedule's zone
// shows, and a clock is set forward and back:
//
//   - A time that it does not show, because it was set forward past it, is due at
//     the first moment after that. Several such times are one slot.
//   - A time that it shows twice, because it was set back, is due when it is shown
//     first.
//
// Both follow from one rule: a time is due at the first moment at which the clock
// has come to it or past it. That also holds where midnight is left out, where a
// whole day is, and where a clock is set by half an hour.
//
// A job whose hour field allows every hour is meant to run each real hour,
// whatever is done to the clock. For it the rule is:
//
//   - It is due whenever the clock shows one of its times, also if that is shown
//     again. But a time that is shown again is passed over if it comes sooner after
//     the slot before it than two of the job's times ever are apart; that can only
//     be where a clock is set by a part of an hour.
//   - Times that are left out are passed over. If there is then no slot in the
//     hour before nor in the hour after, the job is due when the clock is set.
//
// So in New York "30 * * * *" runs at 1:30 and 3:30 in spring, which are one hour
// apart, and at 1:30, 1:30 and 2:30 in autumn. On Lord Howe Island, where the
// clock is set by half an hour, it runs only the first time that it is 1:30.
package timetable
