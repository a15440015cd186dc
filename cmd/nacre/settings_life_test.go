package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent/llm/llmtest"
	"nacre/memory"
	"nacre/web"
)

// hand is a user's own, on the page.
func (b *bubble) hand(user int64) web.Hand {
	return web.Hand{Owner: b.ownerOf(user), By: memory.ByPage}
}

// sheet reads the settings of a user.
func (b *bubble) sheet(user int64) web.SettingsSheet {
	b.t.Helper()
	s, err := b.app.Settings(b.hand(user)).Show(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// asked is how the newest request to the model begins and ends.
func (b *bubble) asked() (system, tail string) {
	b.t.Helper()
	all := b.model.Requests()
	if len(all) == 0 {
		b.t.Fatal("the model was not asked")
	}
	return all[len(all)-1].System, all[len(all)-1].Tail
}

// Everybody's clock is that of where they live, in all that they say and are told,
// and stays so.
func TestEverybodyLivesSomewhere(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "/settings zone Asia/Tokyo")
		if got := b.newest(1001); !strings.Contains(got, "Asia/Tokyo, where it is 09:00 on Sat 1 Jan") {
			t.Errorf("the answer is %q", got)
		}
		b.stop()
		b.start()
		for user, want := range map[int64]string{1001: "Sun 2 Jan 2000, 09:00 (Asia/Tokyo)", 1002: "Sun 2 Jan 2000, 09:00 (UTC)"} {
			b.say(user, "/remind tomorrow 9:00 water the plants")
			if got := b.newest(user); !strings.Contains(got, want) {
				t.Errorf("%d is told %q, want %q", user, got, want)
			}
			b.say(user, "hello")
		}
		for user, want := range map[int64]string{1001: "2000-01-02T00:00:00Z", 1002: "2000-01-02T09:00:00Z"} {
			if got := b.jobsOf(user)[0].Next.UTC().Format(time.RFC3339); got != want {
				t.Errorf("%d is reminded at %s, want %s", user, got, want)
			}
		}
		b.say(1001, "what is the time?")
		if _, tail := b.asked(); !strings.Contains(tail, "[now: Sat 1 Jan 2000 09:00 (Asia/Tokyo)") {
			t.Errorf("the model is told %q", tail)
		}
		b.say(1002, "what is the time?")
		if _, tail := b.asked(); !strings.Contains(tail, "[now: Sat 1 Jan 2000 00:00 (UTC)") {
			t.Errorf("of another the model is told %q", tail)
		}
		b.pass(24*time.Hour + time.Second)
		if got := b.newest(1001); !strings.HasPrefix(got, "⏰") {
			t.Errorf("at nine in Tokyo the one there sees %q", got)
		}
		if got := b.newest(1002); strings.HasPrefix(got, "⏰") {
			t.Errorf("at midnight the other sees %q", got)
		}
		me, err := b.app.Me(b.t.Context(), b.hand(1001))
		if err != nil || me.Zone != "Asia/Tokyo" || !me.Operator {
			t.Errorf("the page is told %+v, %v", me, err)
		}
		b.say(1001, "/settings zone default")
		if got := b.sheet(1001); got.Zone != "UTC" || len(got.Own) != 0 {
			t.Errorf("after all is as usual the sheet is %+v", got)
		}
	}, "NACRE_HEARTBEAT=off")
}

// nextOf is when the job with a text is due.
func (b *bubble) nextOf(user int64, text string) string {
	b.t.Helper()
	for _, j := range b.jobsOf(user) {
		if j.Text == text {
			return j.Next.UTC().Format(time.RFC3339)
		}
	}
	b.t.Fatalf("there is no job %q", text)
	return ""
}

// What is planned by an owner's clock follows them; what names a zone stays there.
func TestPlansFollowTheirOwner(t *testing.T) {
	live(t, func(b *bubble) {
		for _, user := range []int64{1001, 1002} {
			b.say(user, "/remind every day at 9:00 stretch")
		}
		if _, err := b.app.Jobs(b.hand(1001)).Add(b.t.Context(), web.JobWish{Text: "call", Cron: "0 9 * * *", Zone: "Asia/Tokyo"}); err != nil {
			t.Fatal(err)
		}
		elsewhere := b.nextOf(1001, "call")
		zone := "America/New_York"
		if _, err := b.app.Settings(b.hand(1001)).Change(b.t.Context(), web.SettingsChange{Zone: &zone}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			user       int64
			text, want string
		}{{1001, "stretch", "2000-01-01T14:00:00Z"}, {1001, "call", elsewhere}, {1002, "stretch", "2000-01-01T09:00:00Z"}} {
			if got := b.nextOf(c.user, c.text); got != c.want {
				t.Errorf("%d: %s is due at %s, want %s", c.user, c.text, got, c.want)
			}
		}
		b.pass(10 * time.Hour)
		if here, there := b.texts(1001), b.texts(1002); len(here) != 1 || len(there) != 2 {
			t.Errorf("at ten they see %q, the other %q", here, there)
		}
		b.pass(4*time.Hour + time.Second)
		if got := b.newest(1001); !strings.HasPrefix(got, "⏰ stretch") {
			t.Errorf("at nine in New York they see %q", got)
		}
	}, "NACRE_HEARTBEAT=off")
}

