package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeBill writes a bill of materials: the program, and what it is made of.
func writeBill(path, version, epoch string, list []*part) error {
	made, err := parseEpoch(epoch)
	if err != nil {
		return err
	}
	program := component("nacre", version, cdx.ComponentTypeApplication, []string{"GPL-3.0-or-later"})
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: made.Format(time.RFC3339), Component: &program}
	var parts []cdx.Component
	var uses []string
	for _, p := range list {
		c := component(p.path, p.version, cdx.ComponentTypeLibrary, p.ids())
		parts, uses = append(parts, c), append(uses, c.BOMRef)
	}
	bom.Components = &parts
	bom.Dependencies = &[]cdx.Dependency{{Ref: program.BOMRef, Dependencies: &uses}}
	var out bytes.Buffer
	if err := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).Encode(bom); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// component describes a part, or the whole.
func component(name, version string, kind cdx.ComponentType, ids []string) cdx.Component {
	c := cdx.Component{Type: kind, Name: name, Version: version, BOMRef: name + "@" + version}
	if kind == cdx.ComponentTypeLibrary && version != "" {
		c.PackageURL = "pkg:golang/" + c.BOMRef
	}
	licences := cdx.Licenses{}
	for _, id := range ids {
		licences = append(licences, cdx.LicenseChoice{License: &cdx.License{ID: id}})
	}
	c.Licenses = &licences
	return c
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
