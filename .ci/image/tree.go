package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Owners of files, by their number as user and as group.
const (
	root  = 0
	nacre = 65532
)

//go:embed etc/passwd
var passwd []byte

//go:embed etc/group
var group []byte

// entry is a file of the image, or a directory if its path ends with a slash.
type entry struct {
	path    string // without a slash at its beginning
	mode    int64
	owner   int
	content []byte
}

// tree is every file and directory of the image, sorted. A test compares it
// with what the Dockerfile installs.
func tree(binary, authorities, licence, others []byte) []entry {
	return []entry{
		{"LICENSE", 0o644, root, licence},
		{"THIRD_PARTY", 0o644, root, others},
		{"data/", 0o700, nacre, nil},
		{"etc/", 0o755, root, nil},
		{"etc/group", 0o644, root, group},
		{"etc/passwd", 0o644, root, passwd},
		{"etc/ssl/", 0o755, root, nil},
		{"etc/ssl/certs/", 0o755, root, nil},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, root, authorities},
		{"nacre", 0o755, root, binary},
		{"tmp/", 0o1777, root, nil},
	}
}

// layer packs entries, all changed at the same time.
func layer(entries []entry, changed time.Time) (v1.Layer, error) {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, e := range entries {
		if err := w.WriteHeader(e.header(changed)); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer),
		tarball.WithCompressionLevel(gzip.BestCompression), tarball.WithCompressedCaching)
}

func (e entry) header(changed time.Time) *tar.Header {
	h := &tar.Header{Typeflag: tar.TypeReg, Name: e.path, Mode: e.mode, Uid: e.owner, Gid: e.owner,
		Size: int64(len(e.content)), ModTime: changed, Format: tar.FormatUSTAR}
	if strings.HasSuffix(e.path, "/") {
		h.Typeflag = tar.TypeDir
	}
	return h
}