// A heartbeat keeps to the hours of its owner, by their clock.
func TestHoursAreTheOwners(t *testing.T) {
	for _, c := range []struct {
		name     string
		commands []string
		beats    bool // at one o'clock in UTC
	}{
		{"the usual ones", nil, false},
		{"their own", []string{"/settings hours 00:30-04:00"}, true},
		{"the usual ones, elsewhere", []string{"/settings zone Asia/Tokyo"}, true},
		{"their own, elsewhere", []string{"/settings zone Asia/Tokyo", "/settings hours 00:30-04:00"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			live(t, func(b *bubble) {
				b.say(1001, "/whoami")
				for _, text := range c.commands {
					b.say(1001, text)
				}
				b.stop()
				b.start() // the owner has a home now, and gets a heartbeat
				b.heartbeatFile(1001, "- Tell me when the year is over.\n")
				for range 4 {
					b.model.Push(decides(""))
				}
				b.pass(90 * time.Minute)
				if n := len(b.model.Requests()); (n > 0) != c.beats {
					t.Errorf("in the night of UTC the model was asked %d times", n)
				}
			})
		})
	}
}

// How somebody wants to be called and answered stands in every prompt of theirs, in
// private, until it is forgotten.
func TestNameAndLanguageReachTheModel(t *testing.T) {
	const name, language = `called "Zqxkiko \"the\" Fox"`, "Answer them in German"
	live(t, func(b *bubble) {
		holds := func(user int64, want ...string) {
			t.Helper()
			b.say(user, "hello")
			system, _ := b.asked()
			for _, text := range []string{name, language} {
				if strings.Contains(system, text) != slices.Contains(want, text) {
					t.Errorf("%d: the model is told %q; want %q", user, system, want)
				}
			}
		}
		holds(1001)
		before, _ := b.asked()
		b.say(1001, `/settings name Zqxkiko "the" Fox`)
		b.say(1001, "/settings language german")
		holds(1001, name, language)
		holds(1002)
		b.stop()
		b.start()
		holds(1001, name, language)
		if got := b.sheet(1001); got.Name != `Zqxkiko "the" Fox` || got.Language != "de" || !slices.Equal(got.Own, []string{"name", "language"}) {
			t.Errorf("the sheet is %+v", got)
		}
		b.say(1001, "/forget about Zqxkiko")
		b.say(1001, "yes")
		holds(1001, language)
		if got := b.sheet(1001); got.Name != "" || got.Language != "de" {
			t.Errorf("after the name was forgotten the sheet is %+v", got)
		}
		b.say(1001, "/settings name Zqxkiko")
		b.say(1001, "/forget all")
		b.say(1001, "yes")
		holds(1001)
		if after, _ := b.asked(); after != before {
			t.Errorf("when all is forgotten the model is told %q, want %q", after, before)
		}
		left, err := b.app.ledger.OwnSettings(b.t.Context(), b.ownerOf(1001))
		if err != nil || len(left) != 0 || len(b.sheet(1001).Own) != 0 {
			t.Errorf("%s is left, %v", left, err)
		}
	}, "NACRE_HEARTBEAT=off")
}

// The model that an owner wants answers where no other was chosen.
func TestModelIsTheOwners(t *testing.T) {
	other := &llmtest.Model{Strict: true}
	liveWith(t, []supplier{{name: "other/model", model: other, window: unknownWindow}}, func(b *bubble) {
		other.Push(llmtest.Step{Text: "I am the other."})
		b.say(1001, "/settings model huge")
		if got := b.newest(1001); !strings.Contains(got, "there are scripted, other/model") {
			t.Errorf("of an unknown model is said %q", got)
		}
		b.say(1001, "hello")
		b.say(1001, "/settings model OTHER/model")
		b.say(1001, "hello")
		b.say(1002, "hello")
		if got := b.newest(1001); got != "I am the other." {
			t.Errorf("the model that they want says %q", got)
		}
		b.expect(1002, "echo: hello")
		if s := b.sheet(1001); s.Model != "other/model" || !slices.Equal(s.Models, []string{"scripted", "other/model"}) {
			t.Errorf("the sheet is %+v", s)
		}
		b.say(1001, "/model scripted")
		b.say(1001, "still there?")
		if got := b.newest(1001); got != "echo: still there?" {
			t.Errorf("the model that was chosen says %q", got)
		}
	}, "NACRE_HEARTBEAT=off")
}

