package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"nacre/configs"
	"nacre/web"
)

// whatsapp tells whether an account is linked. Only a running server knows that for
// sure: the file of an account, which is not opened here, may be left from a linking
// that came to nothing. How the connection is, the server's own lines tell.
func (x *examination) whatsapp(context.Context) []finding {
	path := filepath.Join(x.cfg.Data, "whatsapp.db")
	st, err := os.Stat(path)
	if err != nil && !missing(err) {
		return nil // the directory has the same problem
	}
	there := err == nil && st.Size() > 0
	if there && st.Mode().Perm()&0o077 != 0 {
		return []finding{{Name: "WhatsApp", Level: warning,
			Found: fmt.Sprintf("%s is open to other users (mode %04o), and whoever reads it can be the account", path, st.Mode().Perm()),
			Do:    "make it yours alone: chmod 600 " + path}}
	}
	if there && !isDatabase(path) {
		return []finding{{Name: "WhatsApp", Level: problem, Found: path + " is damaged, and with it the keys of the account",
			Do: "stop Nacre, move the file away, and link the account anew: nacre pair whatsapp"}}
	}
	file := ""
	if there {
		file = size(uint64(st.Size())) + " in " + path
	}
	if x.cfg.WhatsApp.Number == configs.NoNumber {
		return []finding{whatsappOff(file)}
	}
	return []finding{x.account(file)}
}

// isDatabase looks whether a file begins as those of SQLite do, and is as long as it says
// there, unless a log beside it has the rest. More only its own program can tell.
func isDatabase(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true // not known to be none
	}
	defer f.Close()
	var head [32]byte
	if _, err := io.ReadFull(f, head[:]); err != nil || string(head[:16]) != "SQLite format 3\x00" {
		return false
	}
	page, pages := int64(binary.BigEndian.Uint16(head[16:])), int64(binary.BigEndian.Uint32(head[28:]))
	return length(path) >= page*pages || length(path+"-wal") > 0
}

// whatsappOff looks for an account that stays linked although nobody uses it.
func whatsappOff(file string) finding {
	f := finding{Name: "WhatsApp", Level: fine, Found: "off"}
	if file != "" {
		f.Level, f.Found = warning, "off, but the keys of the account that was linked are still there ("+file+")"
		f.Do = "to let the account go, stop Nacre and run: NACRE_WHATSAPP=own nacre pair whatsapp --unlink; or unlink it on the phone, and delete the file while Nacre is stopped"
	}
	return f
}

// account tells what is known of the account; file is empty if it has none.
func (x *examination) account(file string) finding {
	f := finding{Name: "WhatsApp", Level: fine, Found: string(x.cfg.WhatsApp.Number) + " number, "}
	var known *web.WhatsApp // to the running server
	if x.status != nil {
		known = x.status.WhatsApp
	}
	switch {
	case known == nil && file != "":
		f.Found += "with the file of an account (" + file + ")"
		f.Do = "whether the account is linked is known only while Nacre runs"
	case known != nil && known.Linked:
		f.Found += "linked"
		if file != "" {
			f.Found += ", with " + file
		}
	default:
		f.Found, f.Do = f.Found+"not linked", "to talk on WhatsApp, link it: nacre pair whatsapp"
	}
	return f
}
