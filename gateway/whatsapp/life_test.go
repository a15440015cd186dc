package whatsapp

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest/wadouble"
)

var (
	_ gateway.Channel  = (*Channel)(nil)
	_ gateway.Reporter = (*Channel)(nil)
	_ gateway.Prober   = (*Channel)(nil)
)

func TestNothingLinkedTouchesNothing(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.run()
		r.after(24 * time.Hour)
		r.wantState(true, "no account is linked; run nacre pair whatsapp, or open the page")
		if n := r.wa.Net().Dials(); n != 0 {
			t.Errorf("%d connections were made", n)
		}
		if is, _ := r.c.file.exists(); is {
			t.Error("there is a file")
		}
		if told := r.told(); len(told) != 0 {
			t.Errorf("told %q", told)
		}
	})
}

func TestQuietNightIsOneLogin(t *testing.T) {
	connected(t, func(r *rig) {
		r.after(8 * time.Hour)
		r.wantLogins(1)
		r.wantState(true, "connected")
		r.ann.Say(r.us.LID(), "good morning")
		r.after(time.Second)
		r.wantTexts("good morning")
	})
}

func TestLostConnectionComesBack(t *testing.T) {
	for name, lose := range map[string]func(*rig){
		"network":         func(r *rig) { r.wa.Net().Cut() },
		"server":          func(r *rig) { r.wa.Cut() },
		"stream 503":      func(r *rig) { r.wa.Fail(wadouble.Fault{Kind: wadouble.StreamError, Code: 503}) },
		"stream unknown":  func(r *rig) { r.wa.Fail(wadouble.Fault{Kind: wadouble.StreamError, Code: 599}) },
		"log in again":    func(r *rig) { r.wa.Fail(wadouble.Fault{Kind: wadouble.StreamError, Code: 515}) },
		"login 503":       func(r *rig) { r.wa.Fail(wadouble.Fault{Kind: wadouble.LoginError, Code: 503}); r.wa.Cut() },
		"login 500 twice": func(r *rig) { r.wa.Fail(wadouble.Fault{Kind: wadouble.LoginError, Code: 500, Times: 2}); r.wa.Cut() },
		"login 501":       func(r *rig) { r.wa.Fail(wadouble.Fault{Kind: wadouble.LoginError, Code: 501}); r.wa.Cut() },
		"login 429 twice": func(r *rig) { r.wa.Fail(wadouble.Fault{Kind: wadouble.LoginError, Code: 429, Times: 2}); r.wa.Cut() },
		"no server": func(r *rig) {
			r.wa.Refuse(true)
			r.wa.Cut()
			r.after(time.Minute)
			r.wantState(false, "WhatsApp cannot be reached; trying again")
			r.wa.Refuse(false)
		},
		"no network": func(r *rig) {
			r.wa.Net().Refuse(true)
			r.wa.Net().Cut()
			r.after(time.Minute)
			r.wantState(false, "WhatsApp cannot be reached (connection refused); trying again")
			r.wa.Net().Refuse(false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			connected(t, func(r *rig) {
				lose(r)
				r.ann.Say(r.us.LID(), "still there?")
				r.after(2 * time.Minute)
				r.wantState(true, "connected")
				r.wantTexts("still there?")
				if told := r.told(); len(told) != 0 {
					t.Errorf("told %q", told)
				}
			})
		})
	}
}

// TestTerminal counts what follows an end that only a person can mend: nothing, until
// the program is started anew.
func TestTerminal(t *testing.T) {
	login := func(code int) func(*rig) {
		return func(r *rig) {
			r.wa.Fail(wadouble.Fault{Kind: wadouble.LoginError, Code: code, Times: -1})
			r.wa.Cut()
		}
	}
	for _, c := range []struct {
		name   string
		end    func(*rig)
		logins int // from the trouble on
		says   string
		linked bool // afterwards
	}{
		{"unlinked on the phone", func(r *rig) { r.us.Unlink() }, 0, "was unlinked on the phone", false},
		{"login 401", login(401), 1, "was unlinked on the phone", false},
		{"login 403", login(403), 1, "(403); open WhatsApp on the phone", false},
		{"login 406", login(406), 1, "has banned this account (406)", false},
		{"login 405", login(405), 1, "upgrade Nacre", true},
		{"login 409", login(409), 1, "refuses the login (code 409)", true},
		{"login 413", login(413), 1, "refuses the login", true},
		{"login never heard of", login(499), 1, "refuses the login (code 499)", true},
		{"banned for an unknown time", login(402), 1, "restart Nacre after that", true},
		{"replaced", func(r *rig) { r.wa.Fail(wadouble.Fault{Kind: wadouble.StreamError, Words: wadouble.Replaced}) }, 0, "another program uses this account's keys", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			connected(t, func(r *rig) {
				c.end(r)
				r.after(time.Minute)
				r.wantLogins(1 + c.logins)
				r.after(time.Hour)
				r.wantLogins(1 + c.logins)
				r.wantState(false, c.says)
				if told := r.told(); len(told) != 1 || !strings.Contains(told[0], c.says) {
					t.Errorf("told %q, want once with %q", told, c.says)
				}
				if linked, err := r.c.file.linked(r.Context(), quiet); linked != c.linked || err != nil {
					t.Errorf("linked = %v, %v; want %v", linked, err, c.linked)
				}
				r.wa.Heal()
				r.restart()
				r.after(time.Minute)
				if c.linked {
					r.wantState(true, "connected as")
				} else {
					r.wantState(false, c.says) // it is still for the person to do something
				}
				if told := r.told(); len(told) != 1 {
					t.Errorf("after a new start, told %q", told)
				}
			})
		})
	}
}

