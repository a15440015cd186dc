package web

import (
	"fmt"
	"strings"

	"rsc.io/qr"

	"nacre"
)

// quietZone is the white margin that a QR code needs to be found, in modules
// (ISO/IEC 18004).
const quietZone = 4

// drawSVG draws a text as a QR code, black on white whatever is around it. The
// least redundancy gives the largest modules, and a screen has no stains.
func drawSVG(text string) (string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", nacre.Errorf(nacre.Internal, "draw the QR code: %w", err)
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; {
			run := 0
			for code.Black(x+run, y) {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", x+quietZone, y+quietZone, run, run)
			}
			x += run + 1
		}
	}
	side := code.Size + 2*quietZone
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">`+
		`<rect width="%d" height="%d" fill="#fff"/><path d="%s"/></svg>`, side, side, side, side, path.String()), nil
}
