package terms

import (
	"sync"

	"github.com/blevesearch/snowballstem/english"
)

var englishLexicon = sync.OnceValue(func() *lexicon {
	return newLexicon(func(w string) string { return snowball(english.Stem, w) }, englishSpellings, englishForms)
})

// englishSpellings are the American and British spellings of words.
const englishSpellings = `color colour, favor favour, favorite favourite, neighbor neighbour, neighborhood neighbourhood, honor honour, humor humour, labor labour, flavor flavour,
behavior behaviour, harbor harbour, rumor rumour, center centre, theater theatre, meter metre, liter litre, gray grey, jewelry jewellery, pajamas pyjamas, mom mum, program programme,
organize organise, organization organisation, realize realise, recognize recognise, apologize apologise, memorize memorise, specialize specialise, customize customise, prioritize prioritise, summarize summarise,
enrol enroll, fulfil fulfill, catalog catalogue, dialog dialogue, defense defence, license licence, practice practise, donut doughnut, airplane aeroplane, aluminum aluminium, tire tyre`

// englishForms are the forms of verbs, nouns and adjectives that have little in
// common with their base. Left out are those that more often are words of their
// own, as "rose" and "ground".
const englishForms = `arise arose arisen, awake awoke awoken, beat beaten, become became, begin began begun, bend bent, bind bound, bite bitten, bleed bled, blow blew blown,
break broke broken, breed bred, bring brought, build built, burn burnt, buy bought, catch caught, choose chose chosen, cling clung, come came, creep crept, deal dealt, dig dug,
draw drew drawn, dream dreamt, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found, flee fled, fling flung,
fly flew flown, forbid forbade forbidden, forget forgot forgotten, forgive forgave forgiven, foresee foresaw foreseen, freeze froze frozen, get got gotten, give gave given, go went gone,
grow grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept, kneel knelt, know knew known, lay laid, lead led, lean leant, leap leapt, learn learnt, leave left,
lend lent, lie lain, light lit, lose lost, make made, mean meant, meet met, mislead misled, mistake mistook mistaken, misunderstand misunderstood, outgrow outgrew outgrown,
overcome overcame, overhear overheard, oversleep overslept, overtake overtook overtaken, pay paid, prove proven, rebuild rebuilt, repay repaid, retell retold, rewrite rewrote rewritten,
ride rode ridden, ring rang rung, rise risen, run ran, say said, see saw seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken, shine shone, shoot shot, show shown,
shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept, slide slid, smell smelt, speak spoke spoken, speed sped, spell spelt, spend spent, spill spilt, spin spun,
spit spat, spoil spoilt, spring sprang sprung, stand stood, steal stole stolen, stick stuck, sting stung, stink stank stunk, strike struck stricken, string strung, strive strove striven,
swear swore sworn, sweep swept, swell swollen, swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told, think thought, throw threw thrown,
undergo underwent undergone, understand understood, undertake undertook undertaken, uphold upheld, wake woke woken, wear wore worn, weave wove woven, weep wept, win won,
withdraw withdrew withdrawn, withhold withheld, withstand withstood, write wrote written,
child children, grandchild grandchildren, stepchild stepchildren, schoolchild schoolchildren, man men, woman women, gentleman gentlemen, policeman policemen, fireman firemen, fisherman fishermen,
businessman businessmen, businesswoman businesswomen, salesman salesmen, snowman snowmen, person people, foot feet, tooth teeth, goose geese, mouse mice, louse lice, ox oxen, wife wives,
housewife housewives, knife knives, wolf wolves, half halves, shelf shelves, bookshelf bookshelves, loaf loaves, thief thieves, calf calves, elf elves, scarf scarves, hoof hooves, dwarf dwarves,
cactus cacti, fungus fungi, syllabus syllabi, analysis analyses, crisis crises, thesis theses, diagnosis diagnoses, oasis oases, hypothesis hypotheses, criterion criteria,
phenomenon phenomena, appendix appendices, index indices, matrix matrices, penny pence,
good better best, bad worse worst, far farther farthest further furthest, old older oldest elder eldest, young younger youngest, new newer newest, big bigger biggest, small smaller smallest,
large larger largest, little littlest, tall taller tallest, short shorter shortest, long longer longest, high higher highest, low lower lowest, early earlier earliest, late later latest,
fast faster fastest, slow slower slowest, cheap cheaper cheapest, warm warmer warmest, cold colder coldest, hot hotter hottest, strong stronger strongest, weak weaker weakest, hard harder hardest,
easy easier easiest, happy happier happiest, sad sadder saddest, busy busier busiest, heavy heavier heaviest, healthy healthier healthiest, pretty prettier prettiest, nice nicer nicest,
close closer closest, near nearer nearest, great greater greatest, funny funnier funniest, scary scarier scariest, sweet sweeter sweetest, smart smarter smartest, deep deeper deepest, wide wider widest, rich richer richest, poor poorer poorest, quick quicker quickest, safe safer safest, simple simpler simplest`
