package main

import (
	"fmt"
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// maxSize is the most compressed bytes that one platform may have, which is
// what people download. The libraries that reach Gmail have 3 MB of it.
const maxSize = 25_000_000

// check reports the digest and the size of an image, and refuses one that is
// too large.
func check(img v1.Image, p v1.Platform, report io.Writer) error {
	digest, err := img.Digest()
	if err != nil {
		return err
	}
	size, err := compressed(img)
	if err != nil {
		return err
	}
	fmt.Fprintf(report, "%-14s %s %5.2f MB compressed\n", p, digest, float64(size)/1e6)
	if size > maxSize {
		return fmt.Errorf("the image has %d bytes compressed, above the limit of %d", size, maxSize)
	}
	return nil
}

// compressed is how many bytes a registry sends for an image.
func compressed(img v1.Image) (int64, error) {
	size, err := img.Size()
	if err != nil {
		return 0, err
	}
	m, err := img.Manifest()
	if err != nil {
		return 0, err
	}
	size += m.Config.Size
	for _, l := range m.Layers {
		size += l.Size
	}
	return size, nil
}
