//go:build !linux

package main

import "runtime/debug"

// settle gives back to the machine what only the start or a burst of work
// needed.
func settle() { debug.FreeOSMemory() }
