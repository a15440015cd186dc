package calc

import (
	"math"
	"math/big"
)

// logarithm is to the base of 10 unless another is given.
func logarithm(x value, base []value, at int) (value, error) {
	b := value{rat: big.NewRat(10, 1)}
	if len(base) > 0 {
		b = base[0]
	}
	if x.rat.Sign() <= 0 {
		return value{}, fail(at, "only positive numbers have a logarithm")
	}
	if b.rat.Sign() <= 0 || b.rat.Cmp(big.NewRat(1, 1)) == 0 {
		return value{}, fail(at, "the base of a logarithm has to be positive and not 1")
	}
	y := natural(x.rat)
	return value{rat: y.Quo(y, natural(b.rat)), about: true}.settled(at)
}

// natural is the natural logarithm of a positive number, to some 15 digits. It
// is 0 for 1 alone.
func natural(x *big.Rat) *big.Rat {
	above := new(big.Rat).Sub(x, big.NewRat(1, 1))
	switch d, _ := above.Float64(); {
	case math.Abs(d) < 1e-17:
		return above // so near 1 that more terms of the series change no digit
	case math.Abs(d) < 0.5:
		return new(big.Rat).SetFloat64(math.Log1p(d))
	}
	m, e := parts(x) // x may be beyond the range of a float64
	return new(big.Rat).SetFloat64(math.Log(m) + float64(e)*math.Ln2)
}
