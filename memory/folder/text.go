package folder

import (
	"embed"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"nacre"
)

// The files of a folder.
const (
	Memory    = "MEMORY.md"
	Soul      = "SOUL.md"
	Heartbeat = "HEARTBEAT.md"
	Reflect   = "prompts/reflect.md"
)

// MaxText is how many characters are read of a file that the owner writes, since
// it is part of prompts.
const MaxText = 8000

// texts are the files that the owner writes and Nacre only reads.
var texts = []string{Soul, Heartbeat, Reflect}

//go:embed defaults
var defaults embed.FS

// byDefault is what a text is made of at first.
func byDefault(name string) []byte {
	text, err := defaults.ReadFile("defaults/" + filepath.Base(name))
	if err != nil {
		panic(err) // it is in the binary, or the name is none of ours
	}
	return text
}

// comment is what owners leave for themselves in a text, and what its default
// explains it with. One that is not closed reaches to the end.
var comment = regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)`)

// Text is what one of an owner's texts says.
type Text struct {
	Words string // without comments; empty if it says nothing, as when nobody has touched it
	Cut   int    // characters beyond MaxText, which were left out
}

// Idle reports whether a text gives nobody anything to do: nothing stands in it
// but headings, and items and boxes that are empty.
func (t Text) Idle() bool {
	for line := range strings.Lines(t.Words) {
		line = strings.TrimSpace(line)
		title := strings.TrimLeft(line, "#")
		heading := title != line && (title == "" || title[0] == ' ')
		if !heading && strings.Trim(line, "-*+[] ") != "" {
			return false
		}
	}
	return true
}

// Text reads SOUL.md, HEARTBEAT.md or prompts/reflect.md of an owner. A file
// that is not there says nothing.
func (f *Folder) Text(owner nacre.OwnerID, name string) (Text, error) {
	raw, err := readFile(filepath.Join(f.home(owner).dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return Text{}, nil
	}
	if err != nil {
		return Text{}, err
	}
	return readText(string(raw)), nil
}

// readText takes the comments out of a text and cuts it. What is no UTF-8 is
// shown as such.
func readText(raw string) Text {
	words := strings.TrimSpace(comment.ReplaceAllString(strings.ToValidUTF8(raw, "\uFFFD"), ""))
	n := utf8.RuneCountInString(words)
	if n <= MaxText {
		return Text{Words: words}
	}
	return Text{string([]rune(words)[:MaxText]), n - MaxText}
}

// voice is what SOUL.md said when it was last read.
type voice struct {
	mu      sync.Mutex // guards the others
	words   string
	size    int64
	changed time.Time
}

// expire has SOUL.md read anew, though its time and size may be the same.
func (v *voice) expire() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.changed = time.Time{}
}

// Voice returns what SOUL.md says, for the beginning of an owner's prompts;
// empty means the built-in voice. What was cut is said in its last line. It is
// asked for before every request, and reads the file only if its time or size
// changed.
func (f *Folder) Voice(owner nacre.OwnerID) (string, error) {
	h := f.home(owner)
	info, err := os.Stat(filepath.Join(h.dir, Soul))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", failed(h.dir, err)
	}
	h.soul.mu.Lock()
	defer h.soul.mu.Unlock()
	if h.soul.size == info.Size() && h.soul.changed.Equal(info.ModTime()) {
		return h.soul.words, nil
	}
	t, err := f.Text(owner, Soul)
	if err != nil {
		return "", err
	}
	if t.Cut > 0 {
		t.Words += "\n[SOUL.md is longer than this; the rest was left out.]"
	}
	h.soul.words, h.soul.size, h.soul.changed = t.Words, info.Size(), info.ModTime()
	return t.Words, nil
}

// maxFile is how many bytes of a file are looked at. What is longer was not
// written by a person.
const maxFile = 2 << 20

// readFile reads a whole file. One that is no file, such as a pipe, would be
// waited for and is refused, as is one beyond maxFile.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, failed(filepath.Dir(path), err)
	}
	if !info.Mode().IsRegular() {
		return nil, nacre.Errorf(nacre.Invalid, "%s is no file; move it away, and a new one is made", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, failed(filepath.Dir(path), err)
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return nil, failed(filepath.Dir(path), err)
	case len(raw) > maxFile:
		return nil, nacre.Errorf(nacre.Invalid, "%s is larger than 2 MiB and was not read; shorten it", path)
	}
	return raw, nil
}
