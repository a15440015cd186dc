package media

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"time"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"

	"nacre"
	"nacre/agent/llm"
)

// What comes out fits every provider. A longer side than 1,568 pixels is
// shrunk by Anthropic before its model sees it:
// https://docs.anthropic.com/en/docs/build-with-claude/vision
const (
	maxSide  = 1568      // pixels
	maxBytes = 1_000_000 // of the encoded picture
)

// What goes in is bounded before it is decoded.
const (
	maxSourceSide   = 20_000 // pixels
	maxSourcePixels = 60_000_000
	maxDecoded      = 256_000_000      // bytes that decoding may take
	maxDecodeTime   = 20 * time.Second // JPEG can hold any number of scans
)

// manyPixels is where decoding costs so much memory that it is given back.
const manyPixels = 1_000_000

// format is a kind of picture that can be read.
type format struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	cost   func(data []byte, model color.Model) int // bytes that decoding takes for a pixel
	photo  bool
}

// formatOf returns the format of a sniffed type, nil if there is none.
func formatOf(what string) *format {
	switch what {
	case "image/jpeg":
		return &format{jpeg.DecodeConfig, jpeg.Decode, jpegCost, true}
	case "image/png":
		return &format{png.DecodeConfig, png.Decode, plainCost, false}
	case "image/gif":
		return &format{gif.DecodeConfig, gif.Decode, plainCost, false} // Decode reads the first frame
	case "image/webp":
		return &format{webp.DecodeConfig, webp.Decode, webpCost, false}
	}
	return nil
}

// plainCost is that of PNG and GIF.
func plainCost(_ []byte, m color.Model) int {
	if m == color.RGBA64Model || m == color.NRGBA64Model {
		return 8
	}
	return 4
}

// webpCost counts the lossless alpha plane, which is decoded as a picture of
// its own.
func webpCost([]byte, color.Model) int { return 8 }

// jpegCost counts the coefficients of a progressive file, four bytes for each
// of up to three samples, and the second copy made of CMYK and RGB.
func jpegCost(data []byte, m color.Model) int {
	n := 8
	if m == color.YCbCrModel || m == color.GrayModel {
		n = 3
	}
	if progressive(data) {
		n += 12
	}
	return n
}

// picture makes an image of data that any provider takes: upright, without
// metadata such as the place where it was taken, its longer side at most
// maxSide pixels. The same bytes always give the same image.
func (r *Reader) picture(ctx context.Context, f *format, data []byte) (*llm.Image, error) {
	c, err := f.config(bytes.NewReader(data))
	if err != nil {
		return nil, damaged(err)
	}
	if err := measure(c, f.cost(data, c.ColorModel)); err != nil {
		return nil, err
	}
	give, err := r.take(ctx)
	if err != nil {
		return nil, err
	}
	defer give(c.Width*c.Height > manyPixels)
	small, photo, err := f.shrunk(ctx, data)
	if err != nil {
		return nil, err
	}
	return encode(orient(small, orientation(data)), photo)
}

// measure refuses a picture that would take too much memory.
func measure(c image.Config, cost int) error {
	pixels := c.Width * c.Height
	switch {
	case c.Width < 1 || c.Height < 1:
		return nacre.Errorf(nacre.Invalid, "That picture is empty.")
	case c.Width > maxSourceSide || c.Height > maxSourceSide, pixels > maxSourcePixels, pixels*cost > maxDecoded:
		return nacre.Errorf(nacre.Invalid, "That picture is too large for me, with %d by %d pixels; please send a smaller copy.", c.Width, c.Height)
	}
	return nil
}

// shrunk decodes data and keeps only a small copy. It also tells whether the
// picture is a photo, which JPEG suits better than PNG.
func (f *format) shrunk(ctx context.Context, data []byte) (*image.RGBA, bool, error) {
	timed, cancel := context.WithTimeout(ctx, maxDecodeTime)
	defer cancel()
	m, err := f.decode(&patientReader{timed, bytes.NewReader(data)})
	switch {
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case timed.Err() != nil:
		return nil, false, nacre.Errorf(nacre.Invalid, "That picture takes too long to open; please send another copy.")
	case err != nil:
		return nil, false, damaged(err)
	}
	_, lossy := m.(*image.YCbCr)
	return shrink(m, maxSide), f.photo || lossy, nil
}

// patientReader fails when its context ends, because decoders know no context.
type patientReader struct {
	ctx context.Context
	r   io.Reader
}

func (p *patientReader) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.r.Read(b)
}

func damaged(err error) error {
	return &nacre.Error{Kind: nacre.Invalid, Text: "I cannot open that picture; it seems to be damaged. Please send it again.", Err: err}
}

// shrink copies m so that no side is longer than side.
func shrink(m image.Image, side int) *image.RGBA {
	from := m.Bounds()
	w, h := fit(from.Dx(), from.Dy(), side)
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if out.Bounds().Size() == from.Size() {
		draw.Draw(out, out.Bounds(), m, from.Min, draw.Src)
	} else {
		draw.ApproxBiLinear.Scale(out, out.Bounds(), m, from, draw.Src, nil)
	}
	return out
}

// fit scales w and h down until the longer one is at most side.
func fit(w, h, side int) (int, int) {
	longer := max(w, h)
	if longer <= side {
		return w, h
	}
	return max(1, w*side/longer), max(1, h*side/longer)
}

// encode writes m as PNG where that is small enough and m is no photo, because
// it keeps letters sharp and transparency; else as JPEG of falling quality and
// size.
func encode(m *image.RGBA, photo bool) (*llm.Image, error) {
	var out bytes.Buffer
	if !photo {
		if err := png.Encode(&out, m); err != nil {
			return nil, fmt.Errorf("encode png: %w", err)
		}
		if out.Len() <= maxBytes {
			return &llm.Image{MIME: "image/png", Data: out.Bytes()}, nil
		}
	}
	for m = onWhite(m); ; m = shrink(m, max(m.Rect.Dx(), m.Rect.Dy())*3/4) {
		for _, quality := range []int{85, 70, 55} {
			out.Reset()
			if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
				return nil, fmt.Errorf("encode jpeg: %w", err)
			}
			if out.Len() <= maxBytes {
				return &llm.Image{MIME: "image/jpeg", Data: out.Bytes()}, nil
			}
		}
	}
}

// onWhite gives m a ground, because JPEG would show what is transparent black.
func onWhite(m *image.RGBA) *image.RGBA {
	if m.Opaque() {
		return m
	}
	out := image.NewRGBA(m.Rect)
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(out, out.Rect, m, m.Rect.Min, draw.Over)
	return out
}
