package jobs_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/jobs"
)

// takeRounds makes the three rounds, which note what they do and then do something.
func (w *world) takeRounds(do func(context.Context, nacre.JobID, int) (jobs.Outcome, error)) *[]string {
	var list []string
	for _, name := range []nacre.JobID{nacre.RoundRepair, nacre.RoundReflect, nacre.RoundPromote} {
		w.rounds = append(w.rounds, jobs.Round{Name: name, Do: func(ctx context.Context, owner nacre.OwnerID) (jobs.Outcome, error) {
			n := 0
			for w.owners[n] != owner {
				n++
			}
			w.mu.Lock()
			list = append(list, fmt.Sprintf("%s %s of %d", w.now().UTC().Format("15:04"), name, n))
			w.mu.Unlock()
			return do(ctx, name, n)
		}})
	}
	w.close()
	w.open()
	w.start()
	return &list
}

func TestRoundsComeHourly(t *testing.T) {
	inWorld(t, "2026-11-30T08:10:00Z", func(w *world) {
		list := w.takeRounds(func(_ context.Context, name nacre.JobID, _ int) (jobs.Outcome, error) {
			if name == nacre.RoundReflect {
				return jobs.Outcome{Reason: "read 3", Used: nacre.Usage{Calls: 1, Cost: 5}}, nil
			}
			return jobs.Outcome{}, nil
		})
		w.until("2026-11-30T09:06:59Z")
		if len(*list) != 0 {
			t.Errorf("too early: %v", *list)
		}
		w.until("2026-11-30T10:30:00Z")
		want := []string{"09:07 repair of 0", "09:07 reflect of 0", "09:07 promote of 0", "10:07 repair of 0", "10:07 reflect of 0", "10:07 promote of 0"}
		if !equal(*list, want) {
			t.Errorf("got %v\nwant %v", *list, want)
		}
		runs, err := w.board.Runs(ctx, w.owners[0], "", 10)
		if err != nil || len(runs) != 2 || runs[0].Job != nacre.RoundReflect || runs[0].State != nacre.Done || runs[0].Reason != "read 3" ||
			runs[0].Used.Cost != 5 || !runs[0].Slot.Equal(at(t, "2026-11-30T10:07:00Z")) {
			t.Errorf("recorded %+v, %v", runs, err)
		}
	}, "UTC")
}

