package jobs_test

import (
	"testing"
	"time"

	"nacre"
)

func TestReminderIsSaidOnTime(t *testing.T) {
	inWorld(t, "2026-11-30T08:00:00Z", func(w *world) {
		w.start()
		once := w.remind(0, w.onceIn(20*time.Minute), "take the cake out")
		daily := w.remind(0, cron("0 10 * * *", ""), "stand up")
		w.until("2026-11-30T08:19:59Z")
		w.hears(0)
		w.until("2026-11-30T08:20:00Z")
		w.hears(0, "⏰ take the cake out")
		if got := w.job(once).State; got != nacre.Finished {
			t.Errorf("the reminder is %s", got)
		}
		w.until("2026-12-01T09:00:00Z") // 10:00 in Vienna
		w.hears(0, "⏰ take the cake out", "⏰ stand up", "⏰ stand up")
		w.ran(daily, "01T09:00:00 done", "30T09:00:00 done")
		if len(w.woken) != 3 {
			t.Errorf("sessions were woken %d times", len(w.woken))
		}
		m := w.said(0)[0]
		if m.Due.Job != once.ID || m.Due.Kind != nacre.Reminder || !m.Due.Slot.Equal(once.Schedule.At) || m.Segments[0].Provenance != nacre.BySystem {
			t.Errorf("said by %+v as %s", m.Due, m.Segments[0].Provenance)
		}
	}, "Europe/Vienna")
}
