// Command licences looks at everything that others wrote and that the program is
// linked with, on any of the platforms that it is given:
//
//	licences [-version V] [-text FILE] [-sbom FILE] linux/amd64 linux/arm64
//
// It fails where somebody grants no licence that it knows and that goes together with
// GPL-3.0-or-later. It prints who grants which, and writes all their texts to one
// file, which has to go along with the program, and a bill of materials in CycloneDX's
// JSON. The same modules give the same bytes: the time in the bill is
// SOURCE_DATE_EPOCH, in Unix seconds, or else zero.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Getenv("SOURCE_DATE_EPOCH"), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(args []string, epoch string, report io.Writer) error {
	flags := flag.NewFlagSet("licences", flag.ContinueOnError)
	version := flags.String("version", "dev", "version of the program")
	root := flags.String("root", "../..", "directory of the program's module")
	words := flags.String("text", "", "file to write all licences to")
	bill := flags.String("sbom", "", "file to write the bill of materials to")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name a platform, such as linux/amd64")
	}
	list, err := readAll(*root, flags.Args())
	if err != nil {
		return err
	}
	if err := judge(list, report); err != nil {
		return err
	}
	if *words != "" {
		if err := os.WriteFile(*words, []byte(allTexts(list)), 0o644); err != nil {
			return err
		}
	}
	if *bill == "" {
		return nil
	}
	return writeBill(*bill, *version, epoch, list)
}

// readAll reads what is linked on some of the platforms.
func readAll(root string, platforms []string) ([]*part, error) {
	parts := map[string]*part{}
	if err := readStandard(parts); err != nil {
		return nil, err
	}
	for _, platform := range platforms {
		if err := readParts(root, platform, parts); err != nil {
			return nil, err
		}
	}
	return sorted(parts), nil
}

// allTexts joins what the parts say, each text that several have alike only once.
func allTexts(list []*part) string {
	var out strings.Builder
	out.WriteString("Nacre contains what others wrote, under the licences below.\n")
	first := map[string]string{}
	for _, p := range list {
		for _, t := range p.texts {
			name := strings.TrimSpace(p.path+" "+p.version) + ", " + t.path
			fmt.Fprintf(&out, "\n%s\n%s\n\n", strings.Repeat("=", 72), name)
			if same, ok := first[t.content]; ok {
				fmt.Fprintf(&out, "The same as for %s.\n", same)
				continue
			}
			first[t.content] = name
			out.WriteString(strings.TrimSpace(t.content) + "\n")
		}
	}
	return out.String()
}