// The rounds follow the wall clock when the machine slept, and when it is set.
func TestRoundsFollowTheClock(t *testing.T) {
	inWorld(t, "2026-11-30T08:10:00Z", func(w *world) {
		list := w.takeRounds(func(context.Context, nacre.JobID, int) (jobs.Outcome, error) { return jobs.Outcome{}, nil })
		const wrong = 30 * 24 * time.Hour
		w.jump(wrong)
		w.pass(2 * time.Hour)
		ahead := len(*list)
		if ahead == 0 {
			t.Error("no round came while the clock was ahead")
		}
		w.jump(-wrong)
		w.until("2026-11-30T12:30:00Z")
		want := []string{"11:07 repair of 0", "11:07 reflect of 0", "11:07 promote of 0", "12:07 repair of 0", "12:07 reflect of 0", "12:07 promote of 0"}
		if got := (*list)[ahead:]; !equal(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
	}, "UTC")
}

// Owners are served two at once, and the failure of one round of one owner is
// that of no other.
func TestRoundsOfOwners(t *testing.T) {
	inWorld(t, "2026-11-30T08:10:00Z", func(w *world) {
		now, most := 0, 0
		var mu sync.Mutex
		list := w.takeRounds(func(_ context.Context, name nacre.JobID, owner int) (jobs.Outcome, error) {
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			time.Sleep(time.Minute)
			mu.Lock()
			now--
			mu.Unlock()
			switch {
			case owner == 1 && name == nacre.RoundRepair:
				return jobs.Outcome{}, errSecret
			case owner == 2 && name == nacre.RoundReflect:
				panic("secret")
			}
			return jobs.Outcome{}, nil
		})
		w.until("2026-11-30T09:30:00Z")
		if len(*list) != 15 || most != 2 {
			t.Errorf("%d rounds, %d at once: %v", len(*list), most, *list)
		}
		for owner, want := range map[int]string{1: "repair failed internal", 2: "reflect failed panic"} {
			runs, err := w.board.Runs(ctx, w.owners[owner], "", 10)
			if err != nil || len(runs) != 1 || fmt.Sprint(runs[0].Job, " ", runs[0].State, " ", runs[0].Reason) != want {
				t.Errorf("owner %d: %+v, %v", owner, runs, err)
			}
		}
		if runs, err := w.board.Runs(ctx, w.owners[0], "", 10); err != nil || len(runs) != 0 {
			t.Errorf("rounds that did nothing are recorded: %+v, %v", runs, err)
		}
	}, "UTC", "UTC", "UTC", "UTC", "UTC")
}

func TestRunRound(t *testing.T) {
	inWorld(t, "2026-11-30T08:10:00Z", func(w *world) {
		list := w.takeRounds(func(ctx context.Context, name nacre.JobID, _ int) (jobs.Outcome, error) {
			if name == nacre.RoundPromote {
				return jobs.Outcome{}, errSecret
			}
			select {
			case <-time.After(time.Minute):
			case <-ctx.Done():
			}
			return jobs.Outcome{Reason: "asked"}, ctx.Err()
		})
		done := make(chan error)
		go func() { done <- w.clock.RunRound(ctx, w.owners[0], nacre.RoundReflect) }()
		w.settle()
		if err := w.clock.RunRound(ctx, w.owners[0], nacre.RoundRepair); nacre.KindOf(err) != nacre.Conflict {
			t.Errorf("two rounds of an owner at once: %v", err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := w.clock.RunRound(ctx, w.owners[0], nacre.RoundPromote); err != errSecret {
			t.Errorf("a failing round: %v", err)
		}
		if err := w.clock.RunRound(ctx, w.owners[0], "sweep"); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("an unknown round: %v", err)
		}
		if want := []string{"08:10 reflect of 0", "08:11 promote of 0"}; !equal(*list, want) {
			t.Errorf("got %v", *list)
		}
		runs, err := w.board.Runs(ctx, w.owners[0], nacre.RoundReflect, 10)
		if err != nil || len(runs) != 1 || !runs[0].ByHand || runs[0].State != nacre.Done {
			t.Errorf("recorded %+v, %v", runs, err)
		}

		w.until("2026-11-30T09:07:30Z") // in the middle of a round
		w.stop()
		if n := len(*list); n != 3 {
			t.Errorf("after the end there were %d rounds: %v", n, *list)
		}
		if runs, err := w.board.Runs(ctx, w.owners[0], nacre.RoundRepair, 10); err != nil || len(runs) != 0 {
			t.Errorf("the end is recorded as a failure: %+v, %v", runs, err)
		}
	}, "UTC")
}

// Chores come hourly or daily; one that panics or takes long harms nobody.
func TestChores(t *testing.T) {
	inWorld(t, "2026-11-30T00:00:00Z", func(w *world) {
		hourly, daily, long := 0, 0, 0
		w.chores = []jobs.Chore{
			{Name: "sweep", Do: func(context.Context) error { hourly++; panic("secret") }},
			{Name: "back up", Daily: true, Do: func(context.Context) error { daily++; return errSecret }},
			{Name: "long", Do: func(ctx context.Context) error {
				long++
				select {
				case <-time.After(90 * time.Minute):
				case <-ctx.Done():
				}
				return nil
			}},
		}
		w.close()
		w.open()
		w.start()
		w.remind(0, w.onceIn(30*time.Hour), "tea")
		w.pass(48 * time.Hour)
		if hourly != 48 || daily != 2 || long != 24 {
			t.Errorf("%d hourly, %d daily, %d long ones", hourly, daily, long)
		}
		w.hears(0, "⏰ tea")
	}, "UTC")
}
