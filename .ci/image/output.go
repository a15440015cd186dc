package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// writeAll builds the images of all binaries and writes everything below out.
func (r recipe) writeAll(binaries []string, out string, report io.Writer) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var index v1.ImageIndex = empty.Index
	for _, binary := range binaries {
		p, err := readProgram(binary)
		if err != nil {
			return err
		}
		img, err := r.write(p, out, report)
		if err != nil {
			return fmt.Errorf("%s: %w", p.platform, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: &p.platform}})
	}
	return writeLayout(filepath.Join(out, "oci"), index, r.version, report)
}

// write builds one image, and its file for docker load.
func (r recipe) write(p program, out string, report io.Writer) (v1.Image, error) {
	tag, err := name.NewTag("nacre:" + r.version)
	if err != nil {
		return nil, err
	}
	img, err := r.build(p)
	if err != nil {
		return nil, err
	}
	if err := check(img, p.platform, report); err != nil {
		return nil, err
	}
	file := "nacre-" + strings.ReplaceAll(p.platform.String(), "/", "-") + ".tar"
	return img, tarball.WriteToFile(filepath.Join(out, file), tag, img)
}

// writeLayout replaces dir by a layout whose only entry is the index, named by
// the version.
func writeLayout(dir string, index v1.ImageIndex, version string, report io.Writer) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	l, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	named := layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": version})
	if err := l.AppendIndex(index, named); err != nil {
		return err
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	fmt.Fprintf(report, "%-14s %s\n", "all platforms", digest)
	return nil
}
