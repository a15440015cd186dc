package main

import (
	"os"
	"strings"
	"time"
)

// zoneName is by what a browser knows a zone too, so that both read the same clock:
// its IANA name. The zone of the machine has none for Go; it has the name to which
// /etc/localtime leads, or else its present offset.
func zoneName(zone *time.Location) string {
	if zone != time.Local {
		return zone.String()
	}
	link, _ := os.Readlink("/etc/localtime") // what is no link has no name
	return localName(link, time.Now())
}

// localName names the zone of a time by the file that it was read from, if that is
// one of the IANA database with the same clock: TZ may have chosen another.
func localName(file string, now time.Time) string {
	_, name, _ := strings.Cut(file, "zoneinfo/")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "posix/"), "right/")
	short, offset := now.Zone()
	if zone, err := time.LoadLocation(name); name != "" && err == nil {
		if _, there := now.In(zone).Zone(); there == offset {
			return name
		}
	}
	if short == "UTC" {
		return short
	}
	return now.Format("-07:00")
}
