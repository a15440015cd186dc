//go:build !linux

package main

import "runtime/debug"

// settle gives back to the machine what only the start needed.
func settle() { debug.FreeOSMemory() }
