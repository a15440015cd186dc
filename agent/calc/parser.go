package calc

import (
	"math/big"
	"strings"
)

// parser computes while it reads, by operator precedence (V. Pratt, "Top down
// operator precedence", 1973).
type parser struct {
	tokens []token // ends with one of the kind end
	next   int
	depth  int
}

// How tightly operators bind. A sign binds less than a power: -2^2 is -4.
const (
	sums = 1 + iota
	products
	signs
	powers
)

func (p *parser) peek() token { return p.tokens[p.next] }

// take returns the next token and goes on, but not past the end.
func (p *parser) take() token {
	t := p.tokens[p.next]
	if t.kind != end {
		p.next++
	}
	return t
}

// expression reads an operand and all operators that bind more tightly than
// floor.
func (p *parser) expression(floor int) (value, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return value{}, fail(p.peek().at, "more than %d levels of parentheses, signs or powers; compute it in parts", maxDepth)
	}
	left, err := p.operand()
	for err == nil {
		op := p.peek()
		switch bind := binding(op); {
		case op.kind == '!' || op.kind == '%' && !p.remainder():
			left, err = p.suffix(left)
		case bind <= floor:
			return left, nil
		default:
			p.next++
			left, err = p.infix(left, op, bind)
		}
	}
	return left, err
}

// binding is how tightly a token binds two operands, 0 if it does not.
func binding(t token) int {
	switch t.kind {
	case '+', '-':
		return sums
	case '*', '/', '%':
		return products
	case '^':
		return powers
	case word:
		if t.text == "of" {
			return products
		}
	}
	return 0
}

// remainder reports whether the "%" that comes next is the operator, which has
// an operand to its right, and not a percent sign.
func (p *parser) remainder() bool {
	switch t := p.tokens[p.next+1]; t.kind {
	case number, '(':
		return true
	case word:
		return t.text != "of"
	}
	return false
}

// infix computes left and what stands to the right of op.
func (p *parser) infix(left value, op token, bind int) (value, error) {
	if op.kind == '^' {
		bind-- // from right to left: 2^3^2 is 2^9
	}
	right, err := p.expression(bind)
	if err != nil {
		return value{}, err
	}
	switch op.kind {
	case '+':
		return left.plus(right).settled(op.at)
	case '-':
		return left.plus(right.negated()).settled(op.at)
	case '*':
		return left.times(right).settled(op.at)
	case '/':
		return left.over(right, op.at)
	case '%':
		return left.modulo(right, op.at)
	case '^':
		return left.power(right, op.at)
	}
	if !left.percent {
		return value{}, fail(op.at, `"of" needs a percentage before it, as in 15%% of 80`)
	}
	part := left.times(right)
	part.percent = right.percent
	return part.settled(op.at)
}

// suffix computes the factorial or the percentage of v.
func (p *parser) suffix(v value) (value, error) {
	op, after := p.take(), p.peek()
	if op.kind == '!' {
		if after.kind == '!' {
			return value{}, fail(after.at, `"!!" can mean two things; use parentheses, as in (3!)!`)
		}
		return v.factorial(op.at)
	}
	if after.kind == '-' {
		return value{}, fail(op.at, `"%%" before "-" can mean two things; write (15%%) - 3 for percent, 15 %% (-3) for the remainder`)
	}
	v = v.times(value{rat: big.NewRat(1, 100)})
	v.percent = true
	return v.settled(op.at)
}

// operand reads a number, a constant, a call, a sign with what it is for, or
// something in parentheses.
func (p *parser) operand() (value, error) {
	switch t := p.take(); t.kind {
	case number:
		return literal(t)
	case word:
		return p.named(t)
	case '+':
		return p.expression(signs)
	case '-':
		v, err := p.expression(signs)
		return v.negated(), err
	case '(':
		v, err := p.expression(0)
		if err != nil {
			return value{}, err
		}
		return v, p.close(t)
	default:
		return value{}, fail(t.at, "a number is expected instead of %s", t)
	}
}

// close takes the parenthesis that closes an earlier one.
func (p *parser) close(open token) error {
	if t := p.take(); t.kind != ')' {
		return fail(t.at, "the parenthesis of character %d has to be closed before %s", open.at, t)
	}
	return nil
}

// named reads a constant or a call.
func (p *parser) named(name token) (value, error) {
	open := p.peek()
	if open.kind != '(' {
		return constant(name)
	}
	p.next++
	var args []value
	for {
		v, err := p.expression(0)
		if err != nil {
			return value{}, err
		}
		args = append(args, v)
		if p.peek().kind != ',' {
			break
		}
		p.next++
	}
	if err := p.close(open); err != nil {
		return value{}, err
	}
	return call(name, args)
}

// literal reads a number such as 12, 1.5, .5 or 6e23.
func literal(t token) (value, error) {
	if _, exponent, _ := strings.Cut(strings.ToLower(t.text), "e"); len(strings.TrimLeft(exponent, "+-0")) > 4 {
		return value{}, tooLong(t.at)
	}
	r, ok := new(big.Rat).SetString(t.text)
	if !ok {
		return value{}, fail(t.at, "%q is not a number; write it as 1234.5", t.text)
	}
	return value{rat: r}.settled(t.at)
}
