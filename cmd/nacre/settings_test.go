package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
)

// kept is a settingsStore in memory.
type kept struct {
	values map[string]json.RawMessage
	puts   int
	fail   error
}

func (k *kept) PutSettings(_ context.Context, _ nacre.OwnerID, set map[string]json.RawMessage) error {
	k.puts++
	for name, value := range set {
		if k.values[name] = value; value == nil {
			delete(k.values, name)
		}
	}
	return k.fail
}

func (k *kept) OwnSettings(context.Context, nacre.OwnerID) (map[string]json.RawMessage, error) {
	return k.values, k.fail
}

func TestSettingsAsPeopleWriteThem(t *testing.T) {
	for _, c := range []struct{ name, text, want, refused string }{
		{"name", "  Anna  Maria ", "Anna Maria", ""},
		{"name", "Anna\nTools: none", "Anna Tools: none", ""},
		{"name", strings.Repeat("ä", 100), strings.Repeat("ä", 100), ""},
		{"name", strings.Repeat("ä", 101), "", "at most 100 characters"},
		{"name", "نیک\u200cنام", "نیک\u200cنام", ""}, // written with a sign that joins nothing
		{"name", "Anna\u202egnp", "", "cannot be seen"},
		{"name", "Anna\x00", "", "cannot be seen"},
		{"name", "Anna\xff", "", "cannot be seen"},
		{"name", "🦊", "🦊", ""},
		{"name", "   ", "", ""},
		{"zone", "Asia/Tokyo", "Asia/Tokyo", ""},
		{"zone", "UTC", "UTC", ""},
		{"zone", "", "", ""},
		{"zone", "Asia/Tokio", "", "There is no time zone “Asia/Tokio”"},
		{"zone", "Local", "", "There is no time zone"},
		{"zone", "../Europe/Berlin", "", "There is no time zone"},
		{"language", "DE", "de", ""},
		{"language", "german", "de", ""},
		{"language", "", "", ""},
		{"language", "Klingon", "", "I do not know that language"},
		{"hours", "8:30 - 22:00", "08:30-22:00", ""},
		{"hours", "22:00-06:00", "22:00-06:00", ""},
		{"hours", "", "", ""},
		{"hours", "8-22", "", "Write hours such as 08:00-22:00"},
		{"hours", "08:00-25:00", "", "Write hours such as 08:00-22:00"},
		{"model", "openai/BIG", "openai/big", ""},
		{"model", "2", "openai/big", ""},
		{"model", "", "", ""},
		{"model", "3", "", "there are openai/small, openai/big"},
		{"model", "huge", "", "there are openai/small, openai/big"},
		{"colour", "red", "", "There is no setting of that name"},
	} {
		s := &settings{models: []string{"openai/small", "openai/big"}}
		var o own
		err := s.set(&o, c.name, c.text)
		if refused := c.refused != ""; refused != (nacre.KindOf(err) == nacre.Invalid) || refused && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s %q: the error is %v, want %q", c.name, c.text, err, c.refused)
		}
		if got := o.text(c.name); got != c.want {
			t.Errorf("%s %q is %q, want %q", c.name, c.text, got, c.want)
		}
		var again own
		if err := s.set(&again, c.name, c.want); c.want != "" && (err != nil || again.text(c.name) != c.want) {
			t.Errorf("%s: %q reads back as %q, %v", c.name, c.want, again.text(c.name), err)
		}
	}
}

// Each language has a name for the model, and one code.
func TestLanguagesAreTold(t *testing.T) {
	codes := languageCodes()
	if !slices.IsSorted(codes) || len(slices.Compact(slices.Clone(codes))) != len(languages) {
		t.Errorf("the codes are %q", codes)
	}
	for _, code := range codes {
		if back, err := readLanguage(languageName(code)); back != code || err != nil || len(code) != 2 {
			t.Errorf("%q is named %q, which is %q", code, languageName(code), back)
		}
	}
}

func TestSettingsAreAllOrNothing(t *testing.T) {
	store := &kept{values: map[string]json.RawMessage{}}
	s := &settings{store: store, models: []string{"m"}, log: slog.New(slog.DiscardHandler)}
	change := func(wanted map[string]string) error {
		_, _, err := s.change(t.Context(), "o", wanted)
		return err
	}
	if err := change(map[string]string{"name": "Anna", "zone": "Asia/Tokyo", "hours": "08:00-09:00"}); err != nil {
		t.Fatal(err)
	}
	if err := change(map[string]string{"name": "Berta", "zone": "Nowhere/At All"}); err == nil || store.puts != 1 {
		t.Errorf("of a bad change %d were stored: %v", store.puts-1, err)
	}
	store.fail = errors.New("broken")
	if err := change(map[string]string{"name": "Berta"}); !errors.Is(err, store.fail) {
		t.Errorf("a ledger that cannot be written gives %v", err)
	}
	if got := s.of("o"); got.name != "Anna" || got.text("zone") != "Asia/Tokyo" {
		t.Errorf("after changes that failed it is %+v", got)
	}
	if got := s.of("another"); got != (own{}) {
		t.Errorf("another's are %+v", got)
	}
	store.fail = nil
	if err := change(map[string]string{"name": ""}); err != nil || s.of("o").name != "" || s.of("o").text("hours") != "08:00-09:00" {
		t.Errorf("without a name it is %+v, %v", s.of("o"), err)
	}
	if _, there := store.values["name"]; there || len(store.values) != 2 {
		t.Errorf("stored is %s", store.values)
	}
}

// What does not hold any more is as if it were not set; the rest holds.
func TestSettingsThatNoLongerHold(t *testing.T) {
	store := &kept{values: map[string]json.RawMessage{"name": json.RawMessage(`"Anna"`), "model": json.RawMessage(`"gone/model"`),
		"zone": json.RawMessage(`7`), "colour": json.RawMessage(`"red"`)}}
	s := &settings{store: store, models: []string{"m"}, log: slog.New(slog.DiscardHandler)}
	s.read(t.Context(), "o")
	if got := s.of("o"); got != (own{name: "Anna"}) {
		t.Errorf("they are %+v", got)
	}
	store.fail = errors.New("broken")
	s.read(t.Context(), "o")
	if got := s.of("o").text("zone"); got != "" {
		t.Errorf("they are %+v", got)
	}
}

func TestShortly(t *testing.T) {
	for d, want := range map[time.Duration]string{30 * time.Minute: "30m", time.Hour: "1h", 90 * time.Minute: "1h30m", 10 * time.Hour: "10h",
		90 * time.Second: "1m30s", 24 * time.Hour: "24h", 60*time.Minute + time.Second: "1h0m1s"} {
		if got := shortly(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
