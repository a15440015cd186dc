package main

import (
	"maps"
	"testing"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// A round that fails is told until it goes well, for the owner for whom it failed, and
// the clock that runs them is told too.
func TestReadyTellsOfRounds(t *testing.T) {
	live(t, func(b *bubble) {
		ready := func() map[nacre.JobID]bool {
			t.Helper()
			clock, rounds := b.app.Ready(t.Context())
			if !clock {
				t.Error("the clock does not run")
			}
			return rounds
		}
		if got := ready(); len(got) != 0 {
			t.Errorf("before any hour it tells of %v", got)
		}
		b.say(1001, "My bike is green.")
		b.model.Push(llmtest.Step{Err: &llm.Error{Cause: llm.Refused, Provider: "scripted"}})
		well := map[nacre.JobID]bool{nacre.RoundRepair: true, nacre.RoundReflect: true, nacre.RoundPromote: true, nacre.RoundStyle: true}
		failed := maps.Clone(well)
		failed[nacre.RoundReflect] = false
		for _, want := range []map[nacre.JobID]bool{failed, well} {
			for hours := 0; !maps.Equal(ready(), want); hours++ { // what was just said is read back later
				if hours == 6 {
					t.Fatalf("it tells of %v, want %v", ready(), want)
				}
				b.pass(time.Hour)
			}
		}
		app := b.app
		t.Cleanup(func() {
			if clock, _ := app.Ready(t.Context()); clock {
				t.Error("the clock runs on when all has ended")
			}
		})
	}, "NACRE_HEARTBEAT=off")
}
