package wadouble

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	Trust()
	os.Exit(m.Run())
}
