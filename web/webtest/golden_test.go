package webtest

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// sample is a small page; each style is added to it.
const sample = `<style>
	body { margin: 0; background: #fbfaf8; color: #1d2127; font: 16px/1.5 "Liberation Sans", sans-serif; }
	header { display: flex; gap: 1rem; padding: .6rem 1rem; border-bottom: 1px solid #dedbd5; }
	main { max-width: 44rem; margin: 1rem auto; }
	article { padding: 1rem; margin-bottom: 1rem; border: 1px solid #dedbd5; border-radius: 1rem; background: #fff; }
	button { min-height: 2.75rem; padding: .4rem 1.2rem; border: 1px solid #1f6479; border-radius: 2rem; background: none; color: #1f6479; font: inherit; }
	.main { background: #1f6479; color: #fff; }
	small { color: #5d636c; }
</style>
<header><b>Nacre</b> <a>Chat</a> <a>Memory</a> <a>Jobs</a> <a>Usage</a></header>
<main>
	<article>Lives in Porto since March, in a house by the river with a view of all of its bridges. <small>Confirmed</small>
		<p><button class="main">Save</button> <button class="plain">Keep both</button></p></article>
	<article class="second">Ann is her sister, who works as a nurse and comes by every second Sunday to have lunch with the whole family.</article>
</main>`

func TestDiffer(t *testing.T) {
	b := New(t)
	b.Size(1000, 320)
	picture := func(style string) image.Image {
		b.Open(serve(t, sample+"<style>"+style+"</style>"))
		p, err := png.Decode(bytes.NewReader(b.Picture("sample")))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	plain := picture("")
	for _, c := range []struct {
		name, style string
		differs     bool
	}{
		{"nothing", "", false},
		{"letters a little wider", "body { letter-spacing: .05px; }", false},
		{"letters a little narrower", "body { letter-spacing: -.05px; }", false},
		{"letters bolder", "body { -webkit-text-stroke: .15px; }", false},
		{"letters without hints", "body { text-rendering: geometricPrecision; }", false},
		{"two points lower", "main { position: relative; top: 2px; }", false},
		{"a blinking cursor", "header::after { content: ''; width: 1px; height: 20px; background: #000; }", false},

		{"a button is gone", ".main { visibility: hidden; }", true},
		{"a plain button is gone", ".plain { visibility: hidden; }", true},
		{"a button looks like another", ".main { background: none; color: #1f6479; }", true},
		{"a mark is gone", "small { visibility: hidden; }", true},
		{"a link is gone", "header a:last-child { visibility: hidden; }", true},
		{"a card is elsewhere", ".second { margin-top: 3rem; }", true},
		{"a part lies over another", ".second { position: relative; top: -6rem; }", true},
		{"no space around", "article { padding: 0; }", true},
		{"the other theme", "body { background: #14161a; color: #e8e6e1; }", true},
		{"no styles", "* { all: revert !important; }", true},
	} {
		if diff := differ(plain, picture(c.style)); (diff != "") != c.differs {
			t.Errorf("%s: differs is %q, want that it differs: %v", c.name, diff, c.differs)
		}
	}
}

func TestWriteSmall(t *testing.T) {
	b := New(t)
	b.Size(1000, 320)
	b.Open(serve(t, sample))
	want, err := png.Decode(bytes.NewReader(b.Picture("sample")))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "golden", "sample.png")
	if err := writeSmall(path, want); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if diff := differ(want, got); diff != "" || len(file) > 40_000 {
		t.Errorf("in %d bytes it differs: %q", len(file), diff)
	}
}
