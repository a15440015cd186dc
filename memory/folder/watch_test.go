package folder

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// run starts Run and ends it with the test.
func (w *world) run(how func(ctx context.Context)) {
	ctx, cancel := context.WithCancel(w.ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		how(ctx)
	}()
	w.t.Cleanup(func() {
		cancel()
		<-done
	})
}

// await waits for something to be so, looking whenever anything happens to the
// folder or to memory.
func (w *world) await(what string, so func() bool) {
	w.t.Helper()
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		w.t.Fatal(err)
	}
	defer watcher.Close()
	if err := watcher.Add(w.dir); err != nil {
		w.t.Fatal(err)
	}
	for deadline := time.After(20 * time.Second); !so(); {
		select {
		case <-watcher.Events:
		case <-w.changed:
		case <-deadline:
			w.t.Fatalf("in vain for %s; memory is\n%s\nMEMORY.md is\n%s", what, w.notes(), w.read(Memory))
		}
	}
}

// TestRunSeesHands with the events of a real file system.
func TestRunSeesHands(t *testing.T) {
	w := newWorld(t)
	w.remember(bike, dog)
	w.open()
	w.run(func(ctx context.Context) { w.folder.Run(ctx) })
	says := func(words string) func() bool {
		return func() bool { return strings.Contains(w.notes(), words) }
	}
	inFile := func(words string) func() bool {
		return func() bool { return strings.Contains(w.read(Memory), words) }
	}

	w.edit("green", "red")
	w.await("an edit in place", says("red"))

	text := strings.Replace(w.read(Memory), "red", "blue", 1)
	w.write("MEMORY.md~", text)
	if err := os.Rename(w.path("MEMORY.md~"), w.path(Memory)); err != nil {
		t.Fatal(err)
	}
	w.await("an edit by another file in its place", says("blue"))

	if err := os.Truncate(w.path(Memory), 0); err != nil {
		t.Fatal(err)
	}
	w.write(Memory, strings.Replace(text, "blue", "black", 1))
	w.await("an edit in two steps", says("black"))

	w.remember(tea)
	w.await("what memory learned", inFile("without milk"))

	ops := len(w.store.ops)
	w.edit("- tea: Likes tea without milk.\n", "")
	if told := <-w.told; !strings.Contains(told, "preferences/tea went to the archive") {
		t.Errorf("told %q", told)
	}
	if got := len(w.store.ops) - ops; got != 1 {
		t.Errorf("one edit and our own writing came to %d ops", got)
	}
}

// TestRunMakesAFolderAnew that somebody removed while it was watched.
func TestRunMakesAFolderAnew(t *testing.T) {
	w := newWorld(t)
	w.remember(bike)
	w.open()
	w.run(func(ctx context.Context) { w.folder.Run(ctx) })
	w.edit("green", "red")
	w.await("Run to watch", func() bool { return strings.Contains(w.notes(), "red") })
	if err := os.RemoveAll(w.dir); err != nil {
		t.Fatal(err)
	}
	if told := <-w.told; !strings.Contains(told, "accident") {
		t.Errorf("told %q", told)
	}
	w.await("the folder", func() bool { return strings.Contains(w.read(Memory), "red") })
	w.edit("red", "blue")
	w.await("an edit in the new folder", func() bool { return strings.Contains(w.notes(), "blue") })
}

// scripted runs a folder on events of the test's own, and a clock that passes
// only in Sleep.
func scripted(t *testing.T, test func(w *world, event func())) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.remember(bike, dog)
		w.open()
		events := make(chan fsnotify.Event)
		w.run(func(ctx context.Context) { w.folder.run(ctx, &watch{events: events}) })
		synctest.Wait()
		test(w, func() {
			events <- fsnotify.Event{Name: w.path(Memory), Op: fsnotify.Write}
			synctest.Wait()
		})
	})
}

// after waits until nothing moves any more, some time from now.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestEditorsWriteInSteps(t *testing.T) {
	scripted(t, func(w *world, event func()) {
		text := w.read(Memory)
		w.write(Memory, "")
		event()
		after(settle / 2)
		w.write(Memory, strings.Replace(text, "green", "red", 1))
		event()
		after(settle - time.Millisecond)
		if strings.Contains(w.notes(), "red") {
			t.Error("the edit was read before the editor was done")
		}
		after(2 * time.Millisecond)
		if !strings.Contains(w.notes(), "red") || len(w.told) > 0 {
			t.Errorf("memory is\n%s\nand %d things were told", w.notes(), len(w.told))
		}
	})
}

func TestUnfinishedFileGetsAnotherChance(t *testing.T) {
	for _, c := range []struct {
		name   string
		finish bool
		told   int
	}{{"finished late", true, 0}, {"never finished", false, 1}} {
		t.Run(c.name, func(t *testing.T) {
			scripted(t, func(w *world, event func()) {
				text := w.read(Memory)
				w.write(Memory, "")
				event()
				after(settle + time.Millisecond)
				if w.read(Memory) != "" || len(w.told) > 0 {
					t.Fatal("an empty file was taken for finished at once")
				}
				if c.finish {
					w.write(Memory, text)
				}
				after(doubt)
				if !strings.Contains(w.read(Memory), "green") || len(w.told) != c.told {
					t.Errorf("%d things were told; MEMORY.md is\n%s", len(w.told), w.read(Memory))
				}
			})
		})
	}
}

func TestWithoutEventsItLooksByItself(t *testing.T) {
	scripted(t, func(w *world, _ func()) {
		after(time.Second)
		w.edit("green", "red")
		after(pause / 2)
		if strings.Contains(w.notes(), "red") {
			t.Error("the edit was read without a look")
		}
		after(pause / 2)
		if !strings.Contains(w.notes(), "red") {
			t.Error("the edit was not read")
		}
	})
}

// TestTooManyWatches: where the system refuses one, it is said once, and all
// folders are looked at now and then.
func TestTooManyWatches(t *testing.T) {
	w := newWorld(t)
	w.open()
	var log strings.Builder
	w.folder.log = slog.New(slog.NewTextHandler(&log, nil))
	watch := w.folder.newWatch()
	if watch.watcher == nil {
		t.Fatal("there is no watcher")
	}
	watch.watcher.Close() // refuses from now on
	h := w.folder.home(owner)
	for range 2 {
		w.folder.visit(w.ctx, h, watch)
	}
	if got := strings.Count(log.String(), "noticed late"); got != 1 {
		t.Errorf("it was said %d times: %s", got, log.String())
	}
	if rest := w.folder.rest(); watch.watcher != nil || rest > pause {
		t.Errorf("the next look is in %v", rest)
	}
}

func TestLostEventsMakeItLookAtEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.remember(bike)
		w.open()
		errs := make(chan error)
		w.run(func(ctx context.Context) { w.folder.run(ctx, &watch{errors: errs}) })
		after(time.Second)
		w.edit("green", "red")
		errs <- fsnotify.ErrEventOverflow
		after(settle + time.Millisecond)
		if !strings.Contains(w.notes(), "red") {
			t.Error("the edit was not read")
		}
	})
}

func TestFailureIsTriedAgain(t *testing.T) {
	scripted(t, func(w *world, event func()) {
		if err := os.Rename(w.dir, w.dir+".away"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(w.dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		w.remember(tea)
		after(settle + time.Millisecond)
		if err := os.Remove(w.dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(w.dir+".away", w.dir); err != nil {
			t.Fatal(err)
		}
		after(pause)
		if !strings.Contains(w.read(Memory), "without milk") {
			t.Errorf("MEMORY.md is\n%s", w.read(Memory))
		}
	})
}
