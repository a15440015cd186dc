package main

import (
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// recipe is what the images of all platforms have in common.
type recipe struct {
	version     string
	created     time.Time // of the image and of every file in it
	authorities []byte    // certificates in PEM
	licence     []byte
	others      []byte // licences of what others wrote in the program
}

// build makes the image of one platform: one layer with all files, and the
// configuration.
func (r recipe) build(p program) (v1.Image, error) {
	files, err := layer(tree(p.binary, r.authorities, r.licence, r.others), r.created)
	if err != nil {
		return nil, err
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	base, err = mutate.ConfigFile(base, &v1.ConfigFile{
		OS:           p.platform.OS,
		Architecture: p.platform.Architecture,
		Variant:      p.platform.Variant,
		Created:      v1.Time{Time: r.created},
		Config:       config(r.version),
		RootFS:       v1.RootFS{Type: "layers"},
	})
	if err != nil {
		return nil, err
	}
	return mutate.Append(base, mutate.Addendum{
		Layer:   files,
		History: v1.History{Created: v1.Time{Time: r.created}, CreatedBy: "nacre/image"},
	})
}

// config says how the image runs. A test compares it with the last stage of
// the Dockerfile, whose comments give the reasons.
func config(version string) v1.Config {
	return v1.Config{
		Env:          []string{"PATH=/", "NACRE_DATA=/data"},
		User:         "65532:65532",
		WorkingDir:   "/",
		Volumes:      map[string]struct{}{"/data": {}},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Healthcheck: &v1.HealthConfig{
			Test:        []string{"CMD", "/nacre", "healthcheck"},
			Interval:    30 * time.Second,
			Timeout:     10 * time.Second,
			StartPeriod: 30 * time.Second,
			Retries:     3,
		},
		Entrypoint: []string{"/nacre"},
		Cmd:        []string{"serve"},
		Labels: map[string]string{
			"org.opencontainers.image.title":    "Nacre",
			"org.opencontainers.image.licenses": "GPL-3.0-or-later",
			"org.opencontainers.image.version":  version,
		},
	}
}
