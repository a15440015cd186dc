package canon

import (
	"iter"
	"maps"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
)

// allLanguages are those with stop words and a stemmer.
var allLanguages = []string{"en", "de", "es", "fr", "it", "pt", "nl", "ru", "sv", "da", "no"}

// stemmer returns the Snowball stemmer of a language (snowballstem.org), nil if
// there is none here.
func stemmer(lang string) func(*snowballstem.Env) bool {
	switch lang {
	case "en":
		return english.Stem
	case "de":
		return german.Stem
	case "es":
		return spanish.Stem
	case "fr":
		return french.Stem
	case "it":
		return italian.Stem
	case "pt":
		return portuguese.Stem
	case "nl":
		return dutch.Stem
	case "ru":
		return russian.Stem
	case "sv":
		return swedish.Stem
	case "da":
		return danish.Stem
	case "no", "nb", "nn":
		return norwegian.Stem
	}
	return nil
}

// stem returns the shortest of the stems that langs whose script the word is in
// give it. Which language a lone word belongs to cannot be known, and guessing
// it from the text around would give the same word two stems.
func stem(word string, langs []string) string {
	shortest := word
	first, _ := utf8.DecodeRuneInString(word)
	for _, lang := range langs {
		f := stemmer(lang)
		if f == nil || unicode.Is(unicode.Cyrillic, first) != (lang == "ru") {
			continue
		}
		env := snowballstem.NewEnv(strings.ReplaceAll(word, "ё", "е")) // the stemmer knows only е
		f(env)
		if s := env.Current(); s != "" && len(s) < len(shortest) {
			shortest = s
		}
	}
	return shortest
}

// stopWord reports whether a folded word has no meaning of its own in any of
// langs.
func stopWord(form string, langs []string) bool {
	for _, lang := range langs {
		if stopWords()[lang][form] {
			return true
		}
	}
	return false
}

// StopWords returns the words of a language (ISO 639-1) that have no meaning of
// their own, in small letters and in no order; none for a language without a
// list. Search leaves them out as well.
func StopWords(lang string) iter.Seq[string] { return maps.Keys(stopWords()[lang]) }

// common reports whether a folded word names something so common that alone it
// tells nothing apart.
func common(form string) bool { return commonNames()[form] }

var stopWords = sync.OnceValue(func() map[string]map[string]bool {
	lists := map[string]map[string]bool{}
	for line := range strings.Lines(stopLists) {
		lang, words, _ := strings.Cut(line, ":")
		lists[lang] = set(words)
	}
	for _, alias := range []string{"nb", "nn"} {
		lists[alias] = lists["no"]
	}
	return lists
})

var commonNames = sync.OnceValue(func() map[string]bool { return set(commonList) })

// set returns the words of a list.
func set(list string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(list) {
		words[w] = true
	}
	return words
}

