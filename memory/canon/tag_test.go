package canon

import (
	"encoding/hex"
	"testing"
)

// TestTagIsStable pins the format: stored tags must match for ever.
func TestTagIsStable(t *testing.T) {
	tag := Tag([32]byte{1}, "a", "bc")
	if got := hex.EncodeToString(tag[:]); got != "816a6dc4153aa2774c478518e990ef02ac58a3fbc0a5273c8fd80b64d66f36f2" {
		t.Errorf("tag %s", got)
	}
}

func TestTagFraming(t *testing.T) {
	key := [32]byte{1}
	seen := map[[32]byte][]string{}
	for _, parts := range [][]string{{}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"", "ab"}, {"ab", ""}, {"a\x00b"}} {
		tag := Tag(key, parts...)
		if other, ok := seen[tag]; ok {
			t.Errorf("%q and %q share a tag", other, parts)
		}
		seen[tag] = parts
	}
	if Tag(key, "ab") == Tag([32]byte{2}, "ab") {
		t.Error("two keys give the same tag")
	}
}

func TestLayerTags(t *testing.T) {
	key := [32]byte{7}
	if ValueTag(key, "zqx-Kiko!") != ValueTag(key, "ＺＱＸ kiko") {
		t.Error("the same value has two tags")
	}
	if SlotValueTag(key, "people/dog", "Kiko") != SlotValueTag(key, "People/Dog", "kiko") {
		t.Error("the same fact has two tags")
	}
	if SkeletonTag(key, "paypal") != SkeletonTag(key, "раураl") || ValueTag(key, "paypal") == ValueTag(key, "раураl") {
		t.Error("look-alikes do not differ by the value and agree by the skeleton")
	}
	distinct := map[[32]byte]bool{
		SlotValueTag(key, "dog", "dog"): true, ValueTag(key, "dog"): true,
		SkeletonTag(key, "dog"): true, SlotTag(key, "dog"): true, StemTags(key, "dog", nil)[0]: true,
	}
	if len(distinct) != 5 {
		t.Errorf("five layers have %d tags", len(distinct))
	}
}

func TestStemTagsOverlap(t *testing.T) {
	key, langs := [32]byte{7}, []string{"en"}
	forgotten := StemTags(key, "lives at 14 zqx-Elm Street", langs)
	if got := Overlap(forgotten, StemTags(key, "my street is zqx Elm, number 14, where I have been living", langs)); got != 1 {
		t.Errorf("restated: overlap %v", got)
	}
	if got := Overlap(forgotten, StemTags(key, "Anna lives in Oslo", langs)); got > 0.5 {
		t.Errorf("another fact: overlap %v", got)
	}
}
