package calc

import (
	"math"
	"math/big"
)

// maxExponent is how many bits an exponent may have, but for those of 1.
const maxExponent = 1000

// power is exact for integer exponents and for square roots of squares, unless
// that takes too many digits.
func (v value) power(w value, at int) (value, error) {
	switch {
	case w.rat.IsInt():
		return v.raised(w, at)
	case v.rat.Sign() < 0:
		return value{}, fail(at, "a negative number has no power with a fraction as its exponent")
	case v.rat.Sign() == 0 && w.rat.Sign() < 0:
		return value{}, byZero(at)
	case v.rat.Sign() == 0:
		return value{rat: new(big.Rat), about: v.about || w.about}, nil
	case w.rat.Cmp(big.NewRat(1, 2)) == 0:
		return v.root(at)
	}
	whole := floor(w.rat)
	fraction := new(big.Rat).Sub(w.rat, new(big.Rat).SetInt(whole))
	p, err := v.raised(value{rat: new(big.Rat).SetInt(whole)}, at)
	if err != nil {
		return value{}, err
	}
	p.rat = new(big.Rat).Mul(p.rat, below(v.rat, fraction))
	p.about = true
	return p.settled(at)
}

// below is x to a power between 0 and 1, to some 15 digits. x is positive and
// may be beyond the range of a float64, its parts m and 2^e are not.
func below(x, y *big.Rat) *big.Rat {
	m, e := parts(x)
	twos := new(big.Rat).Mul(y, big.NewRat(int64(e), 1))
	whole := floor(twos)
	f, _ := y.Float64()
	g, _ := twos.Sub(twos, new(big.Rat).SetInt(whole)).Float64()
	z := big.NewFloat(math.Pow(m, f) * math.Exp2(g))
	r, _ := z.SetMantExp(z, int(whole.Int64())).Rat(nil)
	return r
}

// parts splits a positive x into m from 1/2 to 1, and e, so that x is m·2^e.
func parts(x *big.Rat) (m float64, e int) {
	var mantissa big.Float
	e = new(big.Float).SetPrec(precision).SetRat(x).MantExp(&mantissa)
	m, _ = mantissa.Float64()
	return m, e
}

// raised is v to an integer power.
func (v value) raised(w value, at int) (value, error) {
	n := w.rat.Num()
	base := v.rat
	if n.Sign() < 0 {
		if base.Sign() == 0 {
			return value{}, byZero(at)
		}
		base = new(big.Rat).Inv(base)
		n = new(big.Int).Neg(n)
	}
	// A number of b bits to the power of n has at least (b-1)n bits, so what
	// is computed exactly has at most twice as many as are kept.
	bits := value{rat: base}.bits()
	if bits > 1 && (!n.IsInt64() || n.Int64() > int64(maxBits/(bits-1))) {
		return rounded(base, n, at)
	}
	if bits <= 1 {
		n = new(big.Int).SetUint64(parity(n))
	}
	num, den := new(big.Int).Exp(base.Num(), n, nil), new(big.Int).Exp(base.Denom(), n, nil)
	return value{rat: new(big.Rat).SetFrac(num, den), about: v.about || w.about}.settled(at)
}

// rounded is base to the power of n, by squaring and multiplying with each bit
// of n. An error grows n times, so that many more bits are kept.
func rounded(base *big.Rat, n *big.Int, at int) (value, error) {
	if n.BitLen() > maxExponent {
		return value{}, fail(at, "the exponent is too long; it has more than 300 digits")
	}
	keep := uint(precision + n.BitLen())
	b := new(big.Float).SetPrec(keep).SetRat(base)
	z := new(big.Float).SetPrec(keep).SetInt64(1)
	for i := n.BitLen() - 1; i >= 0; i-- {
		z.Mul(z, z)
		if n.Bit(i) == 1 {
			z.Mul(z, b)
		}
		if e := z.MantExp(nil); e > maxBits || e < -maxBits {
			return value{}, tooLong(at)
		}
	}
	r, _ := z.Rat(nil)
	return value{rat: r, about: true}.settled(at)
}

// parity is a small exponent that does to 0, 1 and -1 what n does.
func parity(n *big.Int) uint64 {
	if n.Sign() == 0 {
		return 0
	}
	return 2 - uint64(n.Bit(0))
}

// root is the square root.
func (v value) root(at int) (value, error) {
	if v.rat.Sign() < 0 {
		return value{}, fail(at, "a negative number has no square root")
	}
	num, den := new(big.Int).Sqrt(v.rat.Num()), new(big.Int).Sqrt(v.rat.Denom())
	exact := new(big.Rat).SetFrac(num, den)
	if new(big.Rat).Mul(exact, exact).Cmp(v.rat) == 0 {
		return value{rat: exact, about: v.about}, nil
	}
	r, _ := new(big.Float).Sqrt(new(big.Float).SetPrec(precision).SetRat(v.rat)).Rat(nil)
	return value{rat: r, about: true}.settled(at)
}
