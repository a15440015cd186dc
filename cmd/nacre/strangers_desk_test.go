package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/web"
)

// The operator decides on who waits, with the program running and without.
func TestStrangersWait(t *testing.T) {
	decide := func(t *testing.T, d web.Desk) {
		list, err := d.Strangers(t.Context())
		if err != nil || len(list) != 2 || list[0].Channel != nacre.Telegram || list[0].Address != "5005" || list[0].Until.Sub(list[0].Came) != time.Hour {
			t.Fatalf("waiting are %+v, %v", list, err)
		}
		if words, err := d.Decide(t.Context(), web.Decision{ID: list[0].ID, Admit: true}); err != nil || words != "Admitted telegram:5005." {
			t.Errorf("%q, %v", words, err)
		}
		if words, err := d.Decide(t.Context(), web.Decision{ID: list[1].ID}); err != nil || words != "Refused. They are told nothing." {
			t.Errorf("%q, %v", words, err)
		}
		for _, s := range list {
			if words, err := d.Decide(t.Context(), web.Decision{ID: s.ID}); kindOf(t, err) != nacre.NotFound || words != "" {
				t.Errorf("decided twice: %q, %v", words, err)
			}
		}
		if list, err := d.Strangers(t.Context()); err != nil || list == nil || len(list) != 0 {
			t.Errorf("then wait %+v, %v", list, err)
		}
	}
	for _, served := range []bool{true, false} {
		t.Run(fmt.Sprintf("served %v", served), func(t *testing.T) {
			w := newWorld(t)
			p := w.start()
			for i, user := range []int64{5005, 6006} {
				w.api.Text(user, "let me in")
				w.sent(i + 1)
			}
			if served {
				decide(t, web.NewClient(w.env["NACRE_DATA"]))
				if got := w.sent(3); !strings.HasPrefix(got[2], "You are admitted.") {
					t.Errorf("they were told %q", got)
				}
			}
			p.stop()
			w.alone(func(a *app) {
				if !served { // then there is no channel that would tell them
					decide(t, a)
				}
				for user, admitted := range map[string]bool{"5005": true, "6006": false} {
					all, err := a.ledger.Owners(t.Context())
					is := slices.ContainsFunc(all, func(o nacre.Owner) bool {
						return slices.ContainsFunc(o.Addresses, func(at nacre.Address) bool { return at.ID == user })
					})
					if err != nil || is != admitted {
						t.Errorf("%s is admitted: %v, %v", user, is, err)
					}
				}
			})
		})
	}
}
