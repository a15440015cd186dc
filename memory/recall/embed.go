package recall

import (
	"context"

	"nacre"
)

// Embedder turns texts into vectors whose closeness is closeness in meaning.
type Embedder interface {
	// Name says which model makes the vectors; those of another do not compare.
	Name() string
	// Embed returns a vector for each text, all of one length; what that costs is
	// the owner's. It may take as long as a network does, and honours ctx.
	Embed(ctx context.Context, owner nacre.OwnerID, texts []string) ([][]float32, error)
}

// Vectors keeps vectors, sealed, for as long as their messages are there.
type Vectors interface {
	PutVectors(ctx context.Context, owner nacre.OwnerID, model string, vectors map[Key][]float32) error
	// Vectors hands over those of a model.
	Vectors(ctx context.Context, owner nacre.OwnerID, model string, yield func(Key, []float32)) error
}
