package calc

import (
	"math"
	"math/big"
)

// Limits of an angle in radians. Beyond them too few digits are left of its
// place in the circle.
const (
	maxAngle      = 1e30
	maxAboutAngle = 1e6 // of one that is not exact
)

// trigonometric computes sin, cos or tan.
func trigonometric(name token, x value) (value, error) {
	size, _ := new(big.Rat).Abs(x.rat).Float64()
	if size >= maxAngle || x.about && size >= maxAboutAngle {
		return value{}, fail(name.at, "the angle is too large; it has to be below 10^30, and below 1,000,000 if it is not exact")
	}
	quarter := new(big.Rat).Quo(decimal(pi), big.NewRat(2, 1))
	sin, cos := sine(x.rat), sine(quarter.Add(quarter, x.rat))
	if x.about {
		sin, cos = nearZero(sin, size), nearZero(cos, size)
	}
	y := sin
	switch {
	case name.text == "cos":
		y = cos
	case name.text == "tan" && cos.Sign() == 0:
		return value{}, fail(name.at, "this has no value")
	case name.text == "tan":
		y = sin.Quo(sin, cos)
	}
	return value{rat: y, about: true}.settled(name.at)
}

// sine takes away half turns with all digits of pi before it computes with
// floating point, so that it is right to some 15 digits everywhere.
func sine(x *big.Rat) *big.Rat {
	turns := new(big.Rat).Quo(x, decimal(pi))
	n := floor(turns.Add(turns, big.NewRat(1, 2)))
	half := new(big.Rat).SetInt(n)
	rest := new(big.Rat).Sub(x, half.Mul(half, decimal(pi)))
	y := rest // itself where it is so small that floating point might make 0 of it
	if f, _ := rest.Float64(); math.Abs(f) > 1e-9 {
		y = new(big.Rat).SetFloat64(math.Sin(f))
	}
	if n.Bit(0) == 1 {
		y.Neg(y)
	}
	return y
}

// nearZero makes 0 of y, the sine or cosine of an angle x that is not exact,
// if it is 0 but for the digits that x is short of. Those of small angles are
// not affected.
func nearZero(y *big.Rat, x float64) *big.Rat {
	if f, _ := y.Float64(); x > 1 && math.Abs(f) < 1e-15*x {
		return new(big.Rat)
	}
	return y
}
