//go:build linux

package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"nacre/memory"
	"nacre/web"
)

// restTime is how long all that was said may take to be answered once nothing fails.
const restTime = 90 * time.Second

// rest waits until all is answered and nothing is under way; what is missing then is
// lost.
func (s *soak) rest() {
	s.t.Helper()
	begun := time.Now()
	for {
		heard := s.heard()
		lost := s.books.lost(heard)
		st, err := s.client.Status(s.t.Context())
		if err == nil && len(lost) == 0 && st.Pending == 0 && st.Waiting == 0 {
			s.books.close(heard)
			return
		}
		if time.Since(begun) > restTime {
			s.t.Fatalf("after %v these were lost: %q; status %+v, %v", restTime, lost, st, err)
		}
		time.Sleep(20 * time.Millisecond) // between two looks at what everybody sees
	}
}

// sample is how large a process is at rest.
type sample struct {
	said                   int
	goroutines, files, rss int64 // rss in KiB
}

func (s *soak) sample() sample {
	s.t.Helper()
	pid := s.proc.cmd.Process.Pid
	n := s.beneath.asked.Add(1)
	s.proc.cmd.Process.Signal(syscall.SIGUSR1)
	for late := s.patience(); s.beneath.told.Load() < n; time.Sleep(time.Millisecond) {
		if late.Err() != nil {
			s.t.Fatal("the program does not tell how large it is")
		}
	}
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		s.t.Fatal(err)
	}
	return sample{s.books.said, s.beneath.goroutines.Load(), int64(len(files)), int64(s.proc.resident(s.t) * 1024)}
}

// growth compares the first quarter of the samples after the first two, in which all is
// met once, with the last quarter.
func (s *soak) growth() {
	s.t.Helper()
	for _, x := range s.samples {
		s.note("size", "%6d said %5d goroutines %4d files %7d KiB", x.said, x.goroutines, x.files, x.rss)
	}
	if len(s.samples) < 6 {
		s.t.Fatalf("only %d samples were taken; let it run longer", len(s.samples))
	}
	list := s.samples[2:]
	quarter := max(1, len(list)/4)
	if words := grown(mean(list[:quarter]), mean(list[len(list)-quarter:]), *soakTime >= 5*time.Minute); words != "" {
		s.t.Error(words)
	}
}

// mean is the middle of some samples.
func mean(list []sample) (m sample) {
	for _, x := range list {
		m.said, m.goroutines, m.files, m.rss = m.said+x.said, m.goroutines+x.goroutines, m.files+x.files, m.rss+x.rss
	}
	n := len(list)
	return sample{m.said / n, m.goroutines / int64(n), m.files / int64(n), m.rss / int64(n)}
}

// grown says what grew by more than chance, empty if nothing did. Something that leaks
// with each fifth message is more than chance after 60 of them.
func grown(was, is sample, long bool) string {
	may := 25
	if long {
		may = 10
	}
	switch {
	case is.goroutines > was.goroutines+10:
		return fmt.Sprintf("from %d goroutines there are %d after %d messages", was.goroutines, is.goroutines, is.said-was.said)
	case is.files > was.files+10:
		return fmt.Sprintf("from %d files there are %d open after %d messages", was.files, is.files, is.said-was.said)
	case is.rss*100 > was.rss*int64(100+may):
		return fmt.Sprintf("from %d KiB the program grew to %d after %d messages, by more than %d %%", was.rss, is.rss, is.said-was.said, may)
	}
	return ""
}

