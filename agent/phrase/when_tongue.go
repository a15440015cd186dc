package phrase

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// tongue is how one language speaks of times. Its patterns are for folded text;
// {n}, {wd} and the like stand for words of its lists, see groups.
type tongue struct {
	speech
	courtesy *regexp.Regexp // what may follow it all: "please"
	rules    []compiled
	first    *regexp.Regexp // matches wherever one of the rules may, and mostly not
	apart    *regexp.Regexp // tells a time from the text behind it: "to", ":"
	opens    *regexp.Regexp // begins a text behind a time, and belongs to the time
	closes   *regexp.Regexp // ends a text before a time, and belongs to the time
	ask      *regexp.Regexp // "remind me"
	known    *regexp.Regexp // follows it where something is wanted that was said: "my address"
	same     *regexp.Regexp // is no word for what it is about: "this", "again"
	more     *regexp.Regexp // may stand before another wish of that kind: "and", a mark
	can      *regexp.Regexp // puts it as a question: "can you"
	verb     *regexp.Regexp // ends it, where "remind" does not stand first
	polite   *regexp.Regexp // may stand before a time that stands before it
	wonders  *regexp.Regexp // follows it in a question: "what we said"
	weekday  *regexp.Regexp
	inCity   *regexp.Regexp     // a city behind a preposition, or in brackets
	closing  *regexp.Regexp     // may follow the city
	ofPlace  *regexp.Regexp     // the time that clocks show at a place
	noPlace  *regexp.Regexp     // what may stand there and names none: "lunch" time
	senses   map[string][]sense // by group
}

// speech is a tongue as it is written down.
type speech struct {
	lang     string
	tight    bool // no blanks between words
	numbers  []sense
	numerals string                // a pattern for more of them
	count    func(word string) int // what those mean
	articles []sense               // what else counts: "an hour"
	ordinals []sense
	units    []sense
	adverbs  []sense // "daily", by their unit
	weekdays []sense // Sunday is 0
	plurals  []sense // those that repeat by themselves: "Mondays"
	abbrs    []sense // short names, where nothing else can be meant
	months   []sense
	halves   []sense // what may follow an hour: "in the morning"
	parts    []sense // what may follow a day: "morning"
	shifts   []sense // "half past", in minutes
	and      string  // between weekdays
	in       string  // before the place whose clock counts
	ofPlace  string  // its time, with the name, if it may be one of a city, as {place}
	noPlace  string  // words of which none is in such a name
	rules    []timeRule

	apart, opens, closes                               string
	ask, can, verb, polite, known, same, more, wonders string
}

// sense lists words, set apart by |, that mean the same.
type sense struct {
	words string
	is    int
}

// timeRule recognises a piece of a time. What its groups say counts, too.
type timeRule struct {
	kind    pieceKind
	pattern string
	is      int     // what it says by itself; see pieceKind
	part    part    // a part of the day that its words name
	days    [7]bool // weekdays that its words name
	n       int     // repeat: every so many, where it is not 1
	behind  bool    // only behind another piece
	weak    bool    // people also say it of other things
	err     error
}

type compiled struct {
	timeRule
	re     *regexp.Regexp
	end    int  // the group where the piece ends
	worded bool // it is of this language alone
}

// pieceKind says what a piece is, and what "is" means of its rule.
type pieceKind int

const (
	said   pieceKind = iota // nothing but what its groups say
	after                   // real time from now; is: minutes more than the groups say
	ahead                   // a day; is: days from today
	later                   // so much of the calendar from now
	onDay                   // a weekday; is: which one, see below
	named                   // a time of day; is: its hour, 24 for the midnight
	repeat                  // is: the unit, if the groups say none
	wrong                   // err
)

// Which weekday is meant.
const (
	nearest  = iota // today, if its time is still to come
	upcoming        // not today
	current         // today, where it is that day: "this Monday"
	weekThis        // that of the week that began last Monday
	weekNext        // that of the week that begins next Monday
)

func says(kind pieceKind, is int, pattern string) timeRule {
	return timeRule{kind: kind, is: is, pattern: pattern}
}

