package calc

import (
	"math/big"
	"strings"
)

// Limits of how exactly a result is written.
const (
	maxWhole    = 100 // digits of an integer
	maxDecimals = 30  // digits after the point
	maxFraction = 20  // bytes of a fraction such as 1/3
	significant = 15  // digits of what is written with "about"
)

// String writes the number: 0.3, "about 1.4142135623731", or "about
// 0.333333333333333 (exactly 1/3)".
func (v value) String() string {
	if !v.about {
		if s := exact(v.rat); s != "" {
			return s
		}
	}
	s := "about " + trimmed(new(big.Float).SetPrec(100).SetRat(v.rat).Text('g', significant))
	if fraction := v.rat.RatString(); !v.about && !v.rat.IsInt() && len(fraction) <= maxFraction {
		s += " (exactly " + fraction + ")"
	}
	return s
}

// exact writes an integer or a decimal fraction that ends, "" if it is too
// long or does not end.
func exact(r *big.Rat) string {
	if r.IsInt() {
		if s := r.Num().String(); len(s) <= maxWhole {
			return s
		}
		return ""
	}
	// FloatPrec counts the digits after the point that r needs.
	n, ends := r.FloatPrec()
	if !ends || n > maxDecimals || len(r.Num().String()) > maxWhole {
		return ""
	}
	return r.FloatString(n)
}

// trimmed drops zeros at the end of a decimal fraction.
func trimmed(s string) string {
	mantissa, exponent, scientific := strings.Cut(s, "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	if scientific {
		return mantissa + "e" + exponent
	}
	return mantissa
}
