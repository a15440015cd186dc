// Command recallbench measures how well and how fast messages are found. It runs
// the index that Nacre runs, over conversations with known answers or over as
// many made-up messages as wanted, and prints JSON.
//
//	go run ./memory/recall/recallbench -locomo FILE [-typos] [-captions]
//	go run ./memory/recall/recallbench -scale 1000000
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "recallbench:", err)
		os.Exit(1)
	}
}

// run measures what the arguments ask for and writes one JSON object.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("recallbench", flag.ContinueOnError)
	file := flags.String("locomo", "", "`FILE` of conversations and questions in the format of LoCoMo")
	typos := flags.Bool("typos", false, "misspell one word of every question")
	captions := flags.Bool("captions", false, "let the captions of pictures count as words of their messages")
	scale := flags.Int("scale", 0, "`N` made-up messages of one owner")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q is no flag; it takes -locomo FILE or -scale N", flags.Arg(0))
	}
	var report any
	var err error
	switch {
	case *file != "":
		report, err = quality(ctx, *file, *typos, *captions)
	case *scale > 0:
		report, err = speed(ctx, *scale)
	default:
		return fmt.Errorf("nothing to measure: -locomo FILE or -scale N")
	}
	if err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(report)
}
