package calc

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"nacre"
	"nacre/agent"
)

var _ agent.Tool = Tool{}

func TestEval(t *testing.T) {
	for expression, want := range map[string]string{
		// exact
		"0.1+0.2": "0.3", "1/3+1/3+1/3": "1", "1.10*3": "3.3", "19.99 * 3": "59.97", "1e-3": "0.001", "1.5E3": "1500", ".5+5.": "5.5", "2/4": "0.5", "7/8": "0.875", "1e2+1": "101",
		"1234567890123456789 * 1000000007": new(big.Int).Mul(big.NewInt(1234567890123456789), big.NewInt(1000000007)).String(),
		"2^100":                            "1267650600228229401496703205376", "2**10": "1024", "1.05^10": "1.62889462677744140625", "1/2^3": "0.125",

		// order
		"1+2*3": "7", "(1+2)*3": "9", "2^3^2": "512", "-2^2": "-4", "(-2)^2": "4", "2^-1": "0.5", "2*-3": "-6", "--3": "3", "+3": "3", "8/4/2": "1", "8-4-2": "2", "-3!": "-6", "2^3!": "64", "10-2^2*2": "2", "7-5 % 3": "5",

		// signs that people write
		"6×7": "42", "6÷3−1": "1", " 1 \t+\n1 ": "2", "3·4": "12", "PI*0": "about 0",

		// remainders and percentages
		"7 % 3": "1", "7%3": "1", "-7 % 3": "2", "7 % (-3)": "-2", "5.5 % 2": "1.5", "2^10 % 1000": "24", "10 % pi*0": "about 0",
		"15% of 80": "12", "15 % OF 80": "12", "80+15%": "92", "80 - 15%": "68", "100+50+10%": "165", "80 * 15%": "12", "15%": "0.15", "10% + 5%": "0.15", "(10%)-5%": "0.05", "100 + (10%) - 5%": "104.5", "50%^2": "0.25", "80 + 15% of 20": "83", "200% of 3!": "12", "-5%": "-0.05", "80 + -5%": "76", "50%/2": "0.25", "max(10%, 5%)": "0.1", "50% of 50% of 80": "20", "1%%": "0.0001", "100 + (10% + 5%)": "115",

		// functions
		"sqrt(16)": "4", "sqrt(2.25)": "1.5", "sqrt(2)": "about 1.4142135623731", "16^0.5": "4", "sqrt(10^400)": "about 1e+200", "27^(1/3)": "about 3", "abs(-3.5)": "3.5",
		"round(2.5)": "3", "round(-2.5)": "-3", "round(2.345, 2)": "2.35", "round(1234, -2)": "1200", "round(1/3, 4)": "0.3333", "round(0.4)": "0",
		"floor(-1.5)": "-2", "ceil(-1.5)": "-1", "floor(2)": "2", "ceil(1.2)": "2", "min(3, 1, 2)": "1", "max(3,1,2)": "3", "max(7)": "7",
		"5!": "120", "0!": "1", "20!/18!": "380", "(3!)!": "720", "ln(e)": "about 1", "log(1000)": "about 3", "log(8, 2)": "about 3", "exp(0)": "about 1", "exp(1)": "about 2.71828182845905",
		"sin(0)": "about 0", "sin(pi)": "about 0", "sin(pi/6)": "about 0.5", "cos(pi/2)": "about 0", "tan(pi/4)": "about 1", "sin(1e-9)": "about 1e-09", "2*π": "about 6.28318530717959",

		// angles, whose true values are from a computation with 60 digits
		"sin(10^15)": "about 0.858272793170236", "cos(10^15)": "about -0.51319373778697", "tan(10^15)": "about -1.67241478212758", "sin(10^22)": "about -0.852200849767189", "cos(11)": "about 0.00442569798805079",
		"sin(10^5*pi)": "about 0", "sin(99999*pi)": "about 0", "sin(1e-400)": "about 1e-400", "tan(-1e-400)": "about -1e-400", "sin(-1)": "about -0.841470984807897", "cos(0)": "about 1",

		// beyond floating point, and too long to keep exact
		"(1+0.05/365)^(365*10)": "about 1.64866481376547", "1.05^2000": "about 2.39110220461355e+42", "1.05^2000*1.05^-2000": "about 1", "pi^100": "about 5.18784831431961e+49", "(1+1e-18)^(10^18)": "about 2.71828182845905", "0.99999^1000000": "about 4.5397659807613e-05",
		"(10^-400)^0.3": "about 1e-120", "(10^400)^0.3": "about 1e+120", "(10^-2000)^1.1": "about 1e-2200", "2^-1.5": "about 0.353553390593274", "0^0.3": "0", "8^(2/3)": "about 4",
		"ln(10^-400)": "about -921.034037197618", "ln(10^400)": "about 921.034037197618", "log(10^400)": "about 400", "ln(1)": "about 0", "ln(1+10^-20)": "about 1e-20", "ln(1-10^-400)": "about -1e-400", "ln(1.5)": "about 0.405465108108164", "exp(1000)": "about 1.97007111401705e+434", "exp(-1000)": "about 5.07595889754946e-435",

		// how results are written
		"1/3": "about 0.333333333333333 (exactly 1/3)", "22/7": "about 3.14285714285714 (exactly 22/7)", "-2/3": "about -0.666666666666667 (exactly -2/3)",
		"10^99": "1" + strings.Repeat("0", 99), "10^100": "about 1e+100", "2/3*10^150": "about 6.66666666666667e+149", "1/10^30": "0." + strings.Repeat("0", 29) + "1", "1/10^31": "about 1e-31", "0": "0", "-0": "0", "0/5": "0",
		"1^(10^1000)": "1", "(-1)^(10^1000+1)": "-1", "0^(10^1000)": "0", "0^0": "1", "10^600 * 10^-600": "1",
	} {
		if got, err := Eval(expression); err != nil || got != want {
			t.Errorf("%s gives %q, %v; want %q", expression, got, err, want)
		}
	}
}

