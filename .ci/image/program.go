package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"os"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// program is a binary and what it runs on.
type program struct {
	binary   []byte
	platform v1.Platform
}

// readProgram reads a binary. Its platform is the one that the Go linker noted
// in it, so that none can get into the image of another.
func readProgram(path string) (p program, err error) {
	if p.binary, err = os.ReadFile(path); err != nil {
		return p, err
	}
	info, err := buildinfo.Read(bytes.NewReader(p.binary))
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if settings["CGO_ENABLED"] != "0" {
		return p, fmt.Errorf("%s: was not built with CGO_ENABLED=0, and the image has no libraries", path)
	}
	p.platform = v1.Platform{OS: settings["GOOS"], Architecture: settings["GOARCH"]}
	if arm := settings["GOARM"]; arm != "" {
		p.platform.Variant = "v" + arm
	}
	return p, nil
}