func fails(err error, pattern string) timeRule {
	return timeRule{kind: wrong, err: err, pattern: pattern}
}

// What else a rule says.
func (t timeRule) on(p part) timeRule   { t.part = p; return t }
func (t timeRule) times(n int) timeRule { t.n = n; return t }
func (t timeRule) only() timeRule       { t.behind = true; return t }
func (t timeRule) softly() timeRule     { t.weak = true; return t }
func (t timeRule) week(from, to int) timeRule {
	for i := from; i != to; i = (i + 1) % 7 {
		t.days[i] = true
	}
	t.days[to] = true
	return t
}

// tongues stand in the order of grammars. They are compiled at the first use.
var tongues = sync.OnceValue(func() []*tongue {
	var list []*tongue
	for i, s := range []speech{timesEnglish(), timesGerman(), timesSpanish(), timesFrench(), timesChinese()} {
		g := s.compile()
		g.courtesy = grammars()[i].tail
		list = append(list, g)
	}
	return list
})

func (s speech) compile() *tongue {
	g := &tongue{speech: s, senses: s.meanings()}
	words := s.groups()
	build := func(pattern string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + words.Replace(pattern) + `)`) }
	before, behind := `(?:^|[^\pL])`, `$|[^\pL\pN']` // a word
	if s.tight {
		before, behind = ``, ``
	}
	g.compileRules(build, `(?P<end>`+behind+`)`)
	g.apart, g.opens = build(` ?(?:[:–—] ?|- |(?:`+s.apart+`))`), build(`(?:`+s.opens+`)(?:`+behind+`)`)
	g.closes, g.verb = regexp.MustCompile(words.Replace(before+`(?:`+s.closes+`)$`)), regexp.MustCompile(`(?:`+s.verb+`)\W*$`)
	g.can = regexp.MustCompile(before + `(?:` + s.can + `)`)
	g.ask, g.polite, g.known, g.wonders = build(s.ask), build(s.polite), build(s.known), build(s.wonders)
	g.same, g.more = build(`(?:(?:`+s.same+`) ?)+$`), regexp.MustCompile(`[.!?…。、,;]+|`+before+`(?:`+s.more+`)(?:`+behind+`)`)
	g.inCity = build(`(?:\(?(?:` + s.in + `)|\()([a-z]+(?:[ -][a-z]+){0,2})`)
	g.closing, g.noPlace = build(`(?: time)?\)`), regexp.MustCompile(`\b(?:`+s.noPlace+`)\b`)
	g.ofPlace = build(`\(?(?:` + s.ofPlace + `)(?:\)|` + behind + `)`)
	g.weekday = regexp.MustCompile(alternatives(g.senses["wd"]))
	return g
}

// compileRules compiles the rules one by one, and all of them as one pattern
// without groups, so that most texts are tried but once.
func (g *tongue) compileRules(build func(string) *regexp.Regexp, end string) {
	var all []string
	common := everywhere()
	for i, r := range slices.Concat(common, g.speech.rules) {
		re := build(`(?:` + r.pattern + `)` + end)
		g.rules = append(g.rules, compiled{r, re, re.SubexpIndex("end"), i >= len(common)})
		all = append(all, r.pattern)
	}
	named := build(strings.Join(all, "|")).String()
	g.first = regexp.MustCompile(regexp.MustCompile(`\(\?P<\w+>`).ReplaceAllString(named, "(?:"))
}

// meanings are the senses of the words of each group.
func (s *speech) meanings() map[string][]sense {
	counts := slices.Concat(s.numbers, s.articles, s.ordinals)
	return map[string][]sense{
		"n": counts, "n2": counts, "unit": s.units, "unit2": s.units, "adv": s.adverbs, "mo": s.months,
		"h": s.numbers, "d": s.ordinals, "past": s.numbers, "to": s.numbers,
		"half": s.halves, "part": s.parts, "shift": s.shifts, "wd": slices.Concat(s.weekdays, s.plurals, s.abbrs),
	}
}

