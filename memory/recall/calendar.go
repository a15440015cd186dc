package recall

import (
	"strings"
	"sync"
)

// role is what a word does when people say when something is.
type role uint8

const (
	isDay        role = iota + 1 // "yesterday"; the value counts days from today
	isWhich                      // "last", "next": before what it is of, or after
	isNumber                     // "two"
	isUnit                       // "week"; the value is a unit
	isMonth                      // "March"; the value counts from 1
	isWeekday                    // "Friday"; the value counts from 0 for Monday
	isAgo                        // "two weeks ago"
	isBefore                     // "vor zwei Wochen", "il y a deux semaines"
	isNothing                    // "of", "the": may stand in between
	isMonthMaybe                 // "may", "march": a month only where it looks like one
)

// The units of time.
const (
	partOfDay = iota // morning, night
	oneDay
	oneWeek
	weekend
	oneMonth
	oneYear
)

// dateWord is a word of the calendar.
type dateWord struct {
	role  role
	value int
}

// calendar knows the words by which people say when, in English, German, French
// and Spanish, as package terms folds them. Values count up from the one given,
// words between bars share one.
var calendar = sync.OnceValue(func() map[string]dateWord {
	known := map[string]dateWord{}
	for _, row := range []struct {
		role  role
		first int
		words string
	}{
		{isDay, -2, "vorgestern anteayer antier | yesterday gestern hier ayer | today tonight heute hoy | tomorrow morgen demain manana | ubermorgen"},
		{isWhich, -1, "last past previous letzte letzten letzter letztes letztem vorige vorigen voriger voriges vergangene vergangenen dernier derniere passe passee pasado pasada ultimo ultima" +
			" | this current diese diesen dieser dieses diesem ce cet cette este esta | next coming nachste nachsten nachster nachstes nachstem kommende kommenden prochain prochaine proximo proxima"},
		{isNumber, 1, "a an one ein eine einem einen einer un une uno una once | two couple twice zwei paar deux dos | three few drei trois tres | four vier quatre cuatro | five funf cinq cinco | six sechs seis" +
			" | seven sieben sept siete | eight acht huit ocho | nine neun neuf nueve | ten zehn dix diez | eleven elf onze | twelve dozen zwolf douze doce"},
		{isUnit, partOfDay, "morning afternoon evening night nacht abend matin soir nuit noche tarde | day days tag tage tagen tages jour jours dia dias | week weeks woche wochen semaine semaines semana semanas" +
			" | weekend weekends wochenende wochenenden | month months monat monate monaten monats mois mes meses | year years jahr jahre jahren jahres an ans annee annees ano anos"},
		{isMonth, 1, "january januar janner janvier enero jan | february februar fevrier febrero feb | marz marzo | april avril abril apr | mai mayo | june juni juin junio jun | july juli juillet julio jul" +
			" | august aout agosto aug | september septembre septiembre sept sep | october oktober octobre octubre oct okt | november novembre noviembre nov | december dezember decembre diciembre dec dez"},
		{isMonthMaybe, 3, "march mars | | may"},
		{isWeekday, 0, "monday montag lundi lunes mon | tuesday dienstag mardi martes tue tues | wednesday mittwoch mercredi miercoles wed | thursday donnerstag jeudi jueves thu thurs | friday freitag vendredi viernes fri" +
			" | saturday samstag sonnabend samedi sabado | sunday sonntag dimanche domingo"},
		{isAgo, 0, "ago back earlier"},
		{isBefore, 0, "vor hace ya"},
		{isNothing, 0, "of the de del der den dem la le el l"},
	} {
		for i, same := range strings.Split(row.words, "|") {
			for _, word := range strings.Fields(same) {
				known[word] = dateWord{row.role, row.first + i}
			}
		}
	}
	return known
})