// Each error names its place and says what to do.
func TestMistakes(t *testing.T) {
	for expression, want := range map[string]string{
		"":                "at character 1: a number is expected instead of the end",
		"1+":              "at character 3: a number is expected instead of the end",
		"1 + * 2":         `at character 5: a number is expected instead of "*"`,
		"2 pi":            `at character 3: "pi" is not expected; if something is to be multiplied, write *`,
		"2(3)":            `at character 2: "(" is not expected; if something is to be multiplied, write *`,
		"(1+2":            "at character 5: the parenthesis of character 1 has to be closed before the end",
		"1)":              `at character 2: ")" is not expected; if something is to be multiplied, write *`,
		"1,000":           "at character 2: a comma between digits can mean two things; write 1000 for 1,000, and put a space after a comma between arguments",
		"max(1,000)":      "at character 6: a comma between digits can mean two things; write 1000 for 1,000, and put a space after a comma between arguments",
		"1,5":             `at character 2: "," is not expected; if something is to be multiplied, write *`,
		"1.000.000":       `at character 1: "1.000.000" is not a number; write it as 1234.5`,
		".":               `at character 1: "." is not a number; write it as 1234.5`,
		"7 % -3":          `at character 3: "%" before "-" can mean two things; write (15%) - 3 for percent, 15 % (-3) for the remainder`,
		"3!!":             `at character 3: "!!" can mean two things; use parentheses, as in (3!)!`,
		"5 of 3":          `at character 3: "of" needs a percentage before it, as in 15% of 80`,
		"1/0":             "at character 2: nothing can be divided by zero",
		"5 % (1-1)":       "at character 3: nothing can be divided by zero",
		"0^-1":            "at character 2: nothing can be divided by zero",
		"x + 1":           `at character 1: "x" is not known; there are sqrt, abs, round, floor, ceil, min, max, log, ln, exp, sin, cos, tan, pi and e`,
		"system(1)":       `at character 1: "system" is not known; there are sqrt, abs, round, floor, ceil, min, max, log, ln, exp, sin, cos, tan, pi and e`,
		"sqrt 4":          "at character 1: sqrt needs its number in parentheses",
		"sqrt()":          `at character 6: a number is expected instead of ")"`,
		"sqrt(1, 2)":      "at character 1: sqrt takes 1 to 1 numbers and has 2",
		"sqrt(-4)":        "at character 1: a negative number has no square root",
		"(-8)^(1/3)":      "at character 5: a negative number has no power with a fraction as its exponent",
		"(0.5)!":          "at character 6: only whole numbers from 0 have a factorial",
		"(-1)!":           "at character 5: only whole numbers from 0 have a factorial",
		"ln(0)":           "at character 1: only positive numbers have a logarithm",
		"log(8, 1)":       "at character 1: the base of a logarithm has to be positive and not 1",
		"tan(pi/2)":       "at character 1: this has no value",
		"exp(10^4)":       "at character 1: the result is too long to compute; it would have more than 2,000 digits",
		"exp(-10^4)":      "at character 1: the result is too long to compute; it would have more than 2,000 digits",
		"0^(-1/3)":        "at character 2: nothing can be divided by zero",
		"2^(10^400)":      "at character 2: the exponent is too long; it has more than 300 digits",
		"sin(10^30)":      "at character 1: the angle is too large; it has to be below 10^30, and below 1,000,000 if it is not exact",
		"cos(10^7*pi)":    "at character 1: the angle is too large; it has to be below 10^30, and below 1,000,000 if it is not exact",
		"round(1, 0.5)":   "at character 1: round takes a whole number of digits from -100 to 100",
		"round(1, 101)":   "at character 1: round takes a whole number of digits from -100 to 100",
		"9^9^9^9":         "at character 4: the result is too long to compute; it would have more than 2,000 digits",
		"10^1000000":      "at character 3: the result is too long to compute; it would have more than 2,000 digits",
		"2^-(10^50)":      "at character 2: the result is too long to compute; it would have more than 2,000 digits",
		"1e1000000":       "at character 1: the result is too long to compute; it would have more than 2,000 digits",
		"1e-9999":         "at character 1: the result is too long to compute; it would have more than 2,000 digits",
		"1000!":           "at character 5: the result is too long to compute; it would have more than 2,000 digits",
		"(10^100)!":       "at character 9: the result is too long to compute; it would have more than 2,000 digits",
		"10^2000*10^2000": "at character 8: the result is too long to compute; it would have more than 2,000 digits",
		"$5":              `at character 1: '$' is not known here`,
		"é+1":             `at character 1: 'é' is not known here`,
		"1 // 2":          `at character 4: a number is expected instead of "/"`,
		"0x10":            `at character 2: "x10" is not expected; if something is to be multiplied, write *`,
		strings.Repeat("(", 60) + "1" + strings.Repeat(")", 60): "at character 51: more than 50 levels of parentheses, signs or powers; compute it in parts",
		strings.Repeat("-", 60) + "1":                           "at character 51: more than 50 levels of parentheses, signs or powers; compute it in parts",
		strings.Repeat("1^", 60) + "1":                          "at character 101: more than 50 levels of parentheses, signs or powers; compute it in parts",
		strings.Repeat("1+", 600) + "1":                         "an expression has at most 1000 bytes; compute it in parts",
	} {
		got, err := Eval(expression)
		if err == nil || err.Error() != want || nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("%.40s gives %q, %v; want %q", expression, got, err, want)
		}
	}
}

