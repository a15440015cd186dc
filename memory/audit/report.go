package audit

import (
	"fmt"
	"time"
)

// Report is what Verify found.
type Report struct {
	Size     int64     // leaves read
	Root     Hash      // computed from them
	Anchored int64     // leaves proven genuine by a checkpoint; those after it rest on the stored hashes alone
	Findings []Finding // what is wrong, at most 100
	Omitted  int64     // findings beyond those
}

// OK reports whether nothing is wrong.
func (r Report) OK() bool { return len(r.Findings) == 0 }

const maxFindings = 100

// Add notes a finding, or lengthens one that it continues. Verify calls it, and
// after it whoever compares the log with what it speaks of.
func (r *Report) Add(f Finding) {
	for i := range r.Findings {
		if r.Findings[i].continues(f) {
			r.Findings[i].Last = f.Last
			return
		}
	}
	if len(r.Findings) == maxFindings {
		r.Omitted++
		return
	}
	r.Findings = append(r.Findings, f)
}

// Fault is the code of what is wrong.
type Fault string

// The faults. Which field of a Finding counts what is said at each.
const (
	Edited     Fault = "edited"      // leaves that do not match their stored hashes
	Moved      Fault = "moved"       // places in the log that hold leaves of other numbers
	Unreadable Fault = "unreadable"  // leaves that match their hashes and are not of a known format
	Rehashed   Fault = "rehashed"    // leaves, one of which was edited along with its own hash
	WrongHash  Fault = "wrong-hash"  // leaves that a checkpoint proves, and whose stored hashes do not match
	Missing    Fault = "missing"     // indexes of hashes that are not stored
	Truncated  Fault = "truncated"   // First is the first leaf that is gone while hashes that follow are there
	Rewritten  Fault = "rewritten"   // leaves, some of which are not those that a checkpoint signed, hashes included
	RolledBack Fault = "rolled-back" // leaves that a checkpoint signed and that are gone along with their hashes
	NotOurs    Fault = "not-ours"    // checkpoints given to Verify, from 0, that this log's key did not sign
)

// The faults of what the log speaks of, which Verify does not see. The numbers
// are those of leaves.
const (
	Unlogged  Fault = "unlogged"  // changes without their leaf
	Dropped   Fault = "dropped"   // leaves whose change is not stored
	Unguarded Fault = "unguarded" // changes whose tombstone beside the log is not what they say
	Altered   Fault = "altered"   // changes that are not what their leaves say, as to who, when, what or why
	Forged    Fault = "forged"    // changes whose content is not what their leaves commit to
	Emptied   Fault = "emptied"   // changes whose content is gone though nobody had it forgotten
)

// Finding is one thing that is wrong with the log.
type Finding struct {
	Fault       Fault
	First, Last int64     // what is concerned, both included
	Shift       int64     // Moved: the number of the leaf that was found, less its place
	Time        time.Time // of the checkpoint that shows it; zero if none was needed
}

func (f Finding) continues(g Finding) bool {
	return f.Fault == g.Fault && f.Last+1 == g.First && f.Shift == g.Shift && f.Time.Equal(g.Time)
}

// String says it in a sentence for the owner.
func (f Finding) String() string {
	leaves, signed := span("leaf", "leaves", f.First, f.Last), f.Time.UTC().Format("2006-01-02 15:04:05 UTC")
	switch f.Fault {
	case Edited:
		return fmt.Sprintf("Edited: %s %s not match the stored hash.", leaves, f.verb("does", "do"))
	case Moved:
		return fmt.Sprintf("Moved: in place of %s %s %s.", leaves, f.verb("stands", "stand"), span("leaf", "leaves", f.First+f.Shift, f.Last+f.Shift))
	case Unreadable:
		return fmt.Sprintf("Unreadable: %s %s not of a format that this version knows.", leaves, f.verb("is", "are"))
	case Rehashed:
		return fmt.Sprintf("Edited: of %s, at least one was changed along with its hash, or a hash over them was.", leaves)
	case WrongHash:
		return fmt.Sprintf("Wrong hash: %s %s as signed, but a hash stored for %s is not.", leaves, f.verb("is", "are"), f.verb("it", "them"))
	case Missing:
		return fmt.Sprintf("Missing: %s %s not stored.", span("hash", "hashes", f.First, f.Last), f.verb("is", "are"))
	case Truncated:
		return fmt.Sprintf("Truncated: the log ends before leaf %d, but its hashes go on.", f.First)
	case Rewritten:
		return fmt.Sprintf("Rewritten: %s %s not as signed at %s.", leaves, f.verb("is", "are"), signed)
	case RolledBack:
		return fmt.Sprintf("Rolled back: %s %s gone, though signed at %s. An older copy was put back, or the end was cut off.", leaves, f.verb("is", "are"), signed)
	case Unlogged:
		return fmt.Sprintf("Not in the log: %s %s no leaf.", span("change", "changes", f.First, f.Last), f.verb("has", "have"))
	case Dropped:
		return fmt.Sprintf("Dropped: what %s %s of is not stored.", leaves, f.verb("speaks", "speak"))
	case Unguarded:
		return fmt.Sprintf("Unguarded: what keeps %s from coming back, beside the log, %s not as in the log.", span("the value of change", "the values of changes", f.First, f.Last), f.verb("is", "are"))
	case Altered:
		return fmt.Sprintf("Altered: %s %s not as in the log.", span("change", "changes", f.First, f.Last), f.verb("is", "are"))
	case Forged:
		return fmt.Sprintf("Forged: the content of %s is not that which was logged.", span("change", "changes", f.First, f.Last))
	case Emptied:
		return fmt.Sprintf("Emptied: the content of %s is gone, and nobody had it forgotten.", span("change", "changes", f.First, f.Last))
	default:
		return fmt.Sprintf("Not ours: %s %s not signed by this installation for this log.", span("checkpoint", "checkpoints", f.First+1, f.Last+1), f.verb("is", "are"))
	}
}

// verb chooses the form for one or for several.
func (f Finding) verb(one, several string) string {
	if f.First == f.Last {
		return one
	}
	return several
}

func span(one, several string, first, last int64) string {
	if first == last {
		return fmt.Sprintf("%s %d", one, first)
	}
	return fmt.Sprintf("%s %d to %d", several, first, last)
}
