package audit

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"nacre"
)

// Checkpoint says how long the log was at an instant and what its hash was.
// Kept outside this machine, it pins everything that was written until then.
type Checkpoint struct {
	Origin string // the log it speaks of, see NewKey
	Size   int64  // leaves, not negative
	Root   Hash
	Time   time.Time // from 1970 to 9999; milliseconds are kept
}

const (
	maxCheckpoint = 4 << 10                    // bytes that Open reads, room for some cosignatures
	timeLayout    = "2006-01-02T15:04:05.000Z" // in UTC
)

// String is the checkpoint on one line of at most 200 characters, for a chat.
// It is not signed, and tells the whole root, so that one can compare it.
func (c Checkpoint) String() string {
	return fmt.Sprintf("Memory log %s, %s UTC: size %d, root %s", c.Origin, c.Time.UTC().Format("2006-01-02 15:04"), c.Size, c.Root)
}

// text is what is signed: origin, size, root in base64 and time, on a line
// each. The first three are the checkpoint of C2SP's tlog-checkpoint, the time
// is one of the extension lines that it allows. It is the only spelling.
func (c Checkpoint) text() string {
	return fmt.Sprintf("%s\n%d\n%s\n%s\n", c.Origin, c.Size, c.Root, c.Time.UTC().Format(timeLayout))
}

func (c Checkpoint) valid() bool {
	return isOrigin(c.Origin) && c.Size >= 0 && inRange(c.Time) && (c.Size > 0 || c.Root == emptyRoot())
}

// Sign returns the checkpoint as a signed note (golang.org/x/mod/sumdb/note),
// about 300 bytes of text on six lines. The signer has to be that of the
// checkpoint's origin.
func Sign(c Checkpoint, s Signer) ([]byte, error) {
	if !c.valid() || c.Origin != s.Name() {
		return nil, nacre.Errorf(nacre.Invalid, "the checkpoint of %d leaves cannot be signed", c.Size)
	}
	signed, err := note.Sign(&note.Note{Text: c.text()}, s)
	if err != nil {
		return nil, fmt.Errorf("sign checkpoint: %w", err)
	}
	return signed, nil
}

// Open reads a signed checkpoint, of at most 4 KiB, from anywhere. It fails
// with Denied if the verifier's key did not sign it for the verifier's origin,
// and with Invalid if it is no checkpoint at all. Signatures of others beside
// ours are allowed and not looked at.
func Open(signed []byte, ours Verifier) (Checkpoint, error) {
	if len(signed) > maxCheckpoint || !bytes.HasSuffix(signed, []byte("\n")) {
		return Checkpoint{}, nacre.Errorf(nacre.Invalid, "this text is not a checkpoint; give it whole, with its last line")
	}
	n, err := note.Open(signed, note.VerifierList(ours))
	if err != nil {
		return Checkpoint{}, nacre.Errorf(nacre.Denied, "the checkpoint is not signed by this installation: %w", err)
	}
	c, ok := parseCheckpoint(n.Text)
	if !ok {
		return Checkpoint{}, nacre.Errorf(nacre.Invalid, "the text that was signed is not a checkpoint")
	}
	if c.Origin != ours.Name() {
		return Checkpoint{}, nacre.Errorf(nacre.Denied, "the checkpoint speaks of another log than that of this installation")
	}
	return c, nil
}

// parseCheckpoint reads what text wrote and accepts no other spelling.
func parseCheckpoint(text string) (Checkpoint, bool) {
	lines := strings.Split(text, "\n")
	if len(lines) != 5 {
		return Checkpoint{}, false
	}
	size, err1 := strconv.ParseInt(lines[1], 10, 64)
	root, err2 := tlog.ParseHash(lines[2])
	at, err3 := time.Parse(timeLayout, lines[3])
	c := Checkpoint{Origin: lines[0], Size: size, Root: root, Time: at}
	return c, err1 == nil && err2 == nil && err3 == nil && c.valid() && c.text() == text
}
