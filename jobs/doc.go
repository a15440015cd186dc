// Package jobs is what happens without a message: reminders and tasks that
// owners made, heartbeats, and the rounds in which Nacre keeps memory in order.
//
// What is due lies in the ledger, and gocron is only the clock. A claim takes a
// slot of a job, moves the job on and puts what is to be said in the inbox, all
// in one transaction; (job, slot) is unique there. So whatever dies, and whatever
// the machine's clock does, no slot is said twice, and none is passed over in
// silence. A run that needs a model is claimed first, then worked apart from any
// conversation, and ends in one transaction together with what it has to say.
//
// Board is for those who make and change jobs, Clock for the program that runs
// them. When a job is due is worked out in jobs/timetable.
package jobs
