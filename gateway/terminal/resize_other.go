//go:build !unix

package terminal

import "os"

// notifyResized does nothing: there is no signal for it here, and the chat
// keeps the width it began with.
func notifyResized(chan<- os.Signal) {}
