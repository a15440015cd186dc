package media

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/agent/llm"
)

var (
	red   = color.RGBA{R: 255, A: 255}
	green = color.RGBA{G: 255, A: 255}
	blue  = color.RGBA{B: 255, A: 255}
	white = color.RGBA{R: 255, G: 255, B: 255, A: 255}
)

// gradient looks somewhat like a photo to an encoder.
func gradient(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	noise := rand.New(rand.NewPCG(1, 2))
	for y := range h {
		for x := range w {
			n := noise.Uint32()
			m.SetRGBA(x, y, color.RGBA{uint8(x*200/w) + uint8(n)%16, uint8(y*200/h) + uint8(n>>8)%16, uint8((x + y) / 16), 255})
		}
	}
	return m
}

func noise(w, h int, alpha uint8) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	random := rand.New(rand.NewPCG(3, 4))
	for i := range m.Pix {
		m.Pix[i] = uint8(random.Uint32())
		if i%4 == 3 {
			m.Pix[i] = alpha
		}
	}
	return m
}

func plain(w, h int, c color.Color) *image.Paletted {
	return image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{c})
}

func jpegOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func pngOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gifOf(t testing.TB, frames ...*image.Paletted) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := gif.EncodeAll(&out, &gif.GIF{Image: frames, Delay: make([]int, len(frames))}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// webpOf makes a lossless WebP file of one red: five prefix codes of a single
// symbol each, and so no bit at all for a pixel
// (https://developers.google.com/speed/webp/docs/webp_lossless_bitstream_specification).
func webpOf(w, h int) []byte {
	var bits uint64
	var n int
	var body []byte
	put := func(v uint64, width int) {
		bits |= v << n
		for n += width; n >= 8; n -= 8 {
			body = append(body, byte(bits))
			bits >>= 8
		}
	}
	put(0x2f, 8)
	put(uint64(w-1), 14)
	put(uint64(h-1), 14)
	put(0, 1+3+1+1+1) // alpha hint, version, no transform, no colour cache, one code group
	for _, symbol := range []uint64{0, 255, 0, 255, 0} {
		put(1|0<<1|1<<2, 3) // simple, one symbol, of eight bits: green, red, blue, alpha, distance
		put(symbol, 8)
	}
	put(0, 7)
	if len(body)%2 == 1 {
		body = append(body, 0)
	}
	out := append([]byte("RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00"), body...)
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	binary.LittleEndian.PutUint32(out[16:], uint32(len(body)))
	return out
}

// chunk writes a PNG chunk.
func chunk(kind string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, kind...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// pngHead is a PNG file that claims a size and a depth and holds some data.
func pngHead(w, h uint32, depth, kind byte, data []byte) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	head = append(head, depth, kind, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", head)...)
	return append(append(out, chunk("IDAT", data)...), chunk("IEND", nil)...)
}

// zeros compresses n zeros.
func zeros(t testing.TB, n int64) []byte {
	t.Helper()
	return compress(t, io.LimitReader(zeroReader{}, n))
}

type zeroReader struct{}

func (zeroReader) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func compress(t testing.TB, r io.Reader) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zlib.NewWriterLevel(&out, zlib.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, r); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// see reads a picture and decodes what came of it.
func see(t testing.TB, r *Reader, data []byte) (*llm.Image, image.Image) {
	t.Helper()
	m, s, err := r.read(t.Context(), nacre.Photo, data)
	if err != nil || m == nil {
		t.Fatalf("got image %v, text %q, error %v; want an image", m, s.Text, err)
	}
	if len(m.Data) > maxBytes {
		t.Errorf("%d bytes; want at most %d", len(m.Data), maxBytes)
	}
	out, format, err := image.Decode(bytes.NewReader(m.Data))
	if err != nil || "image/"+format != m.MIME {
		t.Fatalf("it is %s, said to be %s; error %v", format, m.MIME, err)
	}
	return m, out
}

// near reports whether the colour at x, y is about c; JPEG blurs.
func near(m image.Image, x, y int, c color.RGBA) bool {
	r, g, b, _ := m.At(x, y).RGBA()
	off := func(a uint32, b uint8) bool { return a>>8 > uint32(b)+60 || a>>8+60 < uint32(b) }
	return !off(r, c.R) && !off(g, c.G) && !off(b, c.B)
}

func TestPictures(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		mime string
		w, h int
	}{
		{"small photo", jpegOf(t, gradient(300, 200)), "image/jpeg", 300, 200},
		{"wide photo", jpegOf(t, gradient(1600, 400)), "image/jpeg", 1568, 392},
		{"high photo", jpegOf(t, gradient(200, 3136)), "image/jpeg", 100, 1568},
		{"grey photo", jpegOf(t, image.NewGray(image.Rect(0, 0, 30, 20))), "image/jpeg", 30, 20},
		{"line", pngOf(t, plain(8000, 1, red)), "image/png", 1568, 1},
		{"screenshot", pngOf(t, plain(3136, 784, blue)), "image/png", 1568, 392},
		{"deep", pngOf(t, image.NewNRGBA64(image.Rect(0, 0, 20, 10))), "image/png", 20, 10},
		{"photo as png", pngOf(t, gradient(900, 900)), "image/jpeg", 900, 900},
		{"gif", gifOf(t, plain(20, 10, red)), "image/png", 20, 10},
		{"webp", webpOf(3136, 784), "image/png", 1568, 392},
	}
	r := newReader(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, out := see(t, r, tt.data)
			if got := out.Bounds().Size(); got.X != tt.w || got.Y != tt.h || m.MIME != tt.mime {
				t.Errorf("got %s of %v; want %s of %d by %d", m.MIME, got, tt.mime, tt.w, tt.h)
			}
			if again, _ := see(t, newReader(t), tt.data); !bytes.Equal(m.Data, again.Data) {
				t.Error("the same bytes gave another image")
			}
		})
	}
}

