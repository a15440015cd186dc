package whatsapp

import (
	"fmt"
	"testing"

	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
)

func TestOutcomes(t *testing.T) {
	l := &line{Channel: New(Options{})}
	receipt := func(kind types.ReceiptType, ids ...types.MessageID) {
		l.follow(&events.Receipt{MessageIDs: ids, Type: kind})
	}
	l.outcomes.begin("a")
	l.outcomes.begin("b")
	if l.outcomes.arrived("a") {
		t.Error("arrived without a receipt")
	}
	receipt(types.ReceiptTypeServerError, "a")
	receipt(types.ReceiptTypeRetry, "a")
	if l.outcomes.arrived("a") {
		t.Error("arrived by the receipt of a failure")
	}
	receipt(types.ReceiptTypeDelivered, "x", "a")
	if l.outcomes.arrived("b") || !l.outcomes.arrived("a") {
		t.Error("want a receipt to count for its message alone")
	}
	if l.outcomes.arrived("a") {
		t.Error("want an outcome to be told once")
	}
	receipt(types.ReceiptTypeRead, "b")
	l.outcomes.end("b")
	if l.outcomes.arrived("b") || len(l.outcomes.open) != 0 {
		t.Error("want an ended send to be forgotten")
	}
}

func TestOutcomesAreBounded(t *testing.T) {
	var o outcomes
	for i := range mostOpen + 1 {
		o.begin(fmt.Sprint(i))
		o.begin(fmt.Sprint(i))
	}
	o.arrive([]types.MessageID{"0", "1"})
	if len(o.open) != mostOpen || o.arrived("0") || !o.arrived("1") {
		t.Errorf("%d sends are remembered, want %d without the oldest", len(o.open), mostOpen)
	}
}