func TestBanIsOverByItself(t *testing.T) {
	connected(t, func(r *rig) {
		r.wa.Fail(wadouble.Fault{Kind: wadouble.LoginError, Code: 402, Ban: 101, Expire: 3 * time.Hour})
		r.wa.Cut()
		r.after(3 * time.Hour)
		r.wantLogins(2)
		r.wantState(false, "too many people who do not know it (code 101)")
		r.after(10 * time.Minute)
		r.wantLogins(3)
		r.wantState(true, "connected")
		if told := r.told(); len(told) != 1 {
			t.Errorf("told %q, want once", told)
		}
	})
}

func TestSecondBanWaitsForThePerson(t *testing.T) {
	connected(t, func(r *rig) {
		r.wa.Fail(wadouble.Fault{Kind: wadouble.LoginError, Code: 402, Ban: 102, Expire: time.Hour, Times: -1})
		r.wa.Cut()
		r.after(24 * time.Hour)
		r.wantLogins(3)
		r.wantState(false, "it did so already, so restart Nacre")
	})
}

func TestOutdatedTriesOnceWithTheNewestVersion(t *testing.T) {
	connected(t, func(r *rig) {
		r.wa.Latest("2.3000.1999999999")
		r.wa.Cut()
		r.after(time.Minute)
		r.wantLogins(3) // the first, one that was refused, and one with the new version
		r.wantState(true, "connected")
	})
}

func TestVersionIsFreshBeforeTheFirstLogin(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.link()
		r.wa.Latest("2.3000.1999999999")
		r.c = r.open() // a new start
		r.run()
		r.after(5 * time.Second)
		r.wantLogins(1)
		r.wantState(true, "connected")
	})
}

// TestFlapping counts the logins when no connection holds.
func TestFlapping(t *testing.T) {
	lost := func(every time.Duration) func(*rig) {
		return func(r *rig) {
			for end := time.Now().Add(time.Hour - every); time.Now().Before(end); {
				r.wa.Cut()
				r.after(every)
			}
		}
	}
	for name, flap := range map[string]func(*rig){
		"refused":              func(r *rig) { r.wa.Fail(wadouble.Fault{Kind: wadouble.LoginError, Code: 503, Times: -1}); r.wa.Cut() },
		"too many logins":      func(r *rig) { r.wa.Fail(wadouble.Fault{Kind: wadouble.LoginError, Code: 429, Times: -1}); r.wa.Cut() },
		"lost after the login": lost(5 * time.Second),
		"lost after a minute":  lost(70 * time.Second),
		"not stored": func(r *rig) {
			r.host.Fail(nacre.Errorf(nacre.Internal, "disk full"))
			r.ann.Say(r.us.LID(), "hello")
		},
	} {
		t.Run(name, func(t *testing.T) {
			connected(t, func(r *rig) {
				began := time.Now()
				flap(r)
				r.after(time.Hour - time.Since(began))
				if n := len(r.wa.Logins()); n < 10 || n > 25 {
					t.Errorf("%d logins in an hour", n)
				}
				r.wa.Heal()
				r.host.Fail(nil)
				r.after(7 * time.Minute)
				r.wantState(true, "connected")
			})
		})
	}
}

// TestNoHourIsWorseThanTheFirst has messages that can never be stored: each tries for
// minutes, which must not count as a connection that holds.
func TestNoHourIsWorseThanTheFirst(t *testing.T) {
	connected(t, func(r *rig) {
		r.host.Fail(nacre.Errorf(nacre.Transient, "disk full"))
		r.ann.Say(r.us.LID(), "hello")
		r.after(time.Hour)
		before := len(r.wa.Logins())
		r.after(2 * time.Hour)
		if n := len(r.wa.Logins()) - before; n == 0 || n > 24 {
			t.Errorf("%d logins in two hours", n)
		}
	})
}

