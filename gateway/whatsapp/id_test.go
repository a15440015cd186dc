package whatsapp

import (
	"strings"
	"testing"
)

func TestOwnID(t *testing.T) {
	a, b := ownID("delivery"), ownID("another")
	if a == b || a != ownID("delivery") {
		t.Errorf("ids %q and %q", a, b)
	}
	if len(a) != 22 || !strings.HasPrefix(a, "3EB0") || strings.ToUpper(a) != a {
		t.Errorf("id %q does not look like one of WhatsApp Web", a)
	}
}

func TestCounterpart(t *testing.T) {
	tests := []struct{ name, id, want string }{
		{"of a message", "3EB0000102030405060708", "3EB0FFFEFDFCFBFAF9F8F7"},
		{"of its edit", "3EB0FFFEFDFCFBFAF9F8F7", "3EB0000102030405060708"},
		{"of another app's", "AC5F0001020304050607", ""},
		{"of another length", "3EB00001", ""},
		{"of no digits", "3EB0XX0102030405060708", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := counterpart(tt.id); got != tt.want {
				t.Errorf("counterpart %q, want %q", got, tt.want)
			}
		})
	}
}
