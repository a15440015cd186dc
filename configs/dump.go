package configs

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Dump returns the configuration in effect as a TOML file, with a comment on
// where each value came from. Secrets are left out, those inside URLs too.
func (c *Config) Dump() string {
	var b strings.Builder
	table := ""
	for _, s := range c.settings {
		t, name := s.split()
		if t != table {
			table = t
			fmt.Fprintf(&b, "\n[%s]\n", table)
		}
		switch {
		case s.source == "":
			fmt.Fprintf(&b, "# %s is not set\n", name)
		case s.secret():
			fmt.Fprintf(&b, "# %s is set # %s\n", name, s.source)
		default:
			// Of what was given, only what is off has an empty value.
			text := cmp.Or(withoutUser(s.field.String()), off)
			fmt.Fprintf(&b, "%s # %s\n", assignment(name, text), s.source)
		}
	}
	return b.String()
}

func assignment(name, text string) string {
	line, err := toml.Marshal(map[string]string{name: text})
	if err != nil {
		panic(err) // a map of texts can always be written
	}
	return strings.TrimSuffix(string(line), "\n")
}

// withoutUser hides the name and password that a URL may hold; either can be
// the secret.
func withoutUser(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.User == nil {
		return text
	}
	u.User = url.User("hidden")
	return u.String()
}
