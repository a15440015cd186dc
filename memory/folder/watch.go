package folder

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	settle = 300 * time.Millisecond // after the last event; editors write in several steps
	doubt  = 2 * time.Second        // what a file that looks unfinished gets
	pause  = 30 * time.Second       // after a failure, and between looks where nothing tells of changes
)

// Run reads back what hands change in the opened folders and writes MEMORY.md
// anew where memory changed, until ctx ends. Where the system tells nothing of
// changes it looks by itself now and then. There is one Run of a Folder.
func (f *Folder) Run(ctx context.Context) error {
	return f.run(ctx, f.newWatch())
}

func (f *Folder) run(ctx context.Context, w *watch) error {
	defer w.close()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-f.wake:
		case e := <-w.events:
			f.noticed(e)
		case err := <-w.errors:
			f.missed(err)
		}
		for h := f.next(); h != nil && ctx.Err() == nil; h = f.next() {
			f.visit(ctx, h, w)
		}
		timer.Reset(f.rest())
	}
}

// watch is what tells of changes. Without a watcher its channels are nil, and
// tell nothing.
type watch struct {
	watcher *fsnotify.Watcher
	events  chan fsnotify.Event
	errors  chan error
}

func (f *Folder) newWatch() *watch {
	if f.polls {
		return &watch{}
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		f.poll(err)
		return &watch{}
	}
	return &watch{watcher, watcher.Events, watcher.Errors}
}

func (w *watch) close() {
	if w.watcher != nil {
		w.watcher.Close()
	}
}

// poll says that the folders are looked at now and then instead.
func (f *Folder) poll(err error) {
	f.log.Warn("changes in owners' folders are noticed late, since the system does not tell of them; raise fs.inotify.max_user_watches and max_user_instances", "every", pause, "error", err)
}

// noticed has the folder looked at in which something happened to one of our
// files, or which itself went.
func (f *Folder) noticed(e fsnotify.Event) {
	if e.Op == fsnotify.Chmod {
		return
	}
	for _, h := range f.all() {
		if name, err := filepath.Rel(h.dir, e.Name); err == nil && ours(name) {
			f.look(h, settle)
		}
	}
}

// ours reports whether a name in a folder is that of the folder itself, or of what
// we keep in it.
func ours(name string) bool {
	return name == "." || name == filepath.Dir(Reflect) || name == Memory || slices.Contains(texts, name)
}

// missed has everything looked at, since events were lost.
func (f *Folder) missed(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		f.log.Warn("watching owners' folders failed; all are looked at", "error", err)
	}
	f.lookAround()
}

// lookAround has every folder looked at.
func (f *Folder) lookAround() {
	for _, h := range f.all() {
		f.look(h, settle)
	}
}

// visit does what is due for one folder: what is missing of it is made, and it
// is watched before it is read, so that nothing comes in between.
func (f *Folder) visit(ctx context.Context, h *home, w *watch) {
	err := h.furnish()
	if err == nil {
		f.follow(h, w)
		_, err = f.sync(ctx, h, true)
		f.compare(h)
	}
	switch {
	case err == nil || ctx.Err() != nil:
	case errors.Is(err, errUnfinished):
		f.look(h, doubt)
	default:
		f.log.Warn("an owner's folder was not brought up to date", "owner", h.owner, "error", err)
		f.look(h, pause)
	}
	if w.watcher == nil {
		f.look(h, pause)
	}
}

// compare tells whoever wants to know if the owner's files are others than when it
// was called last. One that cannot be read now is looked at again.
func (f *Folder) compare(h *home) {
	list, err := f.Owns(h.owner)
	if err != nil {
		return
	}
	var now []string
	for _, own := range list {
		now = append(now, own.Hash)
	}
	h.editing.Lock()
	before := h.seen
	h.seen = now
	h.editing.Unlock()
	if before != nil && !slices.Equal(before, now) {
		f.edited(h.owner)
	}
}

// follow watches a folder. If the system cannot watch as many, none is watched:
// one half-watched would be hard to understand.
func (f *Folder) follow(h *home, w *watch) {
	if w.watcher == nil {
		return
	}
	err := w.watcher.Add(h.dir)
	if err == nil {
		err = w.watcher.Add(filepath.Join(h.dir, filepath.Dir(Reflect)))
	}
	if err != nil {
		f.poll(err)
		w.close()
		*w = watch{}
		f.lookAround()
	}
}

// all lists the folders.
func (f *Folder) all() []*home {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := make([]*home, 0, len(f.homes))
	for _, h := range f.homes {
		list = append(list, h)
	}
	return list
}

// next takes a folder that is due, nil if none is.
func (f *Folder) next() *home {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	for _, h := range f.homes {
		if !h.due.IsZero() && !h.due.After(now) {
			h.due = time.Time{}
			return h
		}
	}
	return nil
}

// rest is how long until the next folder is due; long if none is.
func (f *Folder) rest() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	wait := time.Hour
	for _, h := range f.homes {
		if !h.due.IsZero() {
			wait = min(wait, time.Until(h.due))
		}
	}
	return wait
}
