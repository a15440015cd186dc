package wadouble

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
)

// most is how many bytes the padding of a message has at most. Version 2 of the
// network's encryption ends each message with 1 to 15 bytes that all say how many
// they are.
const most = 15

// pad appends padding of a random length to a copy of a message.
func pad(message []byte) []byte {
	n := 1 + rand.IntN(most)
	return slices.Concat(message, bytes.Repeat([]byte{byte(n)}, n))
}

// unpad takes the padding off. Devices are not held to the most.
func unpad(padded []byte) ([]byte, error) {
	if len(padded) == 0 {
		return nil, errors.New("unpadding: no bytes")
	}
	n := int(padded[len(padded)-1])
	if n == 0 || !bytes.HasSuffix(padded, bytes.Repeat([]byte{byte(n)}, n)) {
		return nil, errors.New("unpadding: the end is no padding")
	}
	return padded[:len(padded)-n], nil
}
