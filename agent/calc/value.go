package calc

import "math/big"

// value is a number on the way.
type value struct {
	rat     *big.Rat
	about   bool // not exact
	percent bool // written with a percent sign
}

func tooLong(at int) error {
	return fail(at, "the result is too long to compute; it would have more than 2,000 digits")
}

func byZero(at int) error { return fail(at, "nothing can be divided by zero") }

// precision is how many bits are kept of what is not exact, twice as many as
// are written.
const precision = 100

// settled rounds v where it is not exact, or takes too many digits to keep so,
// and refuses what is too large or too small even then.
func (v value) settled(at int) (value, error) {
	if v.about || v.bits() > maxBits {
		v.rat, _ = new(big.Float).SetPrec(precision).SetRat(v.rat).Rat(nil)
		v.about = true
	}
	if v.bits() > maxBits {
		return value{}, tooLong(at)
	}
	return v, nil
}

// bits is the length of the longer part of the fraction.
func (v value) bits() int { return max(v.rat.Num().BitLen(), v.rat.Denom().BitLen()) }

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
		return value{}, byZero(at)
	}
	return v.times(value{rat: new(big.Rat).Inv(w.rat), about: w.about}).settled(at)
}

// modulo is what remains of v when w has been taken away as often as it fits;
// it has the sign of w.
func (v value) modulo(w value, at int) (value, error) {
	if w.rat.Sign() == 0 {
		return value{}, byZero(at)
	}
	times := value{rat: new(big.Rat).SetInt(floor(new(big.Rat).Quo(v.rat, w.rat)))}
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
