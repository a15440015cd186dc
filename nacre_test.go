package nacre_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
)

func TestIDsAreUUIDv7AndSort(t *testing.T) {
	now := time.UnixMilli(1_790_000_000_123)
	var ids []string
	for i := range 100 {
		ids = append(ids, nacre.NewID(now.Add(time.Duration(i)*time.Millisecond)))
	}
	if !slices.IsSorted(ids) {
		t.Error("ids of later times do not sort later")
	}
	id := ids[0]
	if len(id) != 36 || id[14] != '7' || !strings.ContainsRune("89ab", rune(id[19])) || strings.Count(id, "-") != 4 {
		t.Errorf("%s is no UUIDv7", id)
	}
	// The first 48 bits are the Unix milliseconds (RFC 9562, 5.7).
	if want := fmt.Sprintf("%012x", now.UnixMilli()); strings.ReplaceAll(id[:13], "-", "") != want {
		t.Errorf("%s does not begin with the time %s", id, want)
	}
	if again := nacre.NewID(now); again == id {
		t.Error("two ids of one millisecond are equal")
	}
}

func TestParseOwners(t *testing.T) {
	cases := []struct {
		in   string
		want string // owners separated by "|", or the beginning of the error
	}{
		{"", ""},
		{"  ", ""},
		{"telegram:1001", "telegram:1001"},
		{"telegram:1001+whatsapp:15550001,telegram:1002", "telegram:1001 whatsapp:15550001|telegram:1002"},
		{" Telegram:1001 , whatsapp:+1 (555) 000-1 ", "telegram:1001|whatsapp:15550001"},
		{"whatsapp:+15550001+telegram:1001", "whatsapp:15550001 telegram:1001"},
		{"whatsapp:100000000000001@lid", "whatsapp:100000000000001@lid"},
		{"whatsapp:15550001@s.whatsapp.net", "whatsapp:15550001"},
		{"telegram:1001,", "the list of owners has a blank entry"},
		{",", "the list of owners has a blank entry"},
		{"telegram:1001,telegram:1001", "the list of owners names telegram:1001 twice"},
		{"telegram:@ann", `"telegram:@ann" is not a Telegram user id`},
		{"telegram:-100123", `"telegram:-100123" is not a Telegram user id`},
		{"telegram:99999999999999999999", `"telegram:99999999999999999999" is not a Telegram user id`},
		{"telegram:", `"telegram:" is not an address`},
		{"1001", `"1001" is not an address`},
		{"signal:1", `"signal:1" names the unknown channel`},
		{"whatsapp:15550001@g.us", `"whatsapp:15550001@g.us" is not a WhatsApp number`},
		{"telegram:١٠٠١", `"telegram:١٠٠١" is not a Telegram user id`},
	}
	for _, c := range cases {
		owners, err := nacre.ParseOwners(c.in)
		var entries []string
		for _, o := range owners {
			var addrs []string
			for _, a := range o {
				addrs = append(addrs, a.String())
			}
			entries = append(entries, strings.Join(addrs, " "))
		}
		got := strings.Join(entries, "|")
		if err != nil {
			got = err.Error()
			if nacre.KindOf(err) != nacre.Invalid {
				t.Errorf("%q: kind %s, want invalid", c.in, nacre.KindOf(err))
			}
		}
		if got != c.want && (err == nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestParseCommand(t *testing.T) {
	cases := []struct {
		text       string
		name, args string
		ok         bool
	}{
		{"/start", "start", "", true},
		{"  /Pair  ABCD-EFGH \n", "pair", "ABCD-EFGH", true},
		{"/stop@nacre_bot now", "stop", "now", true},
		{"/start\nparam", "start", "param", true},
		{"/unknown", "", "", false},
		{"/", "", "", false},
		{"/stopping", "", "", false},
		{"please /stop", "", "", false},
		{"", "", "", false},
	}
	for _, c := range cases {
		cmd, args, ok := nacre.ParseCommand(c.text)
		if cmd.Name != c.name || args != c.args || ok != c.ok {
			t.Errorf("%q: %q %q %v, want %q %q %v", c.text, cmd.Name, args, ok, c.name, c.args, c.ok)
		}
	}
}

func TestCommandsAreTypedByTheAuthor(t *testing.T) {
	cases := []struct {
		name     string
		segments []nacre.Segment
		command  string
		args     string
	}{
		{"typed", []nacre.Segment{{nacre.ByOwner, "/stop"}}, "stop", ""},
		{"in a group", []nacre.Segment{{nacre.InGroup, "/stop"}}, "stop", ""},
		{"under a quote", []nacre.Segment{{nacre.Quoted, "/new"}, {nacre.ByOwner, "/stop"}}, "stop", ""},
		{"deep link", []nacre.Segment{{nacre.ByOwner, "/start"}, {nacre.Prefill, "from-page"}}, "start", "from-page"},
		{"forwarded", []nacre.Segment{{nacre.Forwarded, "/pair ABCD-EFGH"}}, "", ""},
		{"quoted", []nacre.Segment{{nacre.Quoted, "/stop"}, {nacre.ByOwner, "what does this do?"}}, "", ""},
		{"filled in", []nacre.Segment{{nacre.Prefill, "/stop"}}, "", ""},
		{"file name", []nacre.Segment{{nacre.Label, "/stop"}}, "", ""},
	}
	for _, c := range cases {
		m := nacre.Message{Segments: c.segments}
		if got, args, ok := m.Command(); got.Name != c.command || args != c.args || ok != (c.command != "") {
			t.Errorf("%s: %q %q %v, want %q %q", c.name, got.Name, args, ok, c.command, c.args)
		}
	}
}

func TestErrorKinds(t *testing.T) {
	err := fmt.Errorf("outer: %w", nacre.Errorf(nacre.NotFound, "no file: %w", fs.ErrNotExist))
	if nacre.KindOf(err) != nacre.NotFound || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v: kind %s, is not-exist %v", err, nacre.KindOf(err), errors.Is(err, fs.ErrNotExist))
	}
	if got := nacre.KindOf(fs.ErrNotExist); got != nacre.Internal {
		t.Errorf("an error without a kind is %s", got)
	}
	later := &nacre.Error{Kind: nacre.Transient, After: 9 * time.Second}
	if got := nacre.RetryAfter(fmt.Errorf("send: %w", later)); got != 9*time.Second {
		t.Errorf("retry after %s", got)
	}
	if got := nacre.RetryAfter(err); got != 0 {
		t.Errorf("retry after %s where none was asked for", got)
	}
}

func TestTextIsTheAuthorsOwn(t *testing.T) {
	m := nacre.Message{Segments: []nacre.Segment{{nacre.Quoted, "q"}, {nacre.ByOwner, "mine"}, {nacre.Label, "file.txt"}, {nacre.Forwarded, "f"}, {nacre.ByVoice, "said"}}}
	if got := m.Text(); got != "mine\nsaid" {
		t.Errorf("text %q", got)
	}
}

func TestMinted(t *testing.T) {
	now := time.UnixMilli(1767225600123)
	for id, want := range map[string]time.Time{nacre.NewID(now): now, "turn": {}, "": {}, "0-0-7": {}, "not-an-id": {}, "+1234567-1234-7": {}} {
		if got := nacre.Minted(id); !got.Equal(want) {
			t.Errorf("%q was minted %v, want %v", id, got, want)
		}
	}
}
