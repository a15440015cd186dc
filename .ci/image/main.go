// Command image builds Nacre's container image without a container engine, as
// the Dockerfile does with one. From binaries of the program it writes into a
// directory
//
//   - oci, an OCI image layout with all platforms behind one index;
//   - nacre-OS-ARCH.tar for each platform, for docker load.
//
// The same binaries give the same bytes: every time is SOURCE_DATE_EPOCH, in
// Unix seconds, or else zero. An image that is too large is an error.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Getenv("SOURCE_DATE_EPOCH"), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func run(args []string, epoch string, report io.Writer) error {
	flags := flag.NewFlagSet("image", flag.ContinueOnError)
	version := flags.String("version", "dev", "version of the program, and tag of the image")
	out := flags.String("out", "dist", "directory to write into")
	trusted := flags.String("authorities", "/usr/share/ca-certificates/mozilla", "directory with the certificate authorities to trust")
	words := flags.String("others", "", "file with the licences of what others wrote in the program")
	terms := flags.String("licence", "../../LICENSE", "file with the licence of the program")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name a binary for each platform")
	}
	created, err := parseEpoch(epoch)
	if err != nil {
		return err
	}
	authorities, err := readAuthorities(*trusted)
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(*terms)
	if err != nil {
		return err
	}
	others, err := os.ReadFile(*words)
	if err != nil {
		return err
	}
	r := recipe{version: *version, created: created, authorities: authorities, licence: licence, others: others}
	return r.writeAll(flags.Args(), *out, report)
}

// parseEpoch reads SOURCE_DATE_EPOCH.
func parseEpoch(text string) (time.Time, error) {
	if text == "" {
		return time.Unix(0, 0).UTC(), nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}
