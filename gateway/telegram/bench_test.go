package telegram

import (
	"context"
	"fmt"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
)

// The benchmarks go over loopback, and their figures hold the work of the
// double too.

func BenchmarkSend(b *testing.B) {
	tg := gatewaytest.NewBotAPI(testToken)
	tg.Know(ann)
	c := New(Options{Token: testToken, API: tg.Serve(b)})
	b.SetParallelism(10)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			d := nacre.Delivery{Chat: annsChat, Part: nacre.Part{Text: "It is noon in Lyon, and the sun is out."}}
			if _, err := c.Send(b.Context(), d, false); err != nil {
				b.Error(err)
			}
		}
	})
}

func BenchmarkReceive(b *testing.B) {
	tg := gatewaytest.NewBotAPI(testToken)
	for i := range b.N {
		tg.Text(ann, fmt.Sprintf("It is message %d, which is about as long as usual.", i))
	}
	c := New(Options{Token: testToken, API: tg.Serve(b)})
	host := gatewaytest.NewHost()
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	ended := make(chan error)
	b.ResetTimer()
	go func() { ended <- c.Run(ctx, host) }()
	if _, err := host.Wait(ctx, b.N); err != nil {
		b.Fatal(err)
	}
	cancel()
	<-ended
}
