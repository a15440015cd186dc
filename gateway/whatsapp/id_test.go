package whatsapp

import (
	"strings"
	"testing"
)

func TestOwnID(t *testing.T) {
	key := newIDKey([]byte("secret"))
	a, b := key.id("delivery"), key.id("another")
	if a == b || a != key.id("delivery") || a != newIDKey([]byte("secret")).id("delivery") {
		t.Errorf("ids %q and %q", a, b)
	}
	if len(a) != 22 || !strings.HasPrefix(a, "3EB0") || strings.ToUpper(a) != a {
		t.Errorf("id %q does not look like one of WhatsApp Web", a)
	}
}

// The id of a message and that of the edit which brings its final text lead to each
// other, and both are known; nobody else's are.
func TestCounterpart(t *testing.T) {
	key := newIDKey([]byte("secret"))
	ours := key.id("turn")
	edit := key.counterpart(ours)
	if !key.made(ours) || !key.made(edit) || edit == ours || key.counterpart(edit) != ours {
		t.Errorf("message %q, edit %q, back %q", ours, edit, key.counterpart(edit))
	}
	tests := []struct{ name, id string }{
		{"another account's", newIDKey([]byte("another")).id("turn")},
		{"changed", ours[:21] + string(ours[21]^1)},
		{"in small letters", strings.ToLower(ours)},
		{"another app's", "AC5F" + ours[4:]},
		{"no prefix", ours[4:]},
		{"another length", "3EB00001"},
		{"no digits", "3EB0XX0102030405060708"},
		{"nothing", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if key.made(tt.id) || key.counterpart(tt.id) != "" {
				t.Errorf("%q is taken for ours", tt.id)
			}
		})
	}
}
