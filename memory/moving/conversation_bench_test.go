package moving

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// bigExport is an export of ChatGPT that is made while it is read: the same conversation
// many times, each with its own id.
type bigExport struct {
	chats int    // still to come
	chat  []byte // with a comma behind it
	id    int    // where its id stands, of idLength digits
	rest  []byte
}

const idLength = 8

// newExport is an export of conversations of some messages each.
func newExport(chats, messages int) *bigExport {
	words := strings.Repeat("What is the best way to bake a loaf of rye bread in a small oven?\n", 8) // as long as messages are in the mean
	nodes := make([]string, messages)
	parent := "root"
	for i := range nodes {
		key := "n" + strconv.Itoa(i)
		nodes[i] = said1(key, parent, []string{"user", "assistant"}[i%2], text1(words), i)
		parent = key
	}
	id := strings.Repeat("0", idLength)
	chat := gptChat(id, parent, nodes...) + ","
	return &bigExport{chats: chats, chat: []byte(chat), id: strings.LastIndex(chat, id), rest: []byte("[")}
}

// Read implements io.Reader. The list is not closed, which is told at its end.
func (b *bigExport) Read(p []byte) (int, error) {
	if len(b.rest) == 0 {
		if b.chats == 0 {
			return 0, io.EOF
		}
		copy(b.chat[b.id:], fmt.Sprintf("%0*d", idLength, b.chats))
		b.chats--
		b.rest = b.chat
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// readExport reads an export, and how many messages it holds.
func readExport(tb testing.TB, in io.Reader) (said int) {
	r := newReading(&Parcel{at: &faults{}}, time.UTC, Receiver{Said: func(Said) error { said++; return nil }})
	c := chats{r: r}
	if err := readEntries(in, "conversations", c.take, c.left); err != nil {
		tb.Fatal(err)
	}
	return said
}

// BenchmarkChatGPT reads 100,000 messages of 2,000 conversations, some 70 MB.
func BenchmarkChatGPT(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if n := readExport(b, newExport(2000, 50)); n != 100_000 {
			b.Fatal(n)
		}
	}
}

// BenchmarkEntries only takes 64 MB apart.
func BenchmarkEntries(b *testing.B) {
	const entry = `{"a":"some words of a message, \"quoted\", with [brackets]","b":[1,2,{"c":null}]},`
	b.SetBytes(64 << 20)
	for b.Loop() {
		in := io.MultiReader(strings.NewReader("["), repeated(entry, 64<<20/len(entry)))
		if err := readEntries(in, "", func(element) error { return nil }, func(element, string) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGigabyte reads 1 GB, and reports how much memory the process has from the
// system then: no more than for a tenth of it.
func BenchmarkGigabyte(b *testing.B) {
	for b.Loop() {
		var now runtime.MemStats
		peak, n := uint64(0), 0
		r := newReading(&Parcel{at: &faults{}}, time.UTC, Receiver{Said: func(Said) error {
			if n++; n%10_000 == 0 {
				runtime.ReadMemStats(&now)
				peak = max(peak, now.Sys)
			}
			return nil
		}})
		c := chats{r: r}
		in := &counter{in: newExport(29_000, 50)}
		if err := readEntries(in, "conversations", c.take, c.left); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(in.n>>20), "MB-read")
		b.ReportMetric(float64(peak>>20), "MB-peak")
	}
}

// counter counts what is read.
type counter struct {
	in io.Reader
	n  int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}
