package main

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"nacre/configs"
	"nacre/web"
)

// BenchmarkImport imports 100,000 messages, from the bytes of the file to where they can
// be found.
func BenchmarkImport(b *testing.B) {
	const messages, sentence = 100_000, " The varnish of last year has cracks on the port side, and the blue one that Ann left smells of tar."
	for name, more := range map[string]int{"short": 0, "700B": 6, "2500B": 24} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				cfg, err := configs.Load([]string{"HOME=" + b.TempDir(), "TZ=UTC", "NACRE_DATA=" + filepath.Join(b.TempDir(), "data"), "NACRE_OWNERS=telegram:1001",
					"NACRE_MODEL=offline", "NACRE_WEB_LISTEN=off", "NACRE_HEARTBEAT=off"}, "", checkOwners)
				if err != nil {
					b.Fatal(err)
				}
				log := slog.New(slog.DiscardHandler)
				o, err := reach(b.Context(), cfg, log, false)
				if err != nil {
					b.Fatal(err)
				}
				a, err := build(b.Context(), cfg, log, o)
				if err != nil {
					b.Fatal(err)
				}
				done, err := a.Moving(shell).Import(b.Context(), web.ImportWish{Name: "conversations.json"}, manyOf(messages, 0, strings.Repeat(sentence, more)), nil)
				if err != nil || done.Said != messages {
					b.Errorf("%d were stored, %v", done.Said, err)
				}
				a.ledger.Close()
			}
			b.ReportMetric(messages/b.Elapsed().Seconds()*float64(b.N), "messages/s")
		})
	}
}
