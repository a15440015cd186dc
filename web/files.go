package web

import "context"

// Files are the files of an owner's folder that steer the assistant: who it is
// (SOUL.md), what it looks after (HEARTBEAT.md) and how it reads back
// (prompts/reflect.md). No model can write them.
type Files interface {
	// Read reads all of them.
	Read(ctx context.Context) ([]File, error)
	// Write writes one. The error is Conflict if it is not any more what the person
	// was shown, and Invalid if it is too long.
	Write(ctx context.Context, w FileWrite) (File, error)
}

// File is one of them.
type File struct {
	Name     string `json:"name"`
	Text     string `json:"text"`
	Default  bool   `json:"default"`  // as it was made, untouched
	Original string `json:"original"` // what it was made as
	Longest  int    `json:"longest"`  // characters that are read of it
	Hash     string `json:"hash"`     // of the text
}

// FileWrite is a file as the owner wants it.
type FileWrite struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Was  string `json:"was"` // File.Hash of what the person was shown
}
