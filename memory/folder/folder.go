package folder

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"nacre"
	"nacre/memory"
)

// Ledger is what the folder needs of the ledger.
type Ledger interface {
	// File returns what PutFile kept; NotFound if there is none.
	File(ctx context.Context, owner nacre.OwnerID, name string) ([]byte, error)
	// PutFile keeps, sealed, what is to be known of a file as it was last written.
	PutFile(ctx context.Context, owner nacre.OwnerID, name string, content []byte) error
	// TombKey is the secret under which that is hashed.
	TombKey(owner nacre.OwnerID) (memory.Hash, error)
}

// Options are what a Folder is made of.
type Options struct {
	Dir     string // the data directory
	Library *memory.Library
	Poll    bool // look at the folders now and then, whether or not the system tells of changes
	Ledger  Ledger
	// Tell sends an owner what they have to know of their edits. It is called from
	// Run and from whoever opens a folder, and may block. Nil tells nobody.
	Tell func(ctx context.Context, owner nacre.OwnerID, text string)
	// Edited is told that a file which the owner writes is another now. It is called
	// from Run and returns soon. Nil is told nothing.
	Edited func(owner nacre.OwnerID)
	Log    *slog.Logger
}

// Folder keeps the folders of all owners. Its methods may be called from any
// goroutine.
type Folder struct {
	dir     string
	library *memory.Library
	polls   bool
	ledger  Ledger
	tell    func(ctx context.Context, owner nacre.OwnerID, text string)
	edited  func(owner nacre.OwnerID)
	log     *slog.Logger
	wake    chan struct{} // tells Run that something became due

	mu    sync.Mutex // guards homes, and due of each
	homes map[nacre.OwnerID]*home
}

// home is the folder of one owner.
type home struct {
	owner nacre.OwnerID
	dir   string
	due   time.Time // when it is to be looked at; zero for not at all

	// editing is held while hand edits are read back, so that none is read twice.
	// Memory is asked under it; so nothing that memory waits for may take it.
	editing sync.Mutex
	doubt   memory.Hash       // of a file that looked unfinished; guarded by editing
	told    map[string]string // by file, what the owner was told to mend; guarded by editing
	seen    []string          // hashes of the owner's files as they were last; guarded by editing

	// disk guards MEMORY.md, what is kept of it, and forgotten. Memory is not asked
	// under it, since a forgetting takes it while memory waits.
	disk      sync.Mutex
	forgotten int // how often something was

	soul voice
}

// New makes a Folder. Library.Watch is to be given Changed and Forgotten.
func New(o Options) *Folder {
	f := &Folder{dir: o.Dir, library: o.Library, polls: o.Poll, ledger: o.Ledger, tell: o.Tell, edited: o.Edited, log: o.Log,
		wake: make(chan struct{}, 1), homes: map[nacre.OwnerID]*home{}}
	if f.tell == nil {
		f.tell = func(context.Context, nacre.OwnerID, string) {}
	}
	if f.edited == nil {
		f.edited = func(nacre.OwnerID) {}
	}
	return f
}

// home finds the folder of an owner, whether it exists or not.
func (f *Folder) home(owner nacre.OwnerID) *home {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.homes[owner]
	if h == nil {
		h = &home{owner: owner, dir: filepath.Join(f.dir, "owners", string(owner)), told: map[string]string{}}
		f.homes[owner] = h
	}
	return h
}

// Open makes the folder of an owner, with every file that is missing, reads back
// what a hand did while nothing ran, and has Run watch it from now on. It is
// called for each owner at start, and for one that is new.
func (f *Folder) Open(ctx context.Context, owner nacre.OwnerID) error {
	h := f.home(owner)
	if err := h.furnish(); err != nil {
		return err
	}
	f.compare(h)
	f.look(h, 0) // for Run to watch it
	_, err := f.Sync(ctx, owner)
	return err
}

// Exists reports whether an owner has a folder.
func (f *Folder) Exists(owner nacre.OwnerID) bool {
	info, err := os.Stat(f.home(owner).dir)
	return err == nil && info.IsDir()
}

// furnish makes what is missing of a folder, and removes what interrupted writes
// left.
func (h *home) furnish() error {
	h.disk.Lock()
	defer h.disk.Unlock()
	if err := makeDirs(h.dir); err != nil {
		return err
	}
	for _, name := range texts {
		if err := makeText(h.dir, name); err != nil {
			return err
		}
	}
	return removeTemps(h.dir)
}

// Changed notes that an owner's memory changed, so that Run writes the file
// anew. It returns at once, as memory.Hooks wants it.
func (f *Folder) Changed(owner nacre.OwnerID) { f.look(f.home(owner), settle) }

// look has Run look at a folder after a while. Another event within a short
// while postpones it; a long one does not postpone a short one.
func (f *Folder) look(h *home, after time.Duration) {
	f.mu.Lock()
	if h.due.IsZero() || after <= settle {
		h.due = time.Now().Add(after)
	}
	f.mu.Unlock()
	select {
	case f.wake <- struct{}{}:
	default: // it is awake already
	}
}
