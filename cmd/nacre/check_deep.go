package main

import (
	"context"
	"errors"
	"fmt"

	"nacre/memory/ledger"
)

// pages looks through the whole database file, if that was asked for and no server
// writes in it. It stands still then, so that a damage is one.
func (x *examination) pages(ctx context.Context, path string) []finding {
	f := finding{Name: "pages", Level: fine, Found: "whole"}
	switch {
	case !x.deep:
		return nil
	case x.running:
		f.Found, f.Do = "not looked through while the server writes", "nacre backup makes a copy and looks through that"
		return []finding{f}
	}
	if _, err := ledger.CheckSnapshot(ctx, path); err != nil {
		f.Level, f.Found = problem, fmt.Sprintf("the database is damaged (%v)", cause(err))
		f.Do = "keep a copy of the data directory, and bring the newest backup back with nacre restore"
	}
	return []finding{f}
}

// cause is what is at the bottom of an error whose sentence is about something else.
func cause(err error) error {
	for next := err; next != nil; next = errors.Unwrap(next) {
		err = next
	}
	return err
}
