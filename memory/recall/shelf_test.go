package recall

import (
	"fmt"
	"testing"
)

func TestAuthorsBeyondTheLimitShareANumber(t *testing.T) {
	s := newShelf()
	if o, a := s.author(ByOwner), s.author(ByAssistant); o != fromOwner || a != fromAssistant {
		t.Errorf("owner and assistant are %d and %d, want %d and %d", o, a, fromOwner, fromAssistant)
	}
	for i := len(s.names); i < maxAuthors; i++ {
		if n := s.author(fmt.Sprint("author", i)); int(n) != i {
			t.Fatalf("author %d has the number %d", i, n)
		}
	}
	one, other := s.author("one more"), s.author("another")
	if one != other || s.names[one] != "" {
		t.Errorf("authors beyond the limit are %d and %d, named %q; want one number without a name", one, other, s.names[one])
	}
	if n := s.author("author7"); n != 7 {
		t.Errorf("a known author is %d, want 7", n)
	}
}
