//go:build !linux && !darwin

package media

import (
	"errors"
	"time"
)

// limitProcess fails, so that no PDF file is read without limits.
func limitProcess(uint64, time.Duration) error { return errors.ErrUnsupported }
