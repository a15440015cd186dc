package main

import (
	"testing"
	"time"
)

func TestLocalName(t *testing.T) {
	summer := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file string
		zone *time.Location
		want string
	}{
		"a link":                        {"/usr/share/zoneinfo/Europe/Berlin", berlin, "Europe/Berlin"},
		"a relative link":               {"../usr/share/zoneinfo/Europe/Berlin", berlin, "Europe/Berlin"},
		"a link into a part of it":      {"/usr/share/zoneinfo/posix/Europe/Berlin", berlin, "Europe/Berlin"},
		"a link to UTC":                 {"/usr/share/zoneinfo/Etc/UTC", time.UTC, "Etc/UTC"},
		"no link, UTC":                  {"", time.UTC, "UTC"},
		"no link, east":                 {"", time.FixedZone("JST", 9*3600), "+09:00"},
		"no link, west, half an hour":   {"", time.FixedZone("NST", -3*3600-1800), "-03:30"},
		"no link, its clock of summer":  {"", berlin, "+02:00"},
		"a link to elsewhere":           {"/etc/zone", berlin, "+02:00"},
		"a link to what is no zone":     {"/usr/share/zoneinfo/Nowhere", berlin, "+02:00"},
		"a link to the whole database":  {"/usr/share/zoneinfo/", berlin, "+02:00"},
		"a link to another clock":       {"/usr/share/zoneinfo/Asia/Tokyo", berlin, "+02:00"},
		"a link to another one, in UTC": {"/usr/share/zoneinfo/Asia/Tokyo", time.UTC, "UTC"},
	} {
		if got := localName(c.file, summer.In(c.zone)); got != c.want {
			t.Errorf("%s: %q; want %q", name, got, c.want)
		}
	}
}

// What the owner's zone is called is never empty, and the zone that it names has the
// same clock.
func TestZoneNameOfTheMachine(t *testing.T) {
	name := zoneName(time.Local)
	now := time.Now()
	parsed, err := time.Parse("-07:00", name)
	if err != nil {
		var zone *time.Location
		if zone, err = time.LoadLocation(name); name == "" || err != nil {
			t.Fatalf("the machine's zone is called %q, %v", name, err)
		}
		parsed = now.In(zone)
	}
	_, want := now.Zone()
	if _, got := parsed.Zone(); got != want {
		t.Errorf("%s is %d seconds from UTC; the machine's clock %d", name, got, want)
	}
	if got := zoneName(time.UTC); got != "UTC" {
		t.Errorf("UTC is called %q", got)
	}
}