// TestEndSaysNothingOfTheNumber looks at the moment between a connection and the
// words about its end.
func TestEndSaysNothingOfTheNumber(t *testing.T) {
	connected(t, func(r *rig) {
		r.c.setLine(nil, "")
		_, err := r.c.Send(r.Context(), nacre.Delivery{ID: "one", Chat: chatOf(r.ann.LID()), Part: nacre.Part{Text: "one"}}, false)
		if nacre.KindOf(err) != nacre.Transient || strings.Contains(err.Error(), ourPhone) {
			t.Errorf("Send = %v", err)
		}
		r.wantState(false, "the connection to WhatsApp was lost")
	})
}

func TestSilenceEndsAConnectionAfterMinutes(t *testing.T) {
	connected(t, func(r *rig) {
		r.after(time.Minute)
		r.wa.Fail(wadouble.Fault{Kind: wadouble.NoPong, Times: 3})
		r.after(10 * time.Minute)
		r.wantLogins(1)
		r.wa.Fail(wadouble.Fault{Kind: wadouble.NoPong, Times: -1})
		r.after(2 * time.Minute)
		r.wantLogins(1)
		r.after(3 * time.Minute)
		r.wa.Heal()
		r.wantLogins(2)
		r.after(time.Minute)
		r.wantState(true, "connected")
	})
}

func TestProbe(t *testing.T) {
	connected(t, func(r *rig) {
		if err := r.c.Probe(r.Context()); err != nil {
			t.Errorf("Probe = %v", err)
		}
		r.wa.Fail(wadouble.Fault{Kind: wadouble.QueryError, Words: "passive", Code: 500})
		if err := r.c.Probe(r.Context()); nacre.KindOf(err) != nacre.Transient {
			t.Errorf("when WhatsApp fails, Probe = %v", err)
		}
		r.wa.Net().Refuse(true)
		r.wa.Net().Cut()
		r.after(time.Second)
		if err := r.c.Probe(r.Context()); nacre.KindOf(err) != nacre.Transient {
			t.Errorf("without network, Probe = %v", err)
		}
	})
}

func TestSpoiltFileWaitsForThePerson(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.link()
		spoilt := []byte(strings.Repeat("not a database ", 400))
		write(r.T, r.c.file, spoilt)
		os.Remove(r.c.file.path + "-wal")
		r.run()
		r.after(time.Hour)
		r.wantState(false, "is damaged; move it and whatsapp.db-wal away and link the account again")
		if told := r.told(); len(told) != 1 {
			t.Errorf("told %q, want once", told)
		}
		if contentsOf(r.c.file) != string(spoilt) {
			t.Error("the file was changed")
		}
		if err := r.c.Link(r.Context(), "", r.scan); !strings.Contains(err.Error(), "is damaged") {
			t.Errorf("Link = %v", err)
		}
		os.Rename(r.c.file.path, r.c.file.path+".away")
		if err := r.c.Link(r.Context(), "", r.scan); err != nil {
			t.Errorf("with the file away, Link = %v", err)
		}
		r.after(time.Minute)
		r.wantState(true, "connected")
	})
}

// TestRunEndsWithALockedFile in spite of SQLite's wait of five seconds, which heeds no
// context and no clock of a test.
func TestRunEndsWithALockedFile(t *testing.T) {
	c := New(Options{Dir: t.TempDir()})
	if err := c.file.create(); err != nil {
		t.Fatal(err)
	}
	defer lock(t, c.file)()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	c.Run(ctx, nil)
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("Run ended after %v", took)
	}
}

// TestLeftOfALinking has what remains when the program is killed while it links, or
// between the farewell and the end of the file.
func TestLeftOfALinking(t *testing.T) {
	left := func(r *rig) {
		if err := r.c.file.create(); err != nil {
			r.Fatal(err)
		}
		a, err := r.c.file.open(r.Context(), quiet)
		if err != nil {
			r.Fatal(err)
		}
		a.Close()
		if !r.c.Linked() {
			r.Error("want a file")
		}
	}
	for name, mend := range map[string]func(*rig){
		"Run": func(r *rig) {
			r.run()
			r.after(time.Second)
			r.wantState(true, "no account is linked")
		},
		"Unlink": func(r *rig) {
			if err := r.c.Unlink(r.Context()); err != nil {
				r.Errorf("Unlink = %v", err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				left(r)
				mend(r)
				r.wantNoFile()
				if r.c.Linked() {
					t.Error("Linked is true")
				}
				if err := r.c.Unlink(r.Context()); nacre.KindOf(err) != nacre.NotFound {
					t.Errorf("then Unlink = %v", err)
				}
			})
		})
	}
}

func TestLockedFileIsTriedAgain(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.link()
		unlock := lock(r.T, r.c.file)
		r.c.file.busy = 20
		r.run()
		r.after(10 * time.Minute)
		r.wantState(false, "in use by another program")
		r.wantLogins(0)
		unlock()
		r.after(7 * time.Minute)
		r.wantState(true, "connected")
	})
}
