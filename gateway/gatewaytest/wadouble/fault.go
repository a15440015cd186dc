package wadouble

import "time"

// FaultKind is a way to fail.
type FaultKind int

// The ways in which the double fails.
const (
	DropBefore    FaultKind = iota + 1 // a message is not taken and the connection closed
	DropAfter                          // a message is delivered, but the connection closed instead of an acknowledgement
	Unanswered                         // a message is delivered, but never acknowledged
	SendError                          // a message is refused with Code: 463, 429, 400, …
	LoginError                         // a login is refused with Code: 401, 402, 403, 405, 406, 409, 503, …
	StreamError                        // every connection of a companion is ended, at once, with Code or Words
	QueryError                         // an IQ is refused with Code; Words is its namespace, empty for any
	UploadError                        // an upload gets the HTTP status Code
	DownloadError                      // a download gets the HTTP status Code
	NoPong                             // a keep-alive ping is not answered
)

// Words of a StreamError without a Code.
const (
	Replaced      = "replaced"       // another connection of the same device
	DeviceRemoved = "device_removed" // unlinked by the phone
)

// Fault makes something fail.
type Fault struct {
	Kind   FaultKind
	Code   int
	Words  string
	Ban    int           // of LoginError 402: the reason, 101 to 106
	Expire time.Duration // of LoginError 402: how long it lasts
	Times  int           // how often it is met: 0 is once, less than 0 until Heal
}

// Fail queues faults; what a fault can meet meets the first of its kind.
func (s *Server) Fail(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range faults {
		if f.Kind == StreamError {
			s.endAll(f)
		} else {
			s.faults = append(s.faults, f)
		}
	}
}

// endAll ends the connections of companions.
func (s *Server) endAll(f Fault) {
	for c := range s.conns {
		if c.companion == nil {
			continue
		}
		c.end(streamError(f))
		if f.Words == DeviceRemoved {
			c.companion.remove()
		}
	}
}

// Heal removes the faults that were not met.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// meet takes the first fault of a kind that applies to something, if there is one.
// Call it with the lock held.
func (s *Server) meet(kind FaultKind, what string) (Fault, bool) {
	for i, f := range s.faults {
		if f.Kind != kind || f.Words != "" && f.Words != what {
			continue
		}
		switch {
		case f.Times > 1:
			s.faults[i].Times--
		case f.Times >= 0:
			s.faults = append(s.faults[:i:i], s.faults[i+1:]...)
		}
		return f, true
	}
	return Fault{}, false
}
