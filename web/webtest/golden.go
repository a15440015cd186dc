package webtest

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// The tolerance of golden pictures. Another machine draws the same letters a little
// bolder or a few points further on, so what is compared is the mean colour of squares,
// each with those around it. What still differs then lies here and there, while what
// is gone or elsewhere is a whole patch of squares.
const (
	square = 10 // side, in points of the picture
	near   = 16 // of 255, for each of red, green and blue
	patch  = 5  // squares next to each other that may differ
)

// Golden compares what the window shows now with testdata/golden/NAME.png of the
// package that is tested. It must be the same but for how another machine draws
// letters: a button that is gone or a part that is elsewhere fails the test. With
// -update it writes the picture instead; then look at it.
func (b *Browser) Golden(name string) {
	b.T.Helper()
	shot, err := png.Decode(bytes.NewReader(b.Picture(name)))
	if err != nil {
		b.T.Fatal(err)
	}
	path := filepath.Join("testdata", "golden", name+".png")
	if *update {
		if err := writeSmall(path, shot); err != nil {
			b.T.Fatal(err)
		}
		return
	}
	file, err := os.Open(path)
	if err != nil {
		b.T.Errorf("%v; make it with -update and look at it", err)
		return
	}
	defer file.Close()
	want, err := png.Decode(file)
	if err != nil {
		b.T.Fatal(err)
	}
	if diff := differ(want, shot); diff != "" {
		b.T.Errorf("the page does not look like %s: %s", path, diff)
	}
}

// differ says where two pictures differ; empty if they do not.
func differ(want, got image.Image) string {
	if want.Bounds().Size() != got.Bounds().Size() {
		return fmt.Sprintf("it is %v large, want %v", got.Bounds().Size(), want.Bounds().Size())
	}
	a, b := meansOf(want), meansOf(got)
	apart := map[image.Point]bool{}
	for at := range a {
		if max(a.apart(b, at), b.apart(a, at)) > near {
			apart[at] = true
		}
	}
	var where image.Rectangle
	for at := range apart {
		if n, r := takePatch(apart, at); n > patch {
			where = where.Union(image.Rectangle{r.Min.Mul(square), r.Max.Mul(square)})
		}
	}
	if where.Empty() {
		return ""
	}
	return fmt.Sprintf("something is different within %v", where)
}

// takePatch takes a square and all that are joined with it out of a set, and returns
// how many they are and where.
func takePatch(set map[image.Point]bool, at image.Point) (n int, where image.Rectangle) {
	if !set[at] {
		return 0, where
	}
	delete(set, at)
	n, where = 1, image.Rectangle{at, at.Add(image.Pt(1, 1))}
	for _, step := range around {
		more, r := takePatch(set, at.Add(step))
		n, where = n+more, where.Union(r)
	}
	return n, where
}

// around leads from a square to each of those around it.
var around = []image.Point{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}

// means are the mean colours of the squares of a picture, by their place among them.
type means map[image.Point][3]int

func meansOf(p image.Image) means {
	r := image.Rectangle{Max: p.Bounds().Size()}
	plain := image.NewRGBA(r)
	draw.Draw(plain, r, p, p.Bounds().Min, draw.Src)
	sums := map[image.Point][4]int{}
	for y := range r.Max.Y {
		for x := range r.Max.X {
			at, c := image.Pt(x, y).Div(square), plain.RGBAAt(x, y)
			s := sums[at]
			sums[at] = [4]int{s[0] + int(c.R), s[1] + int(c.G), s[2] + int(c.B), s[3] + 1}
		}
	}
	m := means{}
	for at, s := range sums {
		m[at] = [3]int{s[0] / s[3], s[1] / s[3], s[2] / s[3]}
	}
	return m
}

// apart is how far a square of m is from what lies between the colours of the same
// square of others and those around it.
func (m means) apart(others means, at image.Point) (most int) {
	for c, v := range m[at] {
		low, high := others[at][c], others[at][c]
		for _, step := range around {
			if o, ok := others[at.Add(step)]; ok {
				low, high = min(low, o[c]), max(high, o[c])
			}
		}
		most = max(most, low-v, v-high)
	}
	return most
}

// writeSmall writes a picture in its most frequent colours, which are nearly all of
// a page.
func writeSmall(path string, p image.Image) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	small := image.NewPaletted(p.Bounds(), palette(p, 64))
	draw.Draw(small, small.Bounds(), p, p.Bounds().Min, draw.Src)
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, small); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// palette is up to n colours of a picture, the most frequent ones.
func palette(p image.Image, n int) color.Palette {
	count := map[color.Color]int{}
	for y := p.Bounds().Min.Y; y < p.Bounds().Max.Y; y++ {
		for x := p.Bounds().Min.X; x < p.Bounds().Max.X; x++ {
			count[p.At(x, y)]++
		}
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	return all[:min(n, len(all))]
}
