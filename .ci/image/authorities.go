package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// readAuthorities joins the certificates that Debian's package ca-certificates
// brings. The bundle that the machine itself trusts is left alone: it may hold
// authorities of its own network, which nobody else should trust.
func readAuthorities(dir string) ([]byte, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.crt"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no certificate authorities in %s", dir)
	}
	var bundle []byte
	for _, path := range paths {
		certificate, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		bundle = append(bundle, certificate...)
	}
	return bundle, nil
}
