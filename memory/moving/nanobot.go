package moving

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// admitted tells who could write to nanobot or OpenClaw, from its config.json: how many
// on which channel. Nobody is let in by it, and nothing else of it is looked at, its
// tokens least of all.
func admitted(_ *Parcel, e entry, r *reading) error {
	o, ok, err := r.object(e)
	if err != nil || !ok {
		return err
	}
	channels := o.under("channels")
	count := map[string]int{}
	for name := range channels {
		count[name] = accounts(channels.under(name).value("allowFrom", "allow_from"))
	}
	return r.mayWrite(e, count)
}

// paired tells who was paired with nanobot, from its pairing.json.
func paired(_ *Parcel, e entry, r *reading) error {
	o, ok, err := r.object(e)
	if err != nil || !ok {
		return err
	}
	count := map[string]int{}
	for name, ids := range o.under("approved") {
		count[name] = accounts(ids)
	}
	return r.mayWrite(e, count)
}

// everybody is the number of accounts of a channel that is open to all.
const everybody = -1

// accounts counts the accounts of a list.
func accounts(v any) int {
	list, _ := v.([]any)
	if slices.Contains(list, any("*")) {
		return everybody
	}
	return len(list)
}

// maxChannels is how many channels of one file are told.
const maxChannels = 20

// mayWrite tells how many could write on each channel.
func (r *reading) mayWrite(e entry, count map[string]int) error {
	told := 0
	for _, channel := range slices.Sorted(maps.Keys(count)) {
		if count[channel] == 0 || told == maxChannels {
			continue
		}
		told++
		who, why := plural(count[channel], "account"), " could write there. Add them to NACRE_OWNERS, or let them write to Nacre and pair them."
		if count[channel] == everybody {
			who, why = "everybody", " could write there. Add those whom you want to NACRE_OWNERS, or let them write to Nacre and pair them."
		}
		why = channelName(channel) + ": " + who + why
		if err := r.left(e.place(0), "who may write", why); err != nil {
			return err
		}
	}
	return nil
}

// channelName is the name of a channel as it can be told.
func channelName(name string) string {
	const longest = 20
	if name == "" || len(name) > longest || strings.ContainsFunc(name, func(c rune) bool { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') }) {
		return "Another channel"
	}
	if name == "whatsapp" {
		return "WhatsApp"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// object is a file that is one object of JSON. What is not is told, by the line at which
// it breaks.
func (r *reading) object(e entry) (object, bool, error) {
	text, err := r.text(e)
	if err != nil {
		return nil, false, err
	}
	if o, ok := objectOf([]byte(text)); ok {
		return o, true, nil
	}
	line := 0
	if fault, ok := json.Unmarshal([]byte(text), new(any)).(*json.SyntaxError); ok {
		line = 1 + strings.Count(text[:min(int(fault.Offset), len(text))], "\n")
	}
	return nil, false, r.left(e.place(line), "the file", malformed)
}
