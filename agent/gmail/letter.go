package gmail

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/emersion/go-message/mail"

	"nacre"
)

// Limits of a letter.
const (
	maxPeople  = 10     // to and cc together
	maxAddress = 254    // bytes of an address
	maxSubject = 200    // characters
	maxBody    = 20_000 // characters
)

// letter is what a model wants drafted.
type letter struct {
	To      []string `json:"to"`
	Cc      []string `json:"cc"`
	Subject string   `json:"subject"`
	Body    string   `json:"body"`
}

// addressShape is an address as people type it: nothing quoted, no comments, no name,
// and no letters that only look like others.
var addressShape = regexp.MustCompile(`^[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$`)

func isAddress(text string) bool { return len(text) <= maxAddress && addressShape.MatchString(text) }

// tidy brings a letter into the form in which it is checked and written. The error is
// for the model.
func (l letter) tidy() (letter, error) {
	l.Subject = strings.TrimSpace(l.Subject)
	l.Body = strings.TrimRightFunc(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(l.Body), unicode.IsSpace)
	for _, list := range []*[]string{&l.To, &l.Cc} {
		*list = slices.Clone(*list)
		for i, a := range *list {
			(*list)[i] = strings.TrimSpace(a)
		}
	}
	return l, l.check()
}

// check looks for what a draft cannot hold.
func (l letter) check() error {
	switch {
	case len(l.To)+len(l.Cc) > maxPeople:
		return nacre.Errorf(nacre.Invalid, "a draft has at most %d recipients", maxPeople)
	case slices.ContainsFunc(slices.Concat(l.To, l.Cc), func(a string) bool { return !isAddress(a) }):
		return nacre.Errorf(nacre.Invalid, "a recipient is the bare address alone, such as name@example.org")
	case utf8.RuneCountInString(l.Subject) > maxSubject || unprintable(l.Subject, ""):
		return nacre.Errorf(nacre.Invalid, "a subject has at most %d characters on one line", maxSubject)
	case strings.Contains(l.Subject, "=?"):
		return nacre.Errorf(nacre.Invalid, "write the subject as plain text, not encoded")
	case l.Body == "" || utf8.RuneCountInString(l.Body) > maxBody || unprintable(l.Body, "\n\t"):
		return nacre.Errorf(nacre.Invalid, "a body has 1 to %d characters of plain text", maxBody)
	}
	return nil
}

// unprintable reports whether a text holds control characters beside some, line
// separators among them, or is not UTF-8.
func unprintable(text, but string) bool {
	return !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
		return (unicode.IsControl(r) || r == '\u2028' || r == '\u2029') && !strings.ContainsRune(but, r)
	})
}

// maxBeginning bounds the characters of a body that a question shows.
const maxBeginning = 200

// beginning is how a body begins, on one line.
func (l letter) beginning() string {
	line := []rune(strings.Join(strings.Fields(l.Body), " "))
	if len(line) > maxBeginning {
		return strings.TrimSpace(string(line[:maxBeginning])) + "…"
	}
	return string(line)
}

// messageID is the Message-ID of the nth draft of a turn, whatever it says: a turn that a
// crash interrupted runs again and may word it differently. Nothing can be read from it.
func messageID(turn nacre.TurnID, n int, from string) string {
	_, domain, _ := strings.Cut(from, "@")
	return fmt.Sprintf("%x@%s", sha256.Sum256(fmt.Appendf(nil, "%d %s", n, turn)), strings.ToLower(domain))
}

// sum is the same for equal letters alone, and says nothing of them.
func (l letter) sum() [sha256.Size]byte {
	what, _ := json.Marshal(l) // texts alone, which cannot fail
	return sha256.Sum256(what)
}

// write writes a letter as RFC 5322 wants it, its subject as RFC 2047 does.
func (l letter) write(from, id string, now time.Time) ([]byte, error) {
	var h mail.Header
	h.SetDate(now)
	h.SetAddressList("From", addresses([]string{from}))
	for name, list := range map[string][]string{"To": l.To, "Cc": l.Cc} {
		if len(list) > 0 {
			h.SetAddressList(name, addresses(list))
		}
	}
	h.SetSubject(l.Subject)
	h.SetMessageID(id)
	h.SetContentType("text/plain", map[string]string{"charset": "utf-8"})
	h.Set("Content-Transfer-Encoding", "quoted-printable")
	var b bytes.Buffer
	w, err := mail.CreateSingleInlineWriter(&b, h)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write([]byte(l.Body + "\n")); err != nil {
		return nil, err
	}
	return b.Bytes(), w.Close()
}

func addresses(list []string) []*mail.Address {
	var all []*mail.Address
	for _, a := range list {
		all = append(all, &mail.Address{Address: a})
	}
	return all
}