// groups are the words that patterns name.
func (s *speech) groups() *strings.Replacer {
	group := func(name, pattern string) string { return `(?P<` + name + `>` + pattern + `)` }
	number := func(digits string, senses ...[]sense) string {
		for _, more := range []string{s.numerals, alternatives(slices.Concat(senses...))} {
			if more != "" {
				digits += "|" + more
			}
		}
		return digits
	}
	some := func(name string) string { return group("wd", name+`(?:(?:`+s.and+`)`+name+`)*`) }
	day, plural, abbr := alternatives(s.weekdays), alternatives(s.plurals), alternatives(s.abbrs)
	either := alternatives(slices.Concat(s.weekdays, s.plurals, s.abbrs))
	count, two := number(`\d{1,4}`, s.numbers, s.articles, s.ordinals), number(`\d{1,2}`, s.numbers)
	date, month := number(`\d{1,2}`, s.ordinals), alternatives(s.months)
	if month == "" {
		month = number(`\d{1,2}`)
	}
	return strings.NewReplacer(
		"{n}", group("n", count), "{n2}", group("n2", number(`\d{1,4}`, s.numbers, s.articles)),
		"{unit}", group("unit", alternatives(s.units)), "{unit2}", group("unit2", alternatives(s.units)), "{adv}", group("adv", alternatives(s.adverbs)),
		"{wd}", group("wd", day), "{wd2}", group("wd2", day), "{wds}", some(day), "{plural}", some(plural), "{any}", some(either), "{abbr}", group("wd", abbr),
		"{d}", group("d", date), "{mo}", group("mo", month), "{y}", `(?P<y>\d{4})`,
		"{h}", group("h", two), "{m}", `(?P<m>\d{2})`, "{min}", group("past", two), "{past}", group("past", two), "{to}", group("to", two),
		"{day}", `(?P<d>\d{1,2})`, "{month}", `(?P<mo>\d{1,2})`, "{hour}", `(?P<h>\d{1,2})`,
		"{place}", group("place", `[a-z]+?(?:[ -][a-z]+?){0,2}?`),
		"{half}", group("half", alternatives(s.halves)), "{part}", group("part", alternatives(s.parts)), "{shift}", group("shift", alternatives(s.shifts)),
	)
}

// alternatives is a pattern for the words of some senses, the longest first; empty
// for none.
func alternatives(senses []sense) string {
	if len(senses) == 0 {
		return ""
	}
	var words []string
	for _, s := range senses {
		words = append(words, strings.Split(s.words, "|")...)
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	return `(?:` + strings.Join(words, "|") + `)`
}

// value is what a word of a group means; digits mean themselves.
func (g *tongue) value(group, word string) int {
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	for _, s := range g.senses[group] {
		if slices.Contains(strings.Split(s.words, "|"), word) {
			return s.is
		}
	}
	if word != "" && g.count != nil {
		return g.count(word)
	}
	return 0
}

// starts reports whether a word begins at a place.
func (g *tongue) starts(text string, at int) bool {
	if !utf8.RuneStart(text[at]) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	r, _ := utf8.DecodeRuneInString(text[at:])
	if r == ' ' || at == 0 {
		return r != ' '
	}
	if g.tight && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Han, before)) {
		return true
	}
	return !unicode.IsLetter(before) && !unicode.IsNumber(before) && !strings.ContainsRune("'.:/+-", before)
}

// glued is what must not follow a piece: "9-10", "9.5", "9:00/10:00".
var glued = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ ?[-–~] ?\d|^ ?[:/+.,]\d|^[-–~/+]\pL`) })

// ended reports whether a piece may end at a place.
func ended(text string, at int) bool {
	if glued().MatchString(text[at:]) {
		return false
	}
	return at == len(text) || !joins(text[at]) || !joins(text[at-1])
}

// joins reports whether a byte stands within a word of digits and Latin letters.
func joins(c byte) bool { return digit(c) || 'a' <= c && c <= 'z' }

func digit(c byte) bool { return '0' <= c && c <= '9' }