// stopLists hold the stop words of a language a line, folded, and what is left
// of them where an apostrophe was ("don t", "l été").
const stopLists = `en:a about after again all also am an and any are aren as at be because been before being but by can could couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just ll m me more most my myself no nor not now of off on once only or other our ours ourselves out over own re s same she should shouldn so some such t than that the their theirs them themselves then there these they this those through to too under until up ve very was wasn we were weren what when where which while who whom why will with won would wouldn you your yours yourself called named really please
de:aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da damit dann das dass dein deine deinem deinen deiner dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gewesen hab habe haben hat hatte hatten hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jener jetzt kann kein keine keinem keinen keiner können könnte man mein meine meinem meinen meiner mich mir mit muss nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner selbst sich sie sind so solche soll sollte sondern sonst über um und uns unser unsere unter viel vom von vor während war waren was weg weil weiter welche wenn werde werden wie wieder will wir wird wirst wo wollen würde würden zu zum zur zwar zwischen heißt heisst bitte
es:a al algo algunas algunos ante antes como con contra cual cuando de del desde donde durante e el él ella ellas ellos en entre era es esa esas ese eso esos esta está estaba están estar estas este esto estos estoy fue ha había han hasta hay he la las le les lo los más me mi mí mis mucho muy nada ni no nos nosotros nuestra nuestro o os otra otro para pero poco por porque que qué quien se sea ser si sí sin sobre son soy su sus también tanto te tengo tiene todo todos tu tú tus un una uno unos y ya yo llama llamo favor
fr:à ai aie as au aux avais avait avec avez avoir avons c ce ces cet cette d dans de des donc du elle elles en es est et étaient était être eu eux fait fut ici il ils j je l la le les leur leurs lui m ma mais me même mes moi mon n ne nos notre nous on ont ou où par pas plus pour qu que quel quelle qui s sa se ses si son sont suis sur t ta te tes toi ton tout très tu un une vos votre vous y appelle appelles
it:a ad ai al alla alle agli allo anche avere c che chi ci come con cui d da dai dal dalla dei del della delle dello degli di do dove e è ed era essere fa fra gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie miei mio molto ne nei nel nella noi non nostro o per perché più può quale quando quella quello questa questo qui se sei si sia siamo sono sta su sua sue sul sulla suo te ti tra tu tua tuo tutto un una uno vi voi chiama
pt:a à ao aos as às até com como da das de dela dele do dos e é ela elas ele eles em entre era essa esse esta está estava este estou eu foi há isso isto já lhe mais mas me mesmo meu meus minha minhas muito na não nas nem no nos nós nossa nosso num numa o os ou para pela pelo por porque qual quando que quem se sem ser seu seus só sou sua suas também te tem tenho ter tu tua um uma você vocês chama
nl:aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge geen had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je jij jouw kan kon maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat ons onze ook op over reeds te tot u uit uw van veel voor want waren was wat we wel werd wie wij wil worden zal ze zelf zich zij zijn zo zonder zou heet
ru:а без более бы был была были было быть в вам вас весь во вот все всех вы где да даже для до его ее её если есть еще ещё же за здесь и из или им их к как ко когда кто ли мы мне меня моя мой моё мои мое на над нам нас не него нее нет ни них но ну о об он она они оно от по под при с со так также такой там то тоже только том ты у уже чего чем что чтобы эта эти это этот я зовут очень
sv:alla allt att av blev bli blir de dem den denna deras dess det detta dig din dina ditt du där då efter ej eller en er era ett från för ha hade han hans har henne hennes hon honom hur här i icke ingen inom inte jag ju kan kunde man med mellan men mig min mina mitt mot mycket ni nu när någon något och om oss på samma sedan sig sin sina sitt skall skulle som så till under upp ut utan vad var vara vem vi vid vilken år än är över heter
da:af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din dine disse dit dog du efter eller en end er et for fra ham han hans har havde have hende hendes her hos hun hvad hvis hvor i ikke ind jeg jer jo kunne man mange med meget men mig min mine mit mod ned nogen noget nogle nu når og også om op os over på selv sig sin sine sit skal skulle som sådan thi til ud under var vi vil ville vor være været hedder
no:alle at av både ble blir bli da de deg dem den denne der deres det dette din disse du eller en enn er et etter for fra før ha hadde han hans har hennes her hun hva hvem hvis hvor hvordan i ikke inn jeg kan kunne man med meg men mer min mine mitt mot mye nei noe noen nå når og også om opp oss over på samme seg selv sin sine sitt skal skulle slik som så til under ut uten var ved vi vil ville vår være vært heter
`

// commonList are words that are written with a capital, or begin a value, and
// yet are no names: days, months, colours, languages and nations, the largest
// cities and countries, frequent professions.
const commonList = `monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december
montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember lunes martes miércoles jueves viernes sábado domingo lundi mardi mercredi jeudi vendredi samedi dimanche
red green blue yellow black white grey gray brown orange pink purple violet gold silver rot grün blau gelb schwarz weiss grau braun rosa lila rojo verde azul amarillo negro blanco gris rouge vert bleu jaune noir blanc
english german french spanish italian portuguese dutch russian chinese japanese korean arabic turkish polish greek american british deutsch englisch französisch spanisch italienisch inglés alemán francés español anglais allemand français espagnol
berlin hamburg munich münchen cologne köln frankfurt vienna wien zürich zurich bern basel geneva london manchester dublin edinburgh paris lyon marseille madrid barcelona valencia sevilla lisbon lisboa porto rome roma milan milano naples amsterdam rotterdam brussels brüssel copenhagen stockholm oslo helsinki warsaw prague prag budapest athens istanbul ankara moscow kyiv cairo lagos nairobi johannesburg dubai delhi mumbai bangalore karachi dhaka bangkok singapore jakarta manila hanoi shanghai beijing hongkong tokyo osaka seoul sydney melbourne auckland toronto montreal vancouver boston chicago houston dallas seattle miami philadelphia atlanta denver washington bogotá lima santiago
germany deutschland austria österreich switzerland schweiz france frankreich spain spanien españa italy italien italia portugal england scotland wales ireland britain uk usa america canada mexico méxico brazil brasil argentina chile colombia peru china japan korea india pakistan indonesia vietnam thailand australia russia ukraine poland polen greece turkey türkei egypt nigeria kenya israel iran europe europa africa asia netherlands belgium denmark sweden norway finland
yes no true false none unknown single married divorced widowed mother father sister brother son daughter wife husband partner friend dog cat teacher engineer doctor nurse lawyer student manager developer designer driver cook writer artist accountant lehrer lehrerin arzt ärztin ingenieur ingenieurin student studentin anwalt anwältin verkäufer programmierer koch vegetarian vegan vegetarier tea coffee tee kaffee milk milch water wasser pizza pasta football soccer tennis yoga piano guitar`
