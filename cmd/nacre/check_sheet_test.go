package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestClockThatIsLongAgo(t *testing.T) {
	for _, test := range []struct {
		now  time.Time
		want level
	}{
		{time.Unix(0, 0), problem},
		{time.Date(2024, 12, 31, 23, 59, 59, 0, time.UTC), problem},
		{time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), fine},
	} {
		if f := checkClock(test.now, nil); f.Level != test.want {
			t.Errorf("%s: %+v, want %s", test.now, f, test.want)
		}
	}
}

func TestNetworkFileSystems(t *testing.T) {
	// The numbers of statfs(2).
	for kind, want := range map[uint32]string{0x6969: "NFS", 0xFF534D42: "a Windows share", 0x65735546: "FUSE", 0xEF53: "", 0x01021994: ""} {
		if got := networked(kind); got != want {
			t.Errorf("%#x: %q, want %q", kind, got, want)
		}
	}
}

func TestSheetInATerminal(t *testing.T) {
	var out bytes.Buffer
	d := diagnosis{Version: "1.0", Go: "go1", Platform: "linux/amd64", Findings: []finding{
		{"Data", "disk", fine, "74 GiB free", ""},
		{"Model", "provider", problem, "nothing listens at 127.0.0.1:9", "start it, or check OPENAI_BASE_URL"},
	}}
	s := sheet{out: &out, rich: true, width: 48}
	if err := s.print(d); err != nil {
		t.Fatal(err)
	}
	want := "Nacre 1.0, built with go1 for linux/amd64\n" +
		"\n\x1b[1mData\x1b[0m\n  \x1b[32m✓\x1b[0m  disk      74 GiB free\n" +
		"\n\x1b[1mModel\x1b[0m\n  \x1b[31m✗\x1b[0m  provider  nothing listens at 127.0.0.1:9;\n" +
		"               start it, or check\n               OPENAI_BASE_URL\n\n"
	if got := out.String(); got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	for line := range strings.Lines(want) {
		if n := len([]rune(strings.TrimSpace(stripped(line)))); n > 48 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
}

func stripped(s string) string {
	return strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[31m", "", "\x1b[32m", "").Replace(s)
}

func TestWrap(t *testing.T) {
	text := "the quick brown fox jumps over the lazy dog and " + strings.Repeat("x", 60) + " ends"
	for _, row := range wrap(text, 40) {
		if len(row) > 40 && strings.Contains(row, " ") {
			t.Errorf("row %q is too long", row)
		}
	}
	if got := strings.Join(wrap(text, 40), " "); got != text {
		t.Errorf("wrapped and joined: %q", got)
	}
	if got := wrap(text, 0); len(got) != 1 || got[0] != text {
		t.Errorf("without a width: %q", got)
	}
}
