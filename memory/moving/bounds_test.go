package moving

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// peakOf is how many bytes of heap, beyond what there was, are in use at once while f
// runs, what is not collected yet among them.
func peakOf(f func()) uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	base := m.HeapAlloc
	var peak atomic.Uint64
	done, over := make(chan bool), make(chan bool)
	go func() {
		defer close(over)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak.Store(max(peak.Load(), m.HeapAlloc))
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f()
	close(done)
	<-over
	return max(peak.Load(), base) - base
}

// filling is a text as often as it fits into so many bytes.
func filling(text string, bytes int) string { return strings.Repeat(text, bytes/len(text)) }

// mostMemory is what reading may take at once, whatever is read.
const mostMemory = 100 << 20

// crowd is a file that is made to take much memory.
type crowd struct {
	name, file string
	text       func() string
	taken      bool // something of it is taken over
}

// crowds are files of all kinds; those that are worst first.
func crowds() []crowd {
	const size, words = MaxEntry - 1000, "It is late, and the lake is cold. "
	message := func(content string) string { return gptChat("c", "1", said1("1", "root", "user", content, 1)) }
	keys := func() string {
		var b strings.Builder
		for i := 0; b.Len() < MaxText-100; i++ {
			fmt.Fprintf(&b, `"%x":[{}],`, i)
		}
		return b.String()
	}
	nodes := func(n int) string {
		var b strings.Builder
		for i := 0; i < n && b.Len() < size; i++ {
			fmt.Fprintf(&b, `"%x":{},`, i)
		}
		return `{"mapping":{` + b.String() + `"a":{}}}`
	}
	talk := func() string {
		var list []string
		for i, n := 0, 0; n < size-1000; i++ {
			list = append(list, said1(fmt.Sprint(i), fmt.Sprint(i-1), "user", text1(strings.Repeat(words, 20)), i))
			n += len(list[i]) + 1
		}
		return gptChat("c", fmt.Sprint(len(list)-1), list...)
	}
	return []crowd{
		{"a long conversation", "conversations.json", talk, true},
		{"as many nodes as may be", "conversations.json", func() string { return nodes(maxValues - 10) }, false},
		{"messages", "conversations.json", func() string { return `{"chat_messages":[` + filling("0,", size) + `0]}` }, false},
		{"short entries", "MEMORY.md", func() string { return filling("a\n§\n", MaxText) }, true},

		{"a long message", "conversations.json", func() string { return message(text1(filling(words, size))) }, false},
		{"nodes", "conversations.json", func() string { return nodes(size) }, false},
		{"parts", "conversations.json", func() string { return message(`{"content_type":"text","parts":[` + filling(`"",`, size) + `"x"]}`) }, false},
		{"as many messages as may be", "conversations.json", func() string { return `{"chat_messages":[` + filling("0,", 2*maxValues-20) + `0]}` }, false},
		{"parts of a session", "sessions/cli_a.jsonl", func() string {
			return `{"role":"user","timestamp":"2026-05-01T07:30:00Z","content":[` + filling("{},", size) + `{}]}`
		}, false},
		{"parts of an event", "transcript.jsonl", func() string {
			return `{"type":"assistant","createdAt":1777620601000,"parts":[` + filling("[],", size) + `[]]}`
		}, false},
		{"short lines", "MEMORY.md", func() string { return filling("a\n", MaxText) }, true},
		{"short items", "USER.md", func() string { return filling("- a\n", MaxText) }, true},
		{"short paragraphs", "2026-05-01.md", func() string { return filling("a\n\n", MaxText) }, true},
		{"facts", "a.nugget.json", func() string { return `{"facts":[` + filling(`{"key":"a","value":"b"},`, MaxText-100) + "0]}" }, true},
		{"jobs", "jobs.json", func() string { return `{"jobs":[{"schedule":{"kind":"cron"},"payload":{}},{` + keys() + `"a":0}]}` }, true},
		{"channels", "config.json", func() string { return `{"channels":{` + keys() + `"a":0}}` }, false},
	}
}

// peak reads the file, and is how much memory that takes at once.
func (c crowd) peak(tb testing.TB) uint64 {
	taken, text := false, c.text()
	peak := peakOf(func() {
		p, err := Open(c.file, strings.NewReader(text), int64(len(text)))
		if err != nil {
			tb.Fatal(c.name, err)
		}
		take := func() error { taken = true; return nil }
		r := Receiver{Said: func(Said) error { return take() }, Note: func(Note) error { return take() }, Job: func(Job) error { return take() }}
		if err := p.Read(time.UTC, r); err != nil {
			tb.Error(c.name, err)
		}
	})
	if taken != c.taken || peak > mostMemory {
		tb.Errorf("%s: %d MB, taken %t, not %t", c.name, peak>>20, taken, c.taken)
	}
	return peak
}

// Whatever a file holds, reading it takes little memory: what is crowded is not decoded.
func TestMemoryIsBounded(t *testing.T) {
	const worst = 4
	for _, c := range crowds()[:worst] {
		c.peak(t)
	}
}

// BenchmarkMemory reports how much memory it takes to read each kind of file.
func BenchmarkMemory(b *testing.B) {
	for _, c := range crowds() {
		b.Run(c.name, func(b *testing.B) {
			peak := uint64(0)
			for b.Loop() {
				peak = max(peak, c.peak(b))
			}
			b.ReportMetric(float64(peak>>20), "MB-peak")
		})
	}
}

// What is counted of a value is its members, as deep as they are kept.
func TestCrowded(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"as many as may be", "[" + strings.Repeat("0,", maxValues) + "0]", false},
		{"one more", "[" + strings.Repeat("0,", maxValues+1) + "0]", true},
		{"deep", strings.Repeat("[", maxNested) + strings.Repeat("0,", maxValues+1) + "0" + strings.Repeat("]", maxNested), true},
		{"deeper than is kept", strings.Repeat("[", maxNested+1) + strings.Repeat("0,", maxValues+1) + "0" + strings.Repeat("]", maxNested+1), false},
		{"in a text", `["\"` + strings.Repeat(",", maxValues+1) + `\\"]`, false},
		{"behind a text", `["\\",` + strings.Repeat("0,", maxValues+1) + `0]`, true},
	} {
		if got := crowded([]byte(c.text)); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// A zip that unpacks to far more than people write is not read, and one of what they do
// write is.
func TestBombs(t *testing.T) {
	_, f := opened(t, "a.zip", zipOf(t, "conversations.json", `[{"chat_messages":[`+filling("0,", 5<<20)+"0]}]"))
	expect(t, "a bomb", f.lines, []string{"left conversations.json:0 the file: It would unpack to far more than anybody writes."})
	var notes strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&notes, "%s\n", said1(fmt.Sprint(i), "root", "user", text1(fmt.Sprintf("Note %x of what I said then: %x.", i*i, i*7919)), i))
	}
	raw := zipOf(t, "conversations.json", `[{"mapping":{}}]`+strings.Repeat(" ", 3<<20), "x/sessions/cli_a.jsonl", strings.Repeat(notes.String(), 5))
	_, f = opened(t, "a.zip", raw)
	for _, l := range f.lefts {
		if strings.Contains(l.Why, "unpack") {
			t.Errorf("%+v", l)
		}
	}
}
