package ledger_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/ledger"
)

// setting writes settings as JSON texts; an empty one takes the setting away.
func setting(t *testing.T, l *ledger.Ledger, owner nacre.OwnerID, set map[string]string) {
	t.Helper()
	values := map[string]json.RawMessage{}
	for name, text := range set {
		if values[name] = nil; text != "" {
			values[name], _ = json.Marshal(text)
		}
	}
	must(t, l.PutSettings(ctx, owner, values))
}

// wantSettings wants exactly these settings of an owner.
func wantSettings(t *testing.T, l *ledger.Ledger, owner nacre.OwnerID, want map[string]string) {
	t.Helper()
	own, err := l.OwnSettings(ctx, owner)
	must(t, err)
	got := map[string]string{}
	for name, value := range own {
		var text string
		must(t, json.Unmarshal(value, &text))
		got[name] = text
	}
	if !maps.Equal(got, want) {
		t.Errorf("settings %v, want %v", got, want)
	}
}

func TestSettingsAreAnOwnersOwn(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	who := owners(t, l, "1001", "1002")
	wantSettings(t, l, who[0], map[string]string{})
	setting(t, l, who[0], map[string]string{"name": "Ada", "zone": "Europe/Berlin"})
	setting(t, l, who[1], map[string]string{"name": "Bo"})
	setting(t, l, who[0], map[string]string{"name": "Ada L.", "hours": "08:00-22:00", "model": ""})
	wantSettings(t, l, who[0], map[string]string{"name": "Ada L.", "zone": "Europe/Berlin", "hours": "08:00-22:00"})
	setting(t, l, who[0], map[string]string{"zone": "", "hours": ""})
	l.Close()
	l = open(t, dir)
	wantSettings(t, l, who[0], map[string]string{"name": "Ada L."})
	wantSettings(t, l, who[1], map[string]string{"name": "Bo"})
}

// What a setting was before cannot be read in an old copy of the database once
// something is forgotten.
func TestForgettingTakesSettings(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	setting(t, l, o, map[string]string{"name": "Zqxkiko", "zone": "Zqxkiko/Town", "hours": "08:00-22:00"})
	old, err := l.Copy(o)
	must(t, err)
	setting(t, l, o, map[string]string{"name": "Ada of zqxkiko", "hours": ""})
	e := memory.Erasure{ID: nacre.NewID(time.Now()), Size: memory.SizeAbout, Writer: memory.ByPage,
		Needle: &memory.Needle{Quotes: []string{canon.Form("zqxkiko")}, Marks: []string{"zqxkiko"}}}
	_, _, err = l.Erase(ctx, o, e)
	must(t, err)
	swept, err := l.Sweep(ctx, o, e)
	must(t, err)
	if swept.Left > 0 || len(swept.Pending) > 0 {
		t.Errorf("swept %+v", swept)
	}
	// A zone is chosen from a list, and is nobody's words.
	wantSettings(t, l, o, map[string]string{"zone": "Zqxkiko/Town"})
	open := slices.DeleteFunc(old, func(c ledger.Copied) bool { return !l.Opens(o, c) })
	if len(old) != 3 || len(open) != 1 || open[0].Plain != `{"zone":"Zqxkiko/Town"}` {
		t.Errorf("of %d old rows these can be read: %+v", len(old), open)
	}
}
