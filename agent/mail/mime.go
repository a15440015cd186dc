package mail

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"time"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/mail"
	"github.com/emersion/go-message/textproto"
)

// The limits of one mail.
const (
	maxHeader = 256 << 10 // bytes of its header
	maxText   = 1 << 20   // bytes of all its texts together; the rest is not read
	maxType   = 4 << 10   // bytes of what tells the type of a part
	maxParts  = 100
	maxDepth  = 8 // of parts within parts
)

// piece is what a part of a mail says, with the parts within it.
type piece struct {
	lines []line
	html  bool // some of it was HTML
}

// walker goes through the parts of one mail.
type walker struct {
	parts   int    // met so far
	left    int    // bytes of text that may still be read
	refused Reason // set by a part which tells that a program wrote the mail, or that it cannot be read
}

// open divides a mail into header and body, with line ends as "\n". It reports false
// if it has no header of a mail.
func open(raw []byte) (message.Header, []byte, bool) {
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	raw = bytes.TrimLeft(raw, "\n")
	head, body, _ := bytes.Cut(raw, []byte("\n\n"))
	if len(head) > maxHeader {
		return message.Header{}, nil, false
	}
	fields, err := textproto.ReadHeader(bufio.NewReader(bytes.NewReader(mended(head))))
	h := message.Header{Header: fields}
	if err != nil && err != io.EOF {
		return message.Header{}, nil, false
	}
	for _, key := range []string{"From", "To", "Date", "Subject", "Content-Type", "Message-Id"} {
		if h.Has(key) {
			return h, body, true
		}
	}
	return message.Header{}, nil, false
}

// mended leaves out lines of a header that are none, such as the "From " line of a
// mailbox file, because the parser stops at the first of them.
func mended(head []byte) []byte {
	out, kept := make([]byte, 0, len(head)+2), false
	for l := range bytes.SplitSeq(head, []byte("\n")) {
		if len(l) > 0 && (l[0] == ' ' || l[0] == '\t') {
			if kept {
				out = append(append(out, l...), '\n')
			}
			continue
		}
		key, _, found := bytes.Cut(l, []byte(":"))
		key = bytes.TrimRight(key, " \t")
		kept = found && len(key) > 0 && !bytes.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' })
		if kept {
			out = append(append(out, l...), '\n')
		}
	}
	return append(out, '\n')
}

// read takes what one part says, and the parts within it.
func (w *walker) read(h message.Header, body []byte, depth int) piece {
	media, params := contentType(h)
	switch {
	case media == "text/calendar" || media == "application/ics" || media == "multipart/report":
		w.refused = Automatic
	case strings.HasPrefix(media, "message/"): // the whole of it would be a report; a part is what was forwarded
		if depth == 0 {
			w.refused = Automatic
		}
	case strings.HasPrefix(media, "multipart/"):
		return w.multipart(media, params["boundary"], body, depth)
	case attached(h, params):
	case media == "text/plain":
		text := w.decode(h, params, body)
		return piece{lines: plainLines(text, strings.EqualFold(params["format"], "flowed"), strings.EqualFold(params["delsp"], "yes"))}
	case media == "text/html":
		return piece{lines: htmlLines(w.decode(h, params, body)), html: true}
	case depth == 0: // one thing that is no text, such as an encrypted mail
		w.refused = Unreadable
	}
	return piece{}
}

// multipart takes what the parts of a part say together.
func (w *walker) multipart(media, boundary string, body []byte, depth int) piece {
	if depth >= maxDepth || media == "multipart/encrypted" {
		return piece{}
	}
	list, found := w.pieces(media, boundary, body, depth)
	if found {
		return together(media, list)
	}
	guess, ok := boundaryOf(body)
	if !ok { // nothing of it looks like parts
		return piece{lines: plainLines(w.decode(message.Header{}, nil, body), false, false)}
	}
	list, _ = w.pieces(media, guess, body, depth)
	return together(media, list)
}

