package calc

import "math/big"

// pi has enough digits to take half turns away from the largest angle.
const pi = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899"

// euler is the constant e.
func euler() value {
	return value{rat: decimal("2.71828182845904523536028747135266249775724709"), about: true}
}

// constant returns what a name stands for.
func constant(name token) (value, error) {
	switch name.text {
	case "pi", "π":
		return value{rat: decimal(pi), about: true}, nil
	case "e":
		return euler(), nil
	}
	if least, _ := arity(name.text); least > 0 {
		return value{}, fail(name.at, "%s needs its number in parentheses", name.text)
	}
	return value{}, unknown(name)
}

// decimal reads a number that is known to be one.
func decimal(s string) *big.Rat {
	r, _ := new(big.Rat).SetString(s)
	return r
}

func unknown(name token) error {
	return fail(name.at, "%.20q is not known; there are sqrt, abs, round, floor, ceil, min, max, log, ln, exp, sin, cos, tan, pi and e", name.text)
}

// arity is how many arguments a function takes, 0 and 0 if there is none of
// that name.
func arity(name string) (least, most int) {
	switch name {
	case "sqrt", "abs", "floor", "ceil", "ln", "exp", "sin", "cos", "tan":
		return 1, 1
	case "round", "log":
		return 1, 2
	case "min", "max":
		return 1, maxText
	}
	return 0, 0
}

// call computes a function.
func call(name token, args []value) (value, error) {
	least, most := arity(name.text)
	if least == 0 {
		return value{}, unknown(name)
	}
	if len(args) < least || len(args) > most {
		return value{}, fail(name.at, "%s takes %d to %d numbers and has %d", name.text, least, most, len(args))
	}
	x := args[0].plain()
	switch name.text {
	case "sqrt":
		return x.root(name.at)
	case "abs":
		return value{rat: new(big.Rat).Abs(x.rat), about: x.about}, nil
	case "floor":
		return value{rat: new(big.Rat).SetInt(floor(x.rat)), about: x.about}, nil
	case "ceil":
		x = value{rat: new(big.Rat).SetInt(floor(x.negated().rat)), about: x.about}
		return x.negated(), nil
	case "round":
		return round(x, args[1:], name.at)
	case "min", "max":
		return extreme(args, name.text == "max"), nil
	case "log":
		return logarithm(x, args[1:], name.at)
	case "ln":
		return logarithm(x, []value{euler()}, name.at)
	case "exp":
		return euler().power(x, name.at)
	}
	return trigonometric(name, x)
}

// round rounds half away from zero, as people do, to so many digits after the
// point, none by default; fewer than none rounds to tens and hundreds.
func round(x value, digits []value, at int) (value, error) {
	scale := value{rat: big.NewRat(1, 1)}
	if len(digits) > 0 {
		n := digits[0].rat
		if !n.IsInt() || !n.Num().IsInt64() || n.Num().Int64() > 100 || n.Num().Int64() < -100 {
			return value{}, fail(at, "round takes a whole number of digits from -100 to 100")
		}
		var err error
		if scale, err = (value{rat: big.NewRat(10, 1)}).raised(value{rat: n}, at); err != nil {
			return value{}, err
		}
	}
	r := x.times(scale).rat
	r.Add(r, big.NewRat(int64(r.Sign()), 2))
	whole := new(big.Int).Quo(r.Num(), r.Denom())
	return value{rat: new(big.Rat).Quo(new(big.Rat).SetInt(whole), scale.rat), about: x.about}.settled(at)
}

// extreme returns the largest or smallest of args.
func extreme(args []value, largest bool) value {
	best := args[0]
	about := false
	for _, v := range args {
		about = about || v.about
		if c := v.rat.Cmp(best.rat); largest && c > 0 || !largest && c < 0 {
			best = v
		}
	}
	return value{rat: best.rat, about: about}
}