// The longest work that fits the limits.
func heavy() []string {
	return []string{
		"9^9^9^9", "10^1000000", "800!", "(1/3)^2500", "2^8000", "sqrt(2)^3000",
		strings.Repeat("99^1200*", 100) + "1",
		strings.Repeat("1/(7^9+1)+", 90) + "1",
		strings.Repeat("700!+", 190) + "1",
		strings.Repeat("7^999/3^999+", 80) + "1",
		strings.Repeat("(1+10^-300)^10^300+", 50) + "1",
		strings.Repeat("(10^-2000)^0.3+", 60) + "1",
		strings.Repeat("sin(10^29/3^999)+", 50) + "1",
		"1" + strings.Repeat("%1", 400) + strings.Repeat("%", 100),
	}
}

func TestHeavyWork(t *testing.T) {
	for _, expression := range heavy() {
		start := time.Now()
		Eval(expression)
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%.40s took %v", expression, took)
		}
	}
}

func TestTool(t *testing.T) {
	res, err := Tool{}.Call(t.Context(), nacre.Caller{}, json.RawMessage(`{"expression":"0.1+0.2"}`))
	if err != nil || res.Text != "0.3" || res.Source != "" {
		t.Errorf("got %+v, %v", res, err)
	}
	for _, args := range []string{``, `7`, `{"expression":7}`, `{}`, `{"expression":"1+"}`} {
		if res, err := (Tool{}).Call(t.Context(), nacre.Caller{}, json.RawMessage(args)); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("%s: %+v, %v", args, res, err)
		}
	}
	spec := Tool{}.Spec()
	if n := len(spec.Name) + len(spec.Description) + len(spec.Schema); !json.Valid(spec.Schema) || n > 400 {
		t.Errorf("the spec takes %d bytes", n)
	}
}

// Whatever is asked, the answer comes at once and is a sentence or a number;
// parentheses around it all change nothing, and an exact result is its own
// value.
func FuzzEval(f *testing.F) {
	for _, s := range heavy() {
		f.Add(s)
	}
	for _, s := range []string{"1+2*3", "15% of 80", "7 % -3", "max(1, 2)!", "sqrt(2)^π", "round(1/3, 4)", "-2^2", "((", "1,000", "1e5e5", "tan(pi/2)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		start := time.Now()
		got, err := Eval(s)
		if took := time.Since(start); took > 2*time.Second {
			t.Fatalf("took %v", took)
		}
		if err != nil {
			if nacre.KindOf(err) != nacre.Invalid || err.Error() == "" || !utf8.ValidString(err.Error()) {
				t.Fatalf("no sentence: %v", err)
			}
			return
		}
		if len(got) > 200 {
			t.Fatalf("a result of %d bytes", len(got))
		}
		again, err := Eval("(" + s + ")")
		if again != got && !(err != nil && (strings.Contains(err.Error(), "levels") || strings.Contains(err.Error(), "at most"))) {
			t.Errorf("%q gives %q, in parentheses %q, %v", s, got, again, err)
		}
		if strings.HasPrefix(got, "about") {
			return
		}
		if same, err := Eval(got); err != nil || same != got {
			t.Errorf("%q gives %q, which gives %q, %v", s, got, same, err)
		}
	})
}

func BenchmarkEval(b *testing.B) {
	for b.Loop() {
		if _, err := Eval("round(1234.56 * (1 + 19%) / 12, 2)"); err != nil {
			b.Fatal(err)
		}
	}
}
