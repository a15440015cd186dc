package terminal

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyResized sends to c whenever the terminal changed its size.
func notifyResized(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH) }
