package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"nacre/configs"
)

// whatsapp tells whether an account is linked. Without a server that knows, the
// file of the account shows it, which is there as long as one is linked; it is not
// opened. How the connection is, the server's own lines tell.
func (x *examination) whatsapp(context.Context) []finding {
	f := finding{Name: "WhatsApp", Level: fine, Found: "off"}
	if x.cfg.WhatsApp.Number == configs.NoNumber {
		return []finding{f}
	}
	path := filepath.Join(x.cfg.Data, "whatsapp.db")
	st, err := os.Stat(path)
	if err != nil && !missing(err) {
		return nil // the directory has the same problem
	}
	there := err == nil && st.Size() > 0
	linked := there
	if x.status != nil && x.status.WhatsApp != nil {
		linked = x.status.WhatsApp.Linked
	}
	switch number := string(x.cfg.WhatsApp.Number) + " number"; {
	case there && st.Mode().Perm()&0o077 != 0:
		f.Level, f.Found = warning, fmt.Sprintf("%s is open to other users (mode %04o), and whoever reads it can be the account", path, st.Mode().Perm())
		f.Do = "make it yours alone: chmod 600 " + path
	case linked && there:
		f.Found = number + ", linked, with " + size(uint64(st.Size())) + " in " + path
	case linked:
		f.Found = number + ", linked"
	default:
		f.Found, f.Do = number+", not linked", "to talk on WhatsApp, link it: nacre pair whatsapp"
	}
	return []finding{f}
}
