package media

import (
	"bytes"
	"encoding/binary"
	"image"
	"strings"
	"testing"
)

// exif makes an APP1 segment with an orientation and a place.
func exif(order binary.AppendByteOrder, orientation uint16) []byte {
	var tiff []byte
	mark := "MM"
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		mark = "II"
	}
	tiff = append(tiff, mark...)
	tiff = order.AppendUint16(tiff, 42)
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 2)
	tiff = order.AppendUint16(tiff, 0x010F) // maker, four characters
	tiff = order.AppendUint16(tiff, 2)
	tiff = order.AppendUint32(tiff, 4)
	tiff = append(tiff, "GPS\x00"...)
	tiff = order.AppendUint16(tiff, 0x0112)
	tiff = order.AppendUint16(tiff, 3)
	tiff = order.AppendUint32(tiff, 1)
	tiff = order.AppendUint16(tiff, orientation)
	tiff = append(tiff, 0, 0, 0, 0, 0, 0)
	body := append([]byte("Exif\x00\x00"), tiff...)
	return append(binary.BigEndian.AppendUint16([]byte{0xFF, markerApp1}, uint16(len(body)+2)), body...)
}

// with puts a segment at the beginning of a JPEG file.
func with(segment, data []byte) []byte {
	return append(append([]byte{0xFF, 0xD8}, segment...), data[2:]...)
}

// corners is a picture, 64 by 32, whose upper corners are red and green.
func corners() image.Image {
	m := image.NewRGBA(image.Rect(0, 0, 64, 32))
	for y := range 32 {
		for x := range 64 {
			switch {
			case y >= 16:
				m.SetRGBA(x, y, blue)
			case x < 32:
				m.SetRGBA(x, y, red)
			default:
				m.SetRGBA(x, y, green)
			}
		}
	}
	return m
}

// The table is that of the Exif standard: on which sides of the upright picture
// the first row and the first column are.
func TestPictureOrientation(t *testing.T) {
	const left, right, top, bottom = 4, -5, 4, -5
	tests := []struct {
		orientation      uint16
		turned           bool
		redX, redY       int // first row, first column
		greenX, greenY   int // first row, last column
		firstRow, column string
	}{
		{1, false, left, top, right, top, "top", "left"},
		{2, false, right, top, left, top, "top", "right"},
		{3, false, right, bottom, left, bottom, "bottom", "right"},
		{4, false, left, bottom, right, bottom, "bottom", "left"},
		{5, true, left, top, left, bottom, "left", "top"},
		{6, true, right, top, right, bottom, "right", "top"},
		{7, true, right, bottom, right, top, "right", "bottom"},
		{8, true, left, bottom, left, top, "left", "bottom"},
		{0, false, left, top, right, top, "unknown", "unknown"},
		{9, false, left, top, right, top, "unknown", "unknown"},
	}
	lying := jpegOf(t, corners())
	r := newReader(t)
	for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
		for _, tt := range tests {
			m, out := see(t, r, with(exif(order, tt.orientation), lying))
			w, h := out.Bounds().Dx(), out.Bounds().Dy()
			if turned := w < h; turned != tt.turned || w*h != 64*32 {
				t.Errorf("%d: %d by %d", tt.orientation, w, h)
			}
			at := func(x, y int) (int, int) { return (x + w) % w, (y + h) % h }
			if x, y := at(tt.redX, tt.redY); !near(out, x, y, red) {
				t.Errorf("%d (row %s, column %s): red is not at %d, %d", tt.orientation, tt.firstRow, tt.column, x, y)
			}
			if x, y := at(tt.greenX, tt.greenY); !near(out, x, y, green) {
				t.Errorf("%d (row %s, column %s): green is not at %d, %d", tt.orientation, tt.firstRow, tt.column, x, y)
			}
			if bytes.Contains(m.Data, []byte("GPS")) || bytes.Contains(m.Data, []byte("Exif")) {
				t.Errorf("%d: the metadata are still there", tt.orientation)
			}
		}
	}
}

func TestJPEGSegmentsEnd(t *testing.T) {
	for _, data := range []string{"", "\xFF\xD8", "\xFF\xD8\xFF", "\xFF\xD8\xFF\xFF\xFF", "\xFF\xD8\xFF\xE1", "\xFF\xD8\xFF\xE1\x00\x01", "\xFF\xD8\xFF\xE1\x00\x09ab", "no jpeg", strings.Repeat("\xFF\xD8", 9)} {
		for marker := range segments([]byte(data)) {
			t.Errorf("%q: segment %x", data, marker)
		}
	}
}

// framed reports whether segments yields the frame of c.
func framed(data []byte, c image.Config) bool {
	for marker, body := range segments(data) {
		if marker >= 0xC0 && marker <= 0xC2 && len(body) > 5 &&
			int(binary.BigEndian.Uint16(body[1:])) == c.Height && int(binary.BigEndian.Uint16(body[3:])) == c.Width {
			return true
		}
	}
	return false
}
