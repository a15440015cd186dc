package moving

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// orderly reads a Parcel and checks that every message is one, and that those of a
// conversation come in a row and by time.
func orderly(t *testing.T, name string, file []byte) {
	t.Helper()
	p, err := Open(name, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return
	}
	last, size := Said{}, 0
	err = p.Read(time.UTC, Receiver{Said: func(s Said) error {
		check(t, s)
		if s.Source != FromNacre && s.File == last.File && s.Line == last.Line && s.Chat == last.Chat && s.At.Before(last.At) {
			t.Errorf("%v behind %v", s.At, last.At)
		}
		last, size = s, size+len(s.Text)
		return nil
	}})
	if err != nil && !strings.Contains(err.Error(), "archive") {
		t.Fatal(err)
	}
	if size > 3*len(file) && !bytes.HasPrefix(file, []byte("PK")) { // a byte that is no text takes three
		t.Fatalf("%d bytes are made of %d", size, len(file))
	}
}

// frugal runs f, and checks that what it allocates in all is in proportion to what it reads.
func frugal(t *testing.T, size int, f func()) {
	t.Helper()
	const fixed, each = 4 << 20, 2 << 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > fixed+each*uint64(size) {
		t.Errorf("%d bytes are allocated to read %d", got, size)
	}
}

func FuzzChatGPT(f *testing.F) {
	chat := "[" + gptChat("c", "2", said1("1", "root", "user", text1("Hi"), 1), said1("2", "1", "assistant", text1("Ho\ue200x\ue201"), 2)) + "]"
	f.Add([]byte(chat))
	f.Add([]byte(strings.Replace(chat, `"parent":"root"`, `"parent":"2"`, 1)))
	f.Add([]byte(strings.Replace(chat, `.25`, `e300`, 1)))
	f.Add([]byte("[" + claudeChat("c", claude1("human", "Hi", 1), claude1("assistant", "x", 2, `,"content":[{"type":"text","text":"Ho"}]`)) + "]"))
	f.Fuzz(func(t *testing.T, file []byte) {
		frugal(t, len(file), func() { orderly(t, "conversations.json", file) })
	})
}

// FuzzSessions reads lines as each of the assistants that keep them.
func FuzzSessions(f *testing.F) {
	f.Add([]byte(lines(`{"_type":"metadata","key":"telegram:7"}`, `{"role":"user","content":"Hi","timestamp":"2026-05-01T09:30:01"}`)))
	f.Add([]byte(lines(`{"type":"user","createdAt":1777620601000,"text":"Hi"}`, `{"type":"assistant","createdAt":1777620602000,"parts":[{"type":"text","text":"Ho"}]}`)))
	f.Add([]byte(lines(`{"timestamp":"2026-05-01 09:30","content":"x"}`, "[2026-05-01 09:30] x", "y")))
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, name := range []string{store("telegram:7"), "memory/history.jsonl", "memory/HISTORY.md", "agents/a/transcript.jsonl"} {
			orderly(t, "a.zip", packed(t, name, string(file)))
		}
	})
}

// FuzzArchive reads a file of an archive: what it gives is messages, notes that are of
// an area and cite what is named, and jobs that come due.
func FuzzArchive(f *testing.F) {
	_, files := filesOf(f, wholeArchive(f))
	for name, text := range files {
		f.Add(name, text)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if _, ok := files[name]; !ok {
			return
		}
		var list []string
		for n, was := range files {
			if n == name {
				was = text
			}
			list = append(list, n, was)
		}
		file := packed(t, list...)
		orderly(t, "a.zip", file)
		p, err := Open("a.zip", bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		_ = p.Read(time.UTC, Receiver{
			Note: func(n Note) error {
				if place(&n.Draft) == "/" || n.Line == 0 || slices.ContainsFunc(n.Quotes, func(q Quote) bool { return q.Chat == "" || q.Message == "" || q.Text == "" || !known(q.Source) }) {
					t.Errorf("%+v", n)
				}
				return nil
			},
			Job: func(j Job) error {
				if j.Left == "" && (j.Text == "" || !due(&j.Schedule)) {
					t.Errorf("%+v", j)
				}
				return nil
			},
		})
	})
}