// Noise does not compress, so quality and then size must fall.
func TestPictureOfNoiseIsSmallEnough(t *testing.T) {
	m, out := see(t, newReader(t), pngOf(t, noise(900, 900, 255)))
	if size := out.Bounds().Size(); m.MIME != "image/jpeg" || size.X < 500 || size.X > 900 || size.X != size.Y {
		t.Errorf("got %s of %v; want a JPEG that is still square and large", m.MIME, size)
	}
}

func TestPictureTransparency(t *testing.T) {
	r := newReader(t)
	_, out := see(t, r, pngOf(t, plain(20, 10, color.Transparent)))
	if _, _, _, a := out.At(3, 3).RGBA(); a != 0 {
		t.Errorf("alpha %d; want the picture to stay transparent", a)
	}
	if m, out := see(t, r, pngOf(t, noise(800, 800, 8))); m.MIME != "image/jpeg" || !near(out, 300, 300, white) {
		t.Errorf("got %s with %v; want a JPEG on white", m.MIME, out.At(300, 300))
	}
}

func TestPictureFirstFrame(t *testing.T) {
	_, out := see(t, newReader(t), gifOf(t, plain(20, 10, red), plain(20, 10, green)))
	if !near(out, 5, 5, red) {
		t.Errorf("got %v; want the first frame", out.At(5, 5))
	}
}

func TestHostilePictures(t *testing.T) {
	photo := jpegOf(t, gradient(100, 80))
	sharp := pngOf(t, gradient(100, 80))
	moving := gifOf(t, plain(100, 80, red))
	tests := []struct {
		name  string
		data  []byte
		words string
	}{
		{"png claims 50,000 pixels", pngHead(50_000, 50_000, 8, 2, nil), "too large for me, with 50000 by 50000"},
		{"png claims a long line", pngHead(20_001, 1, 8, 2, nil), "too large"},
		{"png claims 64 megapixels", pngHead(8_000, 8_000, 8, 2, nil), "too large"},
		{"deep png", pngHead(6_000, 6_000, 16, 6, zeros(t, 1<<20)), "too large"},
		{"png claims nothing", pngHead(0, 0, 8, 2, nil), "damaged"},
		{"png that inflates", pngHead(10, 10, 8, 2, zeros(t, 1<<26)), "damaged"},
		{"png with too little", pngHead(3_000, 3_000, 8, 2, zeros(t, 1<<10)), "damaged"},
		{"webp bomb", webpOf(16_384, 16_384), "too large"},
		{"progressive jpeg claims much", append([]byte("\xFF\xD8\xFF\xC2\x00\x11\x08\x17\x70\x17\x70\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00"), 0xFF, markerScan, 0, 2), "too large"},
		{"the same behind garbage", append([]byte("\xFF\xD8\xFF\x00garbage\xFF\x00\xFF\xFF\xC2\x00\x11\x08\x17\x70\x17\x70\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00"), 0xFF, markerScan, 0, 2), "too large"},
		{"half a jpeg", photo[:len(photo)/2], "damaged"},
		{"head of a jpeg", photo[:10], "damaged"},
		{"half a png", sharp[:len(sharp)/2], "damaged"},
		{"half a gif", moving[:len(moving)/2], "damaged"},
		{"head of a webp", webpOf(9, 9)[:18], "damaged"},
	}
	r := newReader(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := r.read(t.Context(), nacre.Photo, tt.data)
			refused(t, err, nacre.Invalid, tt.words)
		})
	}
	for name, whole := range map[string][]byte{"jpeg": photo, "png": sharp, "gif": moving, "webp": webpOf(9, 9)} {
		if _, _, err := r.read(t.Context(), nacre.Photo, whole); err != nil {
			t.Errorf("whole %s: %v", name, err)
		}
	}
}

