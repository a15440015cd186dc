package media

import (
	"bytes"
	"encoding/binary"
	"image"
	"iter"
)

// Markers of JPEG segments (ITU-T T.81, table B.1).
const (
	markerFrame2 = 0xC2 // a progressive frame follows
	markerReset0 = 0xD0 // to 0xD7: without a body
	markerReset7 = 0xD7
	markerEnd    = 0xD9
	markerScan   = 0xDA // entropy-coded data follow
	markerApp1   = 0xE1 // Exif
)

// segments yields the segments of a JPEG file before its first scan. It skips
// what image/jpeg skips, fill bytes and garbage between segments, so that both
// see the same ones.
func segments(data []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		if !bytes.HasPrefix(data, []byte{0xFF, 0xD8}) {
			return
		}
		rest := data[2:]
		for {
			at := bytes.IndexByte(rest, 0xFF)
			if at < 0 {
				return
			}
			for rest = rest[at:]; len(rest) > 0 && rest[0] == 0xFF; {
				rest = rest[1:]
			}
			if len(rest) == 0 || rest[0] == markerEnd || rest[0] == markerScan {
				return
			}
			marker := rest[0]
			rest = rest[1:]
			if marker == 0 || marker >= markerReset0 && marker <= markerReset7 {
				continue
			}
			if len(rest) < 2 {
				return
			}
			n := int(binary.BigEndian.Uint16(rest))
			if n < 2 || n > len(rest) || !yield(marker, rest[2:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// progressive reports whether a JPEG file is sent in several passes.
func progressive(data []byte) bool {
	for marker := range segments(data) {
		if marker == markerFrame2 {
			return true
		}
	}
	return false
}

// orientation returns how a JPEG file says that its picture lies, 1 to 8 as in
// Exif (CIPA DC-008, tag 0x0112); 1, upright, where it does not say.
func orientation(data []byte) int {
	for marker, body := range segments(data) {
		if tiff, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00")); ok && marker == markerApp1 {
			return tiffOrientation(tiff)
		}
	}
	return 1
}

// tiffOrientation reads the tag from the first directory of a TIFF structure.
func tiffOrientation(b []byte) int {
	if len(b) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if string(b[:2]) == "II" {
		order = binary.LittleEndian
	}
	at := uint64(order.Uint32(b[4:]))
	if order.Uint16(b[2:]) != 42 || at+2 > uint64(len(b)) {
		return 1
	}
	count := order.Uint16(b[at:])
	entries := b[at+2:]
	const size = 12 // tag, type, count and value of an entry
	for ; count > 0 && len(entries) >= size; count-- {
		if order.Uint16(entries) == 0x0112 {
			if v := order.Uint16(entries[8:]); order.Uint16(entries[2:]) == 3 && v >= 1 && v <= 8 {
				return int(v)
			}
			return 1
		}
		entries = entries[size:]
	}
	return 1
}

// orient turns and mirrors m, which lies as o says, so that it is upright.
func orient(m *image.RGBA, o int) *image.RGBA {
	if o == 1 {
		return m
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if o >= 5 {
		out = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			fromX, fromY := lying(o, x, y, w, h)
			copy(out.Pix[out.PixOffset(x, y):][:4], m.Pix[m.PixOffset(fromX, fromY):])
		}
	}
	return out
}

// lying returns where the pixel at x, y of the upright picture is in one of w
// by h pixels that lies as o says.
func lying(o, x, y, w, h int) (int, int) {
	switch o {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, h - 1 - x
	case 7:
		return w - 1 - y, h - 1 - x
	case 8:
		return w - 1 - y, x
	}
	return x, y
}
