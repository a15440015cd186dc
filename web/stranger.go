package web

import (
	"time"

	"nacre"
)

// Stranger is somebody who wrote, was shown a pairing code and waits.
type Stranger struct {
	ID      string            `json:"id"` // names them in a Decision; no secret
	Channel nacre.ChannelName `json:"channel"`
	Address string            `json:"address"` // who they are there
	Came    time.Time         `json:"came"`
	Until   time.Time         `json:"until"` // when their code is too old
}

// Decision is what the operator decides of a Stranger.
type Decision struct {
	ID    string `json:"id"`
	Admit bool   `json:"admit"` // else they are refused, without a word to them
}