// What is another kind of file as well is read as what its first bytes say, and
// nothing of the other file comes through.
func TestPolyglots(t *testing.T) {
	const script = "<script>alert(1)</script>"
	comment := append([]byte{0xFF, 0xFE, 0, byte(len(script) + 2)}, script...)
	tests := []struct {
		name string
		data []byte
	}{
		{"jpeg and archive", append(jpegOf(t, gradient(30, 20)), "PK\x03\x04"+script...)},
		{"jpeg with a script", with(comment, jpegOf(t, gradient(30, 20)))},
		{"png and PDF", append(pngOf(t, gradient(30, 20)), "\n%PDF-1.4\n"+script+"\nstartxref\n0\n%%EOF"...)},
		{"gif and page", append(gifOf(t, plain(30, 20, red)), script...)},
	}
	for _, tt := range tests {
		m, out := see(t, newReader(t), tt.data)
		if out.Bounds().Dx() != 30 || bytes.Contains(m.Data, []byte("script")) || bytes.Contains(m.Data, []byte("PK\x03\x04")) {
			t.Errorf("%s: got %v with the other file in it", tt.name, out.Bounds())
		}
	}
}

func TestPicturesOneAtATime(t *testing.T) {
	r := newReader(t)
	give, err := r.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := r.read(ctx, nacre.Photo, pngOf(t, gradient(9, 9))); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v while another picture is read; want the end of the wait", err)
	}
	give(false)
	see(t, r, pngOf(t, gradient(9, 9)))
}

func TestDecodingEnds(t *testing.T) {
	slow := func(d time.Duration) *format {
		return &format{decode: func(r io.Reader) (image.Image, error) {
			time.Sleep(d)
			if _, err := io.ReadAll(r); err != nil {
				return nil, err
			}
			return gradient(9, 9), nil
		}}
	}
	synctest.Test(t, func(t *testing.T) {
		if _, _, err := slow(maxDecodeTime/2).shrunk(t.Context(), []byte("picture")); err != nil {
			t.Errorf("in time: %v", err)
		}
		_, _, err := slow(2*maxDecodeTime).shrunk(t.Context(), []byte("picture"))
		refused(t, err, nacre.Invalid, "too long")

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := slow(2*time.Second).shrunk(ctx, []byte("picture")); err != context.DeadlineExceeded {
			t.Errorf("got error %v; want the caller's deadline", err)
		}
	})
}

// FuzzPicture feeds bytes to the sniffing, the segments of JPEG and, where they
// claim a small picture, to everything. The parser must see the frame that
// image/jpeg sees, or it could be led past the limit for progressive files.
func FuzzPicture(f *testing.F) {
	photo := jpegOf(f, gradient(20, 10))
	for _, seed := range [][]byte{photo, with(exif(binary.BigEndian, 6), photo), pngOf(f, gradient(9, 9)), gifOf(f, plain(9, 9, red)), webpOf(9, 9)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if o := orientation(data); o < 1 || o > 8 {
			t.Fatalf("orientation %d", o)
		}
		what := sniff(data)
		pic := formatOf(what)
		if pic == nil {
			return
		}
		c, err := pic.config(bytes.NewReader(data))
		if err != nil {
			return
		}
		if what == "image/jpeg" && !framed(data, c) {
			t.Fatalf("the frame of %d by %d is not seen", c.Width, c.Height)
		}
		if c.Width > 64 || c.Height > 64 {
			return
		}
		r := New(Options{})
		m, err := r.picture(t.Context(), pic, data)
		if err != nil {
			refused(t, err, nacre.Invalid, "picture")
			return
		}
		if out := sniff(m.Data); out != m.MIME || len(m.Data) > maxBytes || bytes.Contains(m.Data, []byte("Exif\x00")) {
			t.Fatalf("got %d bytes of %s, said to be %s", len(m.Data), out, m.MIME)
		}
		if again, err := r.picture(t.Context(), pic, data); err != nil || !bytes.Equal(m.Data, again.Data) {
			t.Fatalf("the same bytes gave another image, error %v", err)
		}
	})
}

func BenchmarkPicture12MP(b *testing.B) {
	data := jpegOf(b, gradient(4000, 3000))
	r := New(Options{})
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := r.read(b.Context(), nacre.Photo, data); err != nil {
			b.Fatal(err)
		}
	}
}
