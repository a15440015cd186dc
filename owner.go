package nacre

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ChannelName names a kind of place where people talk to Nacre.
type ChannelName string

// The channels that exist.
const (
	Telegram ChannelName = "telegram"
	WhatsApp ChannelName = "whatsapp"
	Terminal ChannelName = "terminal"
	Web      ChannelName = "web"
)

// Address is an identity on a channel: a number or JID that the network
// vouches for. Names and usernames are labels and never identities.
type Address struct {
	Channel ChannelName
	ID      string
}

// LocalAddress is who speaks on the terminal and, after login, on the web page
// of this machine: always the operator.
func LocalAddress(c ChannelName) Address { return Address{Channel: c, ID: "local"} }

func (a Address) String() string { return string(a.Channel) + ":" + a.ID }

// ParseAddress reads "telegram:1001" or "whatsapp:15550001". Telegram ids are
// positive numbers (groups, which are negative, are no identity of a person);
// WhatsApp ids are phone digits, with or without "+" and spaces, or a LID as
// "<digits>@lid". The error is Invalid and is a sentence for the operator.
func ParseAddress(s string) (Address, error) {
	name, id, ok := strings.Cut(strings.TrimSpace(s), ":")
	if !ok || id == "" {
		return Address{}, Errorf(Invalid, "%q is not an address; write it as telegram:1001 or whatsapp:15550001", s)
	}
	switch c := ChannelName(strings.ToLower(name)); c {
	case Telegram:
		id = strings.TrimSpace(id)
		if n, err := strconv.ParseInt(id, 10, 64); err != nil || n <= 0 || !digits(id) || id[0] == '0' {
			return Address{}, Errorf(Invalid, "%q is not a Telegram user id; it is a positive number such as telegram:1001, never a @username", s)
		}
		return Address{c, id}, nil
	case WhatsApp:
		user, server, lid := strings.Cut(strings.TrimSpace(id), "@")
		user = strings.NewReplacer("+", "", " ", "", "-", "", "(", "", ")", "").Replace(user)
		if !digits(user) || lid && server != "lid" && server != "s.whatsapp.net" {
			return Address{}, Errorf(Invalid, "%q is not a WhatsApp number; write it with its country code, such as whatsapp:15550001", s)
		}
		if server == "lid" {
			user += "@lid"
		}
		return Address{c, user}, nil
	default:
		return Address{}, Errorf(Invalid, "%q names the unknown channel %q; telegram and whatsapp are known", s, name)
	}
}

func digits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != "" && len(s) <= 20
}

// ParseOwners reads the list of admitted people: a comma separates Owners and
// "+" joins the addresses of one; the first Owner is the operator. An empty
// text is an empty list; a blank entry or an address named twice is refused,
// because a slip there would admit the wrong person.
func ParseOwners(s string) ([][]Address, error) {
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	var owners [][]Address
	seen := map[Address]bool{}
	for _, entry := range strings.Split(s, ",") {
		var addrs []Address
		for _, one := range splitAddresses(entry) {
			if strings.TrimSpace(one) == "" {
				return nil, Errorf(Invalid, "the list of owners has a blank entry; remove the extra comma or plus sign")
			}
			a, err := ParseAddress(one)
			if err != nil {
				return nil, err
			}
			if seen[a] {
				return nil, Errorf(Invalid, "the list of owners names %s twice; each address belongs to one owner", a)
			}
			seen[a] = true
			addrs = append(addrs, a)
		}
		owners = append(owners, addrs)
	}
	return owners, nil
}

// splitAddresses cuts at "+", except at one that begins a phone number
// ("whatsapp:+15550001"), which follows its colon.
func splitAddresses(entry string) []string {
	var out []string
	for _, piece := range strings.Split(entry, "+") {
		if n := len(out); n > 0 && strings.HasSuffix(strings.TrimSpace(out[n-1]), ":") {
			out[n-1] += piece
			continue
		}
		out = append(out, piece)
	}
	return out
}

// Owner is a person admitted to this installation. Everything remembered
// belongs to exactly one Owner. The operator is the first: the terminal and
// the web page are theirs, and only they approve pairing codes.
type Owner struct {
	ID        OwnerID
	Operator  bool
	Addresses []Address
	Created   time.Time
}

// Caller is on whose behalf something runs. It is made from the session, never
// from what a model or a message says.
type Caller struct {
	Owner    OwnerID
	Operator bool
	Session  SessionID
	Chat     Chat
	Private  bool
	Author   Address
	Turn     TurnID

	Said    []Message // what this turn answers, oldest first
	Asked   string    // what the turn before asked the person, if it ended with a question
	Tainted bool      // the conversation also shows the model words of strangers

	Run     *Run // the run of a job that this is, apart from any conversation; nil where a person speaks
	MayPlan bool // that job may make jobs itself
}

// Typed reports whether the arguments of the command that a turn answers are the
// author's own: a link that opens the chat can fill some in too.
func (c *Caller) Typed(args string) bool {
	return args == "" || len(c.Said) > 0 && strings.Contains(c.Said[len(c.Said)-1].Typed(), args)
}

// GoString keeps an Address readable in test failures.
func (a Address) GoString() string { return fmt.Sprintf("%q", a.String()) }
