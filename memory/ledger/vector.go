package ledger

import (
	"context"
	"encoding/binary"
	"math"
	"time"

	"nacre"
	"nacre/memory/vault"
)

// settling is how long after a forgetting no vectors are kept. One that comes then
// may have been made of words that were read before; no embedder takes that long.
const settling = 10 * time.Minute

// PutVectors keeps what a model made of Sayings, by their keys, for as long as
// their words are there. What is stored already stays. Vectors of words that are
// not there any more, and those that come during a forgetting or soon after it,
// are not kept; they can be made again.
func (a *Archive) PutVectors(ctx context.Context, owner nacre.OwnerID, model string, vectors map[int64][]float32) error {
	boxes := make(map[int64]sealed, len(vectors))
	for key, v := range vectors {
		box, err := a.l.sealVector(owner, v)
		if err != nil {
			return err
		}
		boxes[key] = box
	}
	return a.l.writer.do(ctx, func(t *tx) error {
		var forgetting bool
		err := t.row("SELECT EXISTS (SELECT 1 FROM erasures WHERE owner = ? AND (done_ms IS NULL OR done_ms > ?))",
			[]any{owner, t.nowMs - settling.Milliseconds()}, &forgetting)
		if err != nil || forgetting {
			return err
		}
		for key, box := range boxes {
			s, seq := strandOf(key)
			_, err := t.exec("INSERT INTO vectors (owner, key, model, record, sealed) SELECT owner, ?, ?, ?, ? FROM "+s.table+
				" WHERE seq = ? AND owner = ? AND sealed IS NOT NULL ON CONFLICT DO NOTHING", key, model, box.record, box.data, seq, owner)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (l *Ledger) sealVector(owner nacre.OwnerID, v []float32) (sealed, error) {
	record, err := l.vault.Next()
	if err != nil {
		return sealed{}, err
	}
	data, err := l.vault.Seal(vault.Binding{Owner: owner, Table: "vectors", Record: record}, packVector(v))
	return sealed{record, data}, err
}

// vectorsAtOnce is how many vectors one query reads.
const vectorsAtOnce = 1000

// Vectors hands over the vectors of a model, by the keys of their Sayings. They
// are as near to what was put as a byte for each number can be. Those that nobody
// can read any more are left out.
func (a *Archive) Vectors(ctx context.Context, owner nacre.OwnerID, model string, yield func(key int64, vector []float32)) error {
	for after := int64(0); ; {
		read, err := a.someVectors(ctx, owner, model, after)
		if err != nil || len(read) == 0 {
			return err
		}
		for _, r := range read {
			plain, err := a.l.vault.Unseal(vault.Binding{Owner: owner, Table: "vectors", Record: r.record}, r.data)
			if err == nil {
				yield(r.key, unpackVector(plain))
			}
			after = r.key
		}
	}
}

type vectorRow struct {
	key int64
	sealed
}

func (a *Archive) someVectors(ctx context.Context, owner nacre.OwnerID, model string, after int64) ([]vectorRow, error) {
	rows, err := a.l.query(ctx, "SELECT key, record, sealed FROM vectors WHERE owner = ? AND key > ? AND model = ? ORDER BY key LIMIT ?",
		owner, after, model, vectorsAtOnce)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []vectorRow
	for rows.Next() {
		var r vectorRow
		if err := rows.Scan(&r.key, &r.record, &r.data); err != nil {
			return nil, explain(err)
		}
		list = append(list, r)
	}
	return list, explain(rows.Err())
}

// packVector writes a vector as the largest size of its numbers, a float32 in big
// endian, and each number in 127ths of that, a byte in two's complement. Cosines
// of such vectors differ from the true ones by less than a hundredth.
func packVector(v []float32) []byte {
	var largest float32
	for _, x := range v {
		largest = max(largest, x, -x)
	}
	out := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(v)), math.Float32bits(largest))
	for _, x := range v {
		step := 0.0
		if largest > 0 {
			step = math.Round(float64(x / largest * math.MaxInt8))
		}
		out = append(out, byte(int8(step)))
	}
	return out
}

func unpackVector(b []byte) []float32 {
	if len(b) < 4 {
		return nil
	}
	unit := math.Float32frombits(binary.BigEndian.Uint32(b)) / math.MaxInt8
	v := make([]float32, len(b)-4)
	for i, step := range b[4:] {
		v[i] = float32(int8(step)) * unit
	}
	return v
}
