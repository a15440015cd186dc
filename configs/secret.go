package configs

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a text that must not be seen. However it is printed, logged or
// marshalled, it says only whether it is set. The zero Secret is not set.
type Secret struct {
	// A pointer, because fmt prints a bare string even where, inside an
	// unexported field, it may not call our methods.
	value *string
}

// newSecret takes any text; an empty one leaves the Secret unset.
func newSecret(text string) (Secret, error) {
	if text == "" {
		return Secret{}, nil
	}
	return Secret{&text}, nil
}

// Reveal returns the text itself, for the one place that sends or uses it;
// empty if it is not set.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

func (s Secret) String() string {
	if s.value == nil {
		return "[not set]"
	}
	return "[set]"
}

// GoString is String.
func (s Secret) GoString() string { return s.String() }

// Format prints String for every verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

// MarshalText is String, for JSON and TOML.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue is String, for slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
