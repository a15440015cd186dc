package terms

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem/russian"
)

// russianYo writes ё as е, which the stemmer knows.
func russianYo(word string) string { return strings.ReplaceAll(word, "ё", "е") }

var russianLexicon = sync.OnceValue(func() *lexicon {
	return newLexicon(func(w string) string { return snowball(russian.Stem, russianYo(w)) }, russianForms, "")
})

const russianForms = `друг друзья друзей друзьям друзьями друзьях, человек люди людей людям людьми, ребенок дети детей детям детьми, идти иду идешь идет идем идут шел шла шли,
пойти пойду пойдет пошел пошла пошли, прийти приду придет пришел пришла пришли, уйти уйду уйдет ушел ушла ушли, ехать еду едет едут поехал, есть ем ест едят ел ела ели съел съела,
пить пью пьет пьют, взять возьму возьмет взял, дать дам даст, писать пишу пишет пишут, искать ищу ищет ищут, хотеть хочу хочет хотят хотим, мочь могу может могут мог могла могли,
мать матери матерью, дочь дочери дочерью, время времени временем, имя имени имена, брат братья братьев, сын сыновья сыновей, стул стулья стульев, хороший лучше лучший, плохой хуже худший`