// pieces reads the parts between boundaries, as far as they are well formed, and
// reports whether there was any.
func (w *walker) pieces(media, boundary string, body []byte, depth int) ([]piece, bool) {
	var list []piece
	r := textproto.NewMultipartReader(bytes.NewReader(body), boundary)
	for n := 0; ; n++ {
		if w.parts >= maxParts || media == "multipart/signed" && n == 1 {
			return list, true // of a signed mail, the second part is the signature
		}
		part, err := r.NextPart()
		if err != nil {
			return list, n > 0
		}
		w.parts++
		h := message.Header{Header: part.Header}
		var content []byte
		if kind, _ := contentType(h); strings.HasPrefix(kind, "text/") || strings.HasPrefix(kind, "multipart/") {
			content, _ = io.ReadAll(part) // an error is a boundary that never came: what was read counts
		}
		list = append(list, w.read(h, content, depth+1))
	}
}

// boundaryOf guesses the boundary of parts whose header does not tell it rightly.
func boundaryOf(body []byte) (string, bool) {
	for l := range bytes.SplitSeq(body, []byte("\n")) {
		if rest, ok := bytes.CutPrefix(bytes.TrimRight(l, " \t"), []byte("--")); ok && len(rest) > 5 && len(rest) < 100 {
			return string(rest), true
		}
	}
	return "", false
}

// together makes one piece of parts by what they are to each other.
func together(media string, list []piece) piece {
	switch {
	case len(list) == 0:
		return piece{}
	case media == "multipart/alternative":
		return chosen(list)
	case media == "multipart/related": // what follows are pictures of the first
		return list[0]
	}
	var all piece
	for _, p := range list {
		if len(all.lines) > 0 && len(p.lines) > 0 {
			all.lines = append(all.lines, line{})
		}
		all.lines = append(all.lines, p.lines...)
		all.html = all.html || p.html
	}
	return all
}

// chosen takes the plain one of alternatives, unless it is empty or only says that
// there is a better one.
func chosen(list []piece) piece {
	var plain, rich piece
	for _, p := range list {
		if p.html {
			rich = p
		} else if len(p.lines) > 0 {
			plain = p
		}
	}
	if few, many := wordsOf(plain.lines), wordsOf(rich.lines); few == 0 || few < 2*MinWords && few*3 < many {
		return rich
	}
	return plain
}

// contentType tells what a part is, in small letters. A type that is missing or
// broken is taken as plain text, as far as its beginning does not say otherwise.
func contentType(h message.Header) (string, map[string]string) {
	value := h.Get("Content-Type")
	if len(value) > maxType {
		return "application/octet-stream", nil
	}
	media, params, err := h.ContentType()
	if err != nil {
		media, params = broken(value)
	}
	media = strings.ToLower(strings.TrimSpace(media))
	if !strings.Contains(media, "/") {
		media = "text/plain"
	}
	return media, params
}

// broken reads a type that does not follow the rules, such as one that tells the same
// parameter twice.
func broken(value string) (string, map[string]string) {
	media, rest, _ := strings.Cut(value, ";")
	params := map[string]string{}
	for p := range strings.SplitSeq(rest, ";") {
		key, v, _ := strings.Cut(p, "=")
		params[strings.ToLower(strings.TrimSpace(key))] = strings.Trim(strings.TrimSpace(v), `"'`)
	}
	return media, params
}

// attached reports whether a part is a file and nothing that was typed.
func attached(h message.Header, params map[string]string) bool {
	disposition, more, _ := h.ContentDisposition()
	return strings.HasPrefix(strings.ToLower(disposition), "attachment") || more["filename"] != "" || params["name"] != ""
}

// sent is when a mail was sent by its Date.
func sent(h message.Header) time.Time {
	m := mail.Header{Header: h}
	when, err := m.Date()
	if err != nil {
		return time.Time{}
	}
	return when
}

// recipients counts those whom a mail went to.
func recipients(h message.Header) int {
	m, seen, unread := mail.Header{Header: h}, map[string]bool{}, 0
	for _, key := range []string{"To", "Cc", "Bcc"} {
		list, err := m.AddressList(key)
		if err != nil {
			unread += strings.Count(h.Get(key), "@")
		}
		for _, a := range list {
			seen[strings.ToLower(a.Address)] = true
		}
	}
	return len(seen) + unread
}
