package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre/agent/phrase"
)

// words returns the meaningful words of a text, folded so that case, accents
// and the plural do not matter. A Chinese character is a word of its own,
// because nothing separates words there.
func words(text string) map[string]bool {
	out := map[string]bool{}
	var b strings.Builder
	flush := func() {
		if w := b.String(); utf8.RuneCountInString(w) > 1 && !stop[w] {
			out[singular(w)] = true
		}
		b.Reset()
	}
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.Is(unicode.Han, r):
			flush()
			if !strings.ContainsRune(stopHan, r) {
				out[string(r)] = true
			}
		case unicode.Is(unicode.Mn, r): // the accent of a decomposed letter
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			b.WriteString(phrase.Bare(r))
		default:
			flush()
		}
	}
	flush()
	return out
}

// singular strips the endings by which plurals differ from singulars: -s, -es,
// -en and -e. It is crude, but it is applied to both sides of a comparison.
func singular(w string) string {
	for _, ending := range []string{"s", "en", "e"} {
		if cut, ok := strings.CutSuffix(w, ending); ok && len(cut) > 2 && !strings.HasSuffix(w, "ss") {
			w = cut
		}
	}
	if cut, ok := strings.CutSuffix(w, "i"); ok && len(cut) > 2 {
		w = cut + "y" // stories, story
	}
	return w
}

// stop are folded words that carry no meaning in a question or statement.
var stop = wordSet(`
a am an and any are as at be been but by can could did do does for from had has have he her his how i in is it its
know me mine my not of on or our remember say said she should so tell that the their them they this to told was we
were what when where which who whom whose why will with would you your about there if then just re ve ll

aber als am an auf aus bei bin bist da das dass dein deine deinen dem den denn der des die dir dich du ein eine einem
einen einer er es fur gesagt habe haben hast hat ich ihr im in ist ja kann kennst man mein meine meinen meinem meiner
mich mir mit nicht noch nur ob oder sie sind so um und uns vom von vor wann war waren warum was weisst welche welcher
welches wem wen wenn wer wie wir wo zu zum zur uber erinnerst

al como con cual cuando cuanto de del dije donde el ella en era eres es esta estan este eso fue ha han he la las lo
los me mi mis muy no nos para pero por que quien recuerda recuerdas sabes se si sin sobre son soy su sus te tengo
tiene tu tus un una uno ya yo

ai as au aux avec ce cela ces cette comme dans de des dit donc du elle en es est et eu il ils je la le les leur lui
ma mais me mes moi mon ne nous on ou par pas pour qu quand que quel quelle quels quelles qui sa sais ses son sont
souviens suis sur ta te tes toi ton tu un une vos votre vous`)

// stopHan are the characters of such words in Chinese.
const stopHan = "的了吗嗎呢吧啊呀是我你您他她它们們在有和就都也还還很不没沒这這那个個什么麼谁誰哪里裡儿兒几幾怎样樣为為多少请請问問把被给給记記得说說过過"

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
