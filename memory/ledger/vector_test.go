package ledger_test

import (
	"maps"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// vectors are those of a model.
func vectors(t testing.TB, a *ledger.Archive, o nacre.OwnerID, model string) map[int64][]float32 {
	t.Helper()
	found := map[int64][]float32{}
	must(t, a.Vectors(ctx, o, model, func(key int64, v []float32) { found[key] = v }))
	return found
}

func keysOf(m map[int64][]float32) []int64 { return slices.Sorted(maps.Keys(m)) }

func TestVectorsComeBack(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	a := l.Archive(lastLine)
	answered(t, l, put(t, l, from(o, "1", said("asked"))), "yes")
	list := everything(t, a, o)
	want := map[int64][]float32{list[0].Key: {0.5, -0.25, 0, 0.013}, list[1].Key: {0, 0}, 1 << 30: {1}}
	must(t, a.PutVectors(ctx, o, "small", want))
	must(t, a.PutVectors(ctx, o, "large", map[int64][]float32{list[0].Key: {1, 2, 3}}))
	must(t, a.PutVectors(ctx, o, "small", map[int64][]float32{list[0].Key: {9, 9}})) // stays as it was

	got := vectors(t, a, o, "small")
	if len(got) != 2 {
		t.Fatalf("got %v", got)
	}
	for key, v := range got {
		if len(v) != len(want[key]) {
			t.Fatalf("got %v, want %v", v, want[key])
		}
		for i := range v {
			if math.Abs(float64(v[i]-want[key][i])) > 0.5/254 {
				t.Errorf("got %v, want %v", v, want[key])
			}
		}
	}
	if got := vectors(t, a, o, "large"); len(got) != 1 || len(got[list[0].Key]) != 3 {
		t.Errorf("of another model: %v", got)
	}
	if got := vectors(t, a, o, "none"); len(got) > 0 {
		t.Errorf("of no model: %v", got)
	}
}

func TestVectorsAreReadInBatches(t *testing.T) {
	const many = 2100
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	a := l.Archive(lastLine)
	var in []nacre.Inbound
	for range many {
		in = append(in, from(o, nacre.NewID(time.Now()), said("x")))
	}
	put(t, l, in...)
	all := map[int64][]float32{}
	for _, m := range in {
		all[2*m.Message.Seq] = []float32{float32(m.Message.Seq)}
	}
	must(t, a.PutVectors(ctx, o, "small", all))
	if got := vectors(t, a, o, "small"); !slices.Equal(keysOf(got), keysOf(all)) {
		t.Errorf("%d of %d", len(got), many)
	}
}

// embedded gives every Saying of a diary a vector.
func embedded(t *testing.T, l *ledger.Ledger, d *diary) (a *ledger.Archive, said []ledger.Saying) {
	t.Helper()
	a = l.Archive(lastLine)
	said, _ = since(t, a, d.owner, ledger.Mark{})
	all := map[int64][]float32{}
	for _, s := range said {
		all[s.Key] = []float32{1, 2}
	}
	for _, turn := range []int64{1, 2, 3} {
		all[2*turn+1] = []float32{3, 4}
	}
	must(t, a.PutVectors(ctx, d.owner, "small", all))
	if got := vectors(t, a, d.owner, "small"); len(got) != 6 {
		t.Fatalf("%d vectors before", len(got))
	}
	return a, said
}

func TestVectorsGoWithTheirWords(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	a, _ := embedded(t, l, d)
	copies, err := l.Copy(d.owner)
	must(t, err)
	d.forget(t, l)
	// The third message and the third turn say nothing of what was forgotten.
	left := vectors(t, a, d.owner, "small")
	if got := keysOf(left); !slices.Equal(got, []int64{6, 7}) {
		t.Errorf("left are %v", got)
	}
	opens := 0
	for _, c := range copies {
		if c.Table == "vectors" && l.Opens(d.owner, c) {
			opens++
		}
	}
	if opens != 2 {
		t.Errorf("%d vectors of an old copy can be read, want 2", opens)
	}
}

func TestVectorsGoWithRecordings(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	a := l.Archive(lastLine)
	in := put(t, l, voice(o, "r1"), voice(o, "r2"))
	put(t, l, edited(in[0], 9, "listen"))
	for i, text := range []string{secret, sibling} {
		must(t, l.PutReading(ctx, o, in[i].Message.ID, 0, nacre.Reading{Text: nacre.Segment{Provenance: nacre.ByVoice, Text: text}}))
	}
	list := everything(t, a, o)
	all := map[int64][]float32{}
	for _, s := range list {
		all[s.Key] = []float32{1}
	}
	must(t, a.PutVectors(ctx, o, "small", all))
	d := keep(t, l, "1001")
	d.forget(t, l)
	if got, want := keysOf(vectors(t, a, o, "small")), []int64{2 * in[1].Message.Seq}; len(list) != 2 || !slices.Equal(got, want) {
		t.Errorf("left are %v of %d, want %v", got, len(list), want)
	}
}

func TestVectorsGoWithEverything(t *testing.T) {
	l := open(t, t.TempDir())
	d, other := keep(t, l, "1001"), keep(t, l, "1002")
	a, _ := embedded(t, l, d)
	theirs, _ := since(t, a, other.owner, ledger.Mark{})
	must(t, a.PutVectors(ctx, other.owner, "small", map[int64][]float32{theirs[0].Key: {1}}))
	copies, err := l.Copy(d.owner)
	must(t, err)
	d.everything()
	d.forget(t, l)
	if got := vectors(t, a, d.owner, "small"); len(got) > 0 {
		t.Errorf("left are %v", got)
	}
	if got := vectors(t, a, other.owner, "small"); len(got) != 1 {
		t.Errorf("another owner has %v", got)
	}
	for _, c := range copies {
		if c.Table == "vectors" && l.Opens(d.owner, c) {
			t.Errorf("a vector of an old copy can be read")
		}
	}
}

// TestVectorsOfWhatWasForgottenMeanwhile: an embedder took its time over words
// that were forgotten.
func TestVectorsOfWhatWasForgottenMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := open(t, t.TempDir())
		d := keep(t, l, "1001")
		a := l.Archive(lastLine)
		late := map[int64][]float32{2 * d.in[0].Message.Seq: {1}}
		steps := l.EraseSteps(d.owner, d.e)
		must(t, steps[0](ctx))
		must(t, a.PutVectors(ctx, d.owner, "small", late))
		d.forget(t, l)
		must(t, a.PutVectors(ctx, d.owner, "small", late))
		if got := vectors(t, a, d.owner, "small"); len(got) > 0 {
			t.Errorf("kept are %v", got)
		}
		time.Sleep(11 * time.Minute)
		must(t, a.PutVectors(ctx, d.owner, "small", late))
		if got := vectors(t, a, d.owner, "small"); len(got) != 1 {
			t.Errorf("kept are %v, want the one that comes later", got)
		}
		l.Close()
	})
}