// afterwards looks at everything that must hold.
func (s *soak) afterwards() {
	s.t.Helper()
	heard := s.heard()
	list, repeats := doubled(heard)
	if len(list) > 0 {
		s.t.Errorf("answered twice without a label: %q", list)
	}
	st, err := s.client.Status(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	s.note("said", "%d, of which %d were answered by words for a failure", s.books.said, s.books.sorry)
	s.note("labelled repeats", "%d", repeats)
	s.note("dead letters", "%d", st.Dead)
	s.note("answers out of order", "%d", s.model.bad)
	s.note("slowed writes", "%d", s.beneath.faults.Load())
	s.stops()
	s.inOrder()
	s.nowhere()
	s.discreet()
}

// inOrder asks the program to check itself.
func (s *soak) inOrder() {
	s.t.Helper()
	s.must("", "verify")
	before := s.must("", "export")
	s.must("", "rebuild")
	if after := s.must("", "export"); after != before {
		s.t.Errorf("made anew, memory is\n%s\nwas\n%s", after, before)
	}
	made, restored := s.must("", "backup"), 0
	for _, path := range s.snapshots() {
		s.must("", "backup", "check", path)
		if strings.Contains(made, path) { // which has not the latest name where the clock was set back
			s.must("", "restore", path, "--check")
			restored++
		}
	}
	if restored != 1 {
		s.t.Errorf("%d backups are the last one made: %s", restored, made)
	}
	s.note("backups", "%d, all whole, and the last one made was restored", len(s.snapshots()))
}

// nowhere looks for what was forgotten, in everything that an owner can take along and
// in the bytes of files. What was remembered and not forgotten is there.
func (s *soak) nowhere() {
	s.t.Helper()
	var all strings.Builder
	s.alone(func(a *app) {
		for _, user := range []string{atTelegram, atWhatsApp, atPage} {
			var b bytes.Buffer
			if err := a.Moving(web.Hand{Owner: s.owner(a, user), By: memory.ByPage}).Archive(s.t.Context(), &b); err != nil {
				s.t.Fatal(err)
			}
			all.WriteString(archived(s.t, b.Bytes()))
		}
	})
	if !strings.Contains(all.String(), "how are you?") || !strings.Contains(all.String(), "zqw") && len(s.forgotten) > 20 {
		s.t.Error("what was not forgotten is not found either, so this sees too little")
	}
	for path, text := range content(s.t, s.env["NACRE_DATA"]) {
		all.WriteString(path + text)
	}
	for _, word := range s.forgotten {
		if strings.Contains(all.String(), word) {
			s.t.Errorf("%s was forgotten and is there", word)
		}
	}
	s.note("forgotten", "%d words", len(s.forgotten))
}

// discreet looks for words, numbers and secrets in the logs.
func (s *soak) discreet() {
	s.t.Helper()
	lines := 0
	for _, log := range s.logs {
		text := log.String()
		lines += strings.Count(text, "\n")
		for _, word := range []string{"zqw", "how are you", atWhatsApp, "15550000001", token, "sk-test-secret", s.page.token} {
			if strings.Contains(text, word) {
				s.t.Errorf("a log has %q", word)
			}
		}
		if strings.Contains(text, "panic") {
			s.t.Error("a process panicked")
		}
	}
	if lines == 0 {
		s.t.Error("nothing was logged")
	}
	s.note("processes", "%d, with %d lines of log", len(s.logs), lines)
}

// archived is all that is in an archive.
func archived(t *testing.T, archive []byte) string {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, r); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	return all.String()
}

// A size that grows with what is said is noticed, one that only varies is not.
func TestSoakNoticesGrowth(t *testing.T) {
	was := sample{said: 200, goroutines: 45, files: 35, rss: 75_000}
	for _, c := range []struct {
		name  string
		is    sample
		long  bool
		grown bool
	}{
		{"nothing", sample{280, 49, 38, 80_000}, false, false},
		{"a goroutine of each fifth message", sample{280, 61, 35, 75_000}, false, true},
		{"a file of each fifth message", sample{280, 45, 51, 75_000}, false, true},
		{"a third of memory", sample{280, 45, 35, 100_000}, false, true},
		{"an eighth of memory, in a short run", sample{280, 45, 35, 84_500}, false, false},
		{"an eighth of memory, in a long run", sample{2800, 45, 35, 84_500}, true, true},
	} {
		if words := grown(was, c.is, c.long); (words != "") != c.grown {
			t.Errorf("%s: %q", c.name, words)
		}
	}
}
