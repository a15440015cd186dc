package whatsapp

import (
	"context"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
	"nacre/gateway/gatewaytest/wadouble"
)

// BenchmarkLink is from the first packet of a linking until the account is ready to
// receive, with all of its keys, on a disk that is waited for.
func BenchmarkLink(b *testing.B) {
	for b.Loop() {
		wa := wadouble.New()
		c := New(Options{Dir: b.TempDir(), Transport: wadouble.Reach(wa.Listen(b))})
		scan := func(s nacre.LinkStep) {
			if s.QR != "" {
				go wa.Account(ourPhone).Scan(s.QR)
			}
		}
		if err := c.Link(b.Context(), "", scan); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMessage is from a phone until a message is stored.
func BenchmarkMessage(b *testing.B) {
	wa := wadouble.New()
	us, ann := wa.Account(ourPhone), wa.Account(annsPhone)
	c := New(Options{Dir: b.TempDir(), Transport: wadouble.Reach(wa.Listen(b))})
	scan := func(s nacre.LinkStep) {
		if s.QR != "" {
			go us.Scan(s.QR)
		}
	}
	if err := c.Link(b.Context(), "", scan); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	host, over := gatewaytest.NewHost(), make(chan error, 1)
	go func() { over <- c.Run(ctx, host) }()
	defer func() { cancel(); <-over }()
	n := 0
	for b.Loop() {
		ann.Say(us.LID(), "hello")
		n++
		late, stop := context.WithTimeout(ctx, time.Minute)
		if _, err := host.Wait(late, n); err != nil {
			b.Fatal(err)
		}
		stop()
	}
}
