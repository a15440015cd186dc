package configs

import "fmt"

// WhatsApp says whose number is linked to Nacre, if one is.
type WhatsApp struct {
	Number Number
}

// Number says whose phone number Nacre is linked to on WhatsApp.
type Number string

// The numbers. OwnNumber is the default because it can harm nobody: nothing is
// said to anybody but the operator.
const (
	OwnNumber      Number = "own"      // the operator's own; only the chat with oneself is for Nacre
	SeparateNumber Number = "separate" // one that is Nacre's alone; whoever is admitted may write to it
	NoNumber       Number = off        // WhatsApp is off
)

func parseNumber(text string) (Number, error) {
	switch n := Number(text); n {
	case OwnNumber, SeparateNumber, NoNumber:
		return n, nil
	}
	return "", fmt.Errorf("%.60q is none of own, separate and off; write one of them", text)
}