// In a chat settings are shown and changed one by one, in private alone; what is
// wrong is refused with what to write instead, and changes nothing.
func TestSettingsCommand(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "/settings")
		for _, want := range []string{"name: not set", "zone: UTC, where it is 00:00 on Sat 1 Jan", "language: the one in which you write",
			"hours: 08:00-22:00", "model: scripted", "saving: on", "sensitive: off"} {
			if got := b.newest(1001); !strings.Contains(got, want) {
				t.Errorf("the settings are %q, want %q in them", got, want)
			}
		}
		for text, want := range map[string]string{
			"/settings zone Mars/Base":  "There is no time zone “Mars/Base”",
			"/settings colour red":      "There is no such setting",
			"/settings zone":            "/settings zone Europe/Berlin",
			"/settings saving maybe":    "Write on or off behind it",
			"/settings hours all day":   "Write hours such as",
			"/settings language x":      "I do not know that language",
			"/settings name A\u202eB":   "cannot be seen",
			"/settings model 9":         "there are scripted",
			"/settings sensitive":       "Write on or off behind it",
			"/settings NAME Anna_Maria": "Done. name: Anna",
		} {
			b.say(1001, text)
			if got := b.newest(1001); !strings.Contains(got, want) {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
		}
		if got := b.sheet(1001); !slices.Equal(got.Own, []string{"name"}) || got.Name != "Anna_Maria" {
			t.Errorf("in the end the sheet is %+v", got)
		}
		state := func() *memory.State {
			st, err := b.app.library.Book(b.ownerOf(1001)).State(b.t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return st
		}
		b.say(1001, "/settings saving OFF")
		b.say(1001, "/settings sensitive  on")
		if st := state(); st.On(memory.Saving) || !st.On(memory.Sensitive) {
			t.Errorf("saving is on: %v, sensitive topics: %v", st.On(memory.Saving), st.On(memory.Sensitive))
		}
		b.say(1001, "/settings")
		if got := b.newest(1001); !strings.Contains(got, "saving: off") || !strings.Contains(got, "sensitive: on") || !strings.Contains(got, "name: Anna") {
			t.Errorf("the settings are %q", got)
		}
		for i, text := range []string{"/settings@nacre_test_bot", "/settings@nacre_test_bot name Berta"} {
			b.api.Inject(fmt.Sprintf(`{"message":{"message_id":%d,"date":1,"from":{"id":1001,"is_bot":false,"first_name":"x"},"chat":{"id":-2002,"type":"supergroup","title":"g"},"text":%q,"entities":[{"type":"bot_command","offset":0,"length":24}]}}`,
				9000+i, text))
			b.pass(time.Millisecond)
		}
		b.expect(-2002, "Your settings are between you and me", "Your settings are between you and me")
		if got := b.sheet(1001).Name; got != "Anna_Maria" {
			t.Errorf("in a group the name was changed to %q", got)
		}
	}, "NACRE_HEARTBEAT=off")
}

// On the page a change is all or nothing too, and concerns nobody else.
func TestSettingsOfThePage(t *testing.T) {
	live(t, func(b *bubble) {
		desk := b.app.Settings(b.hand(1002))
		name, zone, hours, none := "Berta", "Europe/Vienna", "07:00-21:00", ""
		got, err := desk.Change(b.t.Context(), web.SettingsChange{Name: &name, Zone: &zone, Hours: &hours})
		want := web.SettingsSheet{Name: name, Zone: zone, Hours: hours, Model: "scripted", Models: []string{"scripted"}, Memory: "scripted",
			Languages: languageCodes(), Heartbeat: "30m", Own: []string{"name", "zone", "hours"}}
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the sheet is %+v, %v; want %+v", got, err, want)
		}
		bad := "Mars/Base"
		if _, err := desk.Change(b.t.Context(), web.SettingsChange{Name: &none, Zone: &bad}); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("a bad change gives %v", err)
		}
		if got := b.sheet(1002); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("after a bad change the sheet is %+v", got)
		}
		if got := b.sheet(1001); len(got.Own) != 0 {
			t.Errorf("another's sheet is %+v", got)
		}
		if got, err = desk.Change(b.t.Context(), web.SettingsChange{Name: &none, Zone: &none, Hours: &none}); err != nil || len(got.Own) != 0 || got.Zone != "UTC" || got.Hours != "08:00-22:00" {
			t.Errorf("as usual again the sheet is %+v, %v", got, err)
		}
	})
}
