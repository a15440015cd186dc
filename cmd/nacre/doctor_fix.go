package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// remedy is something that the doctor can do itself, as nothing is lost or sent by
// it. Done twice it is done once.
type remedy struct {
	words string // what is done
	do    func() error
}

// remedies lists what there is to do for our own files; those of others, such as a
// configuration that its service reads by group, are not touched.
func (x *examination) remedies() (list []remedy) {
	for _, o := range x.openFiles(x.ourRoots()...) {
		st, err := os.Lstat(o.path)
		if err != nil || ownerOf(st) != os.Geteuid() {
			continue
		}
		list = append(list, remedy{fmt.Sprintf("chmod %03o %s", o.closed(), o.path), func() error { return os.Chmod(o.path, o.closed()) }})
	}
	if path := filepath.Join(x.cfg.Data, "nacre.sock"); x.ours() && deserted(path) {
		list = append(list, remedy{"remove " + path + ", which a server left that is gone", func() error { return os.Remove(path) }})
	}
	for _, path := range x.leftovers() {
		list = append(list, removal(path))
	}
	return list
}

// deserted reports whether a socket is there on which nobody listens.
func deserted(path string) bool {
	st, err := os.Lstat(path)
	if err != nil || st.Mode().Type() != os.ModeSocket {
		return false
	}
	conn, err := net.Dial("unix", path)
	if err == nil {
		conn.Close()
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

// fix does what remedies says, or only tells it.
func (x *examination) fix(dry bool) (done []string) {
	for _, r := range x.remedies() {
		words := "would " + r.words
		if !dry {
			words = r.words
			if err := r.do(); err != nil {
				words = fmt.Sprintf("could not %s (%v)", r.words, bare(err))
			}
		}
		done = append(done, words)
	}
	return done
}
