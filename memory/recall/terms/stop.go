package terms

import (
	"strings"
	"sync"

	"nacre/memory/canon"
)

// function says of which of an Analyzer's languages a word is a function word, a
// bit each.
type function struct {
	always    uint32 // whatever the text is in
	sometimes uint32 // only in a text in one of these: elsewhere the word means something
}

// stop reports whether the word has no meaning of its own in a text in a
// language.
func (f function) stop(lang int) bool {
	return f.always != 0 || f.sometimes>>lang&1 != 0
}

// function returns what is known of a word; without accents it is taken for
// what it may have been.
func (a *Analyzer) function(l *lexeme) function {
	words := a.functions()
	if f, ok := words[l.word]; ok {
		return f
	}
	return function{sometimes: words[l.form].sometimes}
}

// functionWords returns the function words of languages.
func functionWords(languages []*language) map[string]function {
	words := map[string]function{}
	for i, l := range languages {
		bit := uint32(1) << i
		for w := range canon.StopWords(l.code) {
			if w != "won" { // left of "won't", it says there
				addFunction(words, w, bit)
			}
		}
		for w := range strings.FieldsSeq(moreFunctionWords()[l.code]) {
			addFunction(words, w, bit)
		}
	}
	return words
}

func addFunction(words map[string]function, word string, bit uint32) {
	f := words[word]
	if ambiguous()[word] {
		f.sometimes |= bit
	} else {
		f.always |= bit
	}
	words[word] = f
	if plain := fold(word); plain != word {
		f = words[plain]
		f.sometimes |= bit
		words[plain] = f
	}
}

// ambiguous are function words of one language that mean something in another.
var ambiguous = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(ambiguousList) {
		set[w] = true
	}
	return set
})

const ambiguousList = `die war hat man bin den nun dies also mit gut once or not will can
son sin ante era sea os hay todo todos con al favor mi tan nada
car pour ton sur sans plus comment ai aux tout mes comme fort or elle moi
come dove due ad tra mia per dai sue sta sei chi io
com mas dos do um sua das
men met van want toe dan hem hoe door meer ben daar uit over die naar tot bij
dig din hans mine till jag under for her han mot vid sig gang
ten ta to by co jest sa tym tak na do po od za
bir ben sen en ve o bu on da de
se ne te el le la un una me a az ez is`

// moreFunctionWords are function words of languages, by their codes: what the
// stop words lack for a chat, and the lists of languages that have none.
var moreFunctionWords = sync.OnceValue(func() map[string]string {
	lists := map[string]string{}
	for line := range strings.Lines(functionLists) {
		code, words, _ := strings.Cut(line, ":")
		lists[code] = words
	}
	return lists
})

const functionLists = `en:wo us ya let lets im ive id youre youve theyre thats whats isnt dont doesnt didnt cant couldnt wont wasnt gonna wanna oh yeah ok okay hey hi hello wow yes shall might must upon without within every since whose would mine eg ie etc
de:dir wem wen wessen wann warum wieso weshalb welcher welches welchem welchen mal ihnen ihres eures dessen deren dazu daran darauf dafür dabei davon darüber eben halt ganz mehr sehr immer nein okay hast habt hätte hätten wäre wären seid bist worden geworden wurde wurden soll sollen muss müssen darf gegen bis seit ohne zb etc usw
es:cuándo dónde cómo cuánto cuánta cuántos cuántas quiénes cuál cuáles he has hemos han había habían soy eres somos fueron sería aquel aquella tampoco cada sino aunque mientras entonces así ahora aquí allí
fr:quand comment pourquoi combien lequel laquelle quels quelles car chez vers sous entre depuis aussi alors encore toujours jamais rien oui non ça cela ceci toi elles étais avez serai sera serait jusque lorsque puisque lorsqu puisqu jusqu quelqu aujourd
it:perchè quanto quanta quanti quante quali quelli quelle questi queste avevo aveva ancora sempre mai già così allora qui lì
pt:quais quanto quantos onde porquê estão estava tinha tive fui vou vai nunca sempre agora aqui ali
nl:waar wanneer waarom welke hoeveel heb hebt had hadden bent zijn werden kunnen moeten mag altijd nooit
pl:a aby ale bardzo bez bo być był była było były będzie będę ci co czy czego czemu dla do dlaczego gdy gdzie go i ich ile im ja jak jaki jaka jakie jego jej jest jestem jesteś jeśli jeszcze już kiedy kto która które który ma mam mi mnie mój moja moje może my na nad nam nas nasz nie nic niż o od on ona one oni ono oraz po pod ponieważ przed przez przy są się skąd swój ta tak tam te tego tej ten to tobie tu twój tylko ty tym u w was we wszystko więc z za ze że żeby
cs:a aby aj ale ani ano asi až bez bude budem budeš by byl byla byli bylo být co což či do ho i já jak jaký jaká jaké je jeho její jejich jen ještě ji jich jsem jsi jsme jsou jste k kam kde kdo kdy když ke která které který kteří mě mi mně moje můj má mám máš my na nad nám nás ne není než nic o od on ona oni po pod pokud pro proč protože před přes při s se si sice ta tak také tam tě ten tedy to toho tom tu tvůj ty u už v vám vás ve však z za ze že
fi:ei en et eivät emme ette että he hän hänen ja jo joka jos jotka kanssa kun kuin kuka koska missä mikä mitä milloin miksi me minä minun minulla minut mutta myös ne niin nyt on ole olen olet oli olin olivat ollut se sen siellä sinä sinun tai te tämä tuo vai vain vielä
hu:a az és egy hogy nem is van volt voltam vagy de ha mert mi mit mikor hol ki kit miért én te ő mi ti ők ez ezt azt meg már még csak nagyon lesz vagyok vagyunk vannak nekem neked volna
ro:a ai al ale am ar are aș că care ce cel cea cine cu cum când da de din dar deci după ea ei el ele este eu fi fost la mai mi mea meu mea în îi îmi îți lor lui nu noi o pe pentru sau se si și sunt sa să te tu un una unde unei unui voi vom
tr:ama bana bazı ben beni benim bir biz bizim bu bunu çok da daha de değil diye en gibi hangi hem hep hiç için ile ise kadar ki kim mi mı mu mü nasıl ne neden nerede nereye niçin o olan olarak oldu onu onun şu sen senin siz sizin şey ve veya ya yok var zaman
uk:а або але б без бо бути був була було були в ви від він вона вони воно все для до є з за і із й її їх його коли котрий ле ми мене мені мій моя моє на не ні ну об один під по при про та так такий там те ти тому тут у хто це цей ця чи чому що щоб як який яка яке які
ar:في من على إلى عن مع هذا هذه ذلك تلك التي الذي أن إن أو و ثم لا ما لم لن هل قد كان كانت هو هي هم أنا أنت نحن كل بعد قبل عند كيف متى أين لماذا ماذا يا
el:και να το τα ο η οι του της των τον την τους τις σε στο στη στην με για από που πού πώς πως τι ποιος ποια ποιο πότε γιατί είναι ήταν είμαι έχω έχει δεν δε μη μην θα ας ή αν μου σου μας σας αυτό αυτός αυτή ένα ένας μια
`
