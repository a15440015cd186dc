package calc

import (
	"math"
	"math/big"
)

// value is a number on the way.
type value struct {
	rat     *big.Rat
	about   bool // not exact
	percent bool // written with a percent sign
}

func tooLong(at int) error {
	return fail(at, "the result is too long to compute; it would have more than 2,000 digits")
}

// settled bounds the size of v and, where it is not exact anyway, its
// precision.
func (v value) settled(at int) (value, error) {
	if v.about {
		v.rat, _ = new(big.Float).SetPrec(100).SetRat(v.rat).Rat(nil)
	}
	if max(v.rat.Num().BitLen(), v.rat.Denom().BitLen()) > maxBits {
		return value{}, tooLong(at)
	}
	return v, nil
}

func (v value) negated() value {
	if v.rat != nil {
		v.rat = new(big.Rat).Neg(v.rat)
	}
	return v
}

// plus adds. A percentage is taken of what it is added to: 80 + 15% is 92,
// while 10% + 5% is 15%.
func (v value) plus(w value) value {
	if w.percent && !v.percent {
		w = v.times(w)
	}
	return value{new(big.Rat).Add(v.rat, w.rat), v.about || w.about, v.percent && w.percent}
}

func (v value) times(w value) value {
	return value{rat: new(big.Rat).Mul(v.rat, w.rat), about: v.about || w.about}
}

func (v value) over(w value, at int) (value, error) {
	if w.rat.Sign() == 0 {
		return value{}, fail(at, "nothing can be divided by zero")
	}
	return v.times(value{rat: new(big.Rat).Inv(w.rat), about: w.about}).settled(at)
}

// modulo is what remains of v when w has been taken away as often as it fits;
// it has the sign of w.
func (v value) modulo(w value, at int) (value, error) {
	q, err := v.over(w, at)
	if err != nil {
		return value{}, err
	}
	times := value{rat: new(big.Rat).SetInt(floor(q.rat))}
	return v.plain().plus(w.times(times).negated()).settled(at)
}

// plain forgets that v was written as a percentage.
func (v value) plain() value {
	v.percent = false
	return v
}

// floor is the greatest integer that is not above r.
func floor(r *big.Rat) *big.Int {
	// Div rounds down for a positive denominator, which a Rat's always is.
	return new(big.Int).Div(r.Num(), r.Denom())
}

// power is exact for integer exponents and for square roots of squares.
func (v value) power(w value, at int) (value, error) {
	switch {
	case w.rat.IsInt():
		return v.raised(w, at)
	case v.rat.Sign() < 0:
		return value{}, fail(at, "a negative number has no power with a fraction as its exponent")
	case w.rat.Cmp(big.NewRat(1, 2)) == 0:
		return v.root(at)
	}
	return approximate(at, math.Pow, v, w)
}

// raised is v to an integer power.
func (v value) raised(w value, at int) (value, error) {
	n := w.rat.Num()
	base := v.rat
	if n.Sign() < 0 {
		if base.Sign() == 0 {
			return value{}, fail(at, "nothing can be divided by zero")
		}
		base = new(big.Rat).Inv(base)
		n = new(big.Int).Neg(n)
	}
	// A number of b bits to the power of n has at least (b-1)n bits, so what
	// is computed has at most twice as many as are allowed.
	bits := max(base.Num().BitLen(), base.Denom().BitLen())
	if bits > 1 && (!n.IsInt64() || n.Int64() > int64(maxBits/(bits-1))) {
		return value{}, tooLong(at)
	}
	if bits <= 1 {
		n = new(big.Int).SetUint64(parity(n))
	}
	num, den := new(big.Int).Exp(base.Num(), n, nil), new(big.Int).Exp(base.Denom(), n, nil)
	return value{rat: new(big.Rat).SetFrac(num, den), about: v.about || w.about}.settled(at)
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
	r, _ := new(big.Float).Sqrt(new(big.Float).SetPrec(100).SetRat(v.rat)).Rat(nil)
	return value{rat: r, about: true}.settled(at)
}

func (v value) factorial(at int) (value, error) {
	n := v.rat.Num()
	if !v.rat.IsInt() || n.Sign() < 0 {
		return value{}, fail(at, "only whole numbers from 0 have a factorial")
	}
	if !n.IsInt64() || n.Int64() > maxBits {
		return value{}, tooLong(at)
	}
	product := big.NewInt(1)
	for i := int64(2); i <= n.Int64() && product.BitLen() <= maxBits; i++ {
		product.Mul(product, big.NewInt(i))
	}
	return value{rat: new(big.Rat).SetInt(product), about: v.about}.settled(at)
}

// approximate computes with floating point, to some 15 digits.
func approximate(at int, f func(x, y float64) float64, v, w value) (value, error) {
	x, _ := v.rat.Float64()
	y, _ := w.rat.Float64()
	z := f(x, y)
	if math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsInf(z, 0) {
		return value{}, fail(at, "the numbers are too large for this")
	}
	if math.IsNaN(z) {
		return value{}, fail(at, "this has no value")
	}
	return value{rat: new(big.Rat).SetFloat64(z), about: true}.settled(at)
}
