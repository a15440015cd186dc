package mail

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// letterOf makes a mail of a body and further header lines.
func letterOf(extra, body string) string {
	return "From: Kim <kim@example.com>\nTo: Ann <ann@example.org>\nDate: Mon, 06 May 2024 10:15:22 +0200\n" + extra + "\n" + body
}

const sample = "Hi Ann,\n\nSaturday works well for me, I can bring the salad and the two folding chairs, so tell me when to be there.\n\nKim"

func TestReadHeaders(t *testing.T) {
	l, why := Read(strings.NewReader("To: Ann <ann@example.org>, \"Ben, too\" <ben@example.org>\nCc: ANN@example.org, Eva <eva@example.org>\nBcc: friends: max@example.org;\n" +
		letterOf("", sample)))
	if why != "" || l.Text != sample {
		t.Fatalf("%q: %q", why, l.Text)
	}
	if want := time.Date(2024, 5, 6, 8, 15, 22, 0, time.UTC); !l.Sent.Equal(want) {
		t.Errorf("sent %v, want %v", l.Sent, want)
	}
	if l.To != 4 {
		t.Errorf("to %d people, want 4", l.To)
	}
	l, why = Read(strings.NewReader("From: x\nTo: broken@example.org, <also broken@example.org\nDate: yesterday\n\n" + sample))
	if why != "" || !l.Sent.IsZero() || l.To != 2 {
		t.Errorf("%q, sent %v, to %d", why, l.Sent, l.To)
	}
}

func TestReadIsEmptyWithAReason(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		want      Reason
	}{
		{"nothing", "", Unreadable},
		{"no header", sample, Unreadable},
		{"a header of something else", "Colour: red\n\n" + sample, Unreadable},
		{"a header beyond the limit", letterOf("X-Long: "+strings.Repeat("x", maxHeader)+"\n", sample), Unreadable},
		{"no body", letterOf("", ""), NothingOwn},
		{"a few words", letterOf("", "Yes, on Saturday."), TooShort},
		{"parts nested too deeply", nested(maxDepth + 1), NothingOwn},
	} {
		if l, why := Read(strings.NewReader(c.raw)); why != c.want || l != (Letter{}) {
			t.Errorf("%s: %q and %+v, want %q", c.name, why, l, c.want)
		}
	}
	if l, why := Read(strings.NewReader(nested(maxDepth))); why != "" || l.Text != sample {
		t.Errorf("nested as deeply as may be: %q %q", why, l.Text)
	}
	if _, why := Read(iotest.ErrReader(errors.New("gone"))); why != Unreadable {
		t.Errorf("a reader that fails: %q", why)
	}
}

// nested puts the sample into so many parts within parts.
func nested(n int) string {
	head, tail := "", ""
	for i := range n {
		b := strings.Repeat("b", i+1)
		head += "Content-Type: multipart/mixed; boundary=" + b + "x\n\n--" + b + "x\n"
		tail = "\n--" + b + "x--\n" + tail
	}
	return "From: kim@example.com\n" + head + "Content-Type: text/plain\n\n" + sample + tail
}

// TestReadStaysInBounds reads what is made to take time or memory. It would take
// minutes if anything in it took more than its share.
func TestReadStaysInBounds(t *testing.T) {
	const bomb = 256 << 10
	const html = "Content-Type: text/html; charset=utf-8\n"
	long := strings.Repeat("word ", 2<<20)
	for name, raw := range map[string]string{
		"a line of 10 MB":           letterOf("", long),
		"a flowed line of 10 MB":    letterOf("Content-Type: text/plain; format=flowed\n", strings.Repeat("word \n", 2<<20)),
		"empty lines":               letterOf("", strings.Repeat("\n", bomb)),
		"marks":                     letterOf("", strings.Repeat(">", bomb)),
		"marks apart":               letterOf("", strings.Repeat("> \n", bomb/3)),
		"pauses":                    letterOf("", strings.Repeat("--\n", bomb/3)),
		"introductions":             letterOf("", strings.Repeat("Ann wrote:\n", bomb/11)),
		"half introductions":        letterOf("", strings.Repeat("<a@b.cd> 1 2 3:\n", bomb/16)),
		"headers in the text":       letterOf("", strings.Repeat("From: a\n", bomb/8)),
		"rules":                     letterOf("", strings.Repeat("_____\n", bomb/6)),
		"closings":                  letterOf("", strings.Repeat("Best,\n", bomb/6)),
		"addresses":                 letterOf("", "x\n\n"+strings.Repeat("www.example.org\n", bomb/16)),
		"HTML nested deeply":        letterOf(html, strings.Repeat("<div>", bomb/5)),
		"quotes nested deeply":      letterOf(html, strings.Repeat("<blockquote>", bomb/12)),
		"signatures nested deeply":  letterOf(html, strings.Repeat("<div class=signature>", bomb/21)),
		"attributes":                letterOf(html, "<div "+strings.Repeat("a=1 ", bomb/4)+">"),
		"line breaks":               letterOf(html, strings.Repeat("<br>", bomb/4)),
		"open tags":                 letterOf(html, strings.Repeat("<a", bomb/2)),
		"open comments":             letterOf(html, strings.Repeat("<!--", bomb/4)),
		"entities":                  letterOf(html, strings.Repeat("&amp", bomb/4)),
		"parts without end":         letterOf("Content-Type: multipart/mixed; boundary=b\n", strings.Repeat("--b\n\nx\n", bomb/7)),
		"parameters of a part":      letterOf("Content-Type: multipart/mixed; boundary=b\n", "--b\nContent-Type: text/plain"+strings.Repeat("; a*0=b", bomb/7)+"\n\nx\n"),
		"soft breaks":               letterOf("Content-Transfer-Encoding: quoted-printable\n", strings.Repeat("=\n", bomb/2)),
		"recipients":                "To: " + strings.Repeat("a@b.cd,", maxHeader/8) + "\n" + letterOf("", sample),
		"comments in recipients":    "To: " + strings.Repeat("(", maxHeader-500) + "\n" + letterOf("", sample),
		"encoded words in a header": "Subject: " + strings.Repeat("=?utf-8?q?a?= ", maxHeader/15) + "\n" + letterOf("", sample),
	} {
		l, _ := Read(strings.NewReader(raw))
		if len(l.Text) > maxText {
			t.Errorf("%s: %d bytes of text", name, len(l.Text))
		}
	}
}

// TestReadTakesNoMoreThanItsLimit hands over a mail that does not end.
func TestReadTakesNoMoreThanItsLimit(t *testing.T) {
	r := &counted{Reader: io.MultiReader(strings.NewReader(letterOf("", sample+"\n\n-- \n")), endless{})}
	l, why := Read(r)
	if why != "" || l.Text != sample {
		t.Errorf("%q %q", why, l.Text)
	}
	if r.n > MaxBytes+64<<10 {
		t.Errorf("read %d bytes", r.n)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

type counted struct {
	io.Reader
	n int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}
