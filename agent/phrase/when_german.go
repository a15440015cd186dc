package phrase

func timesGerman() speech {
	const (
		month = `(?:im monat|des monats|jeden monats|eines jeden monats|jeden monat)`
		last  = `(?:letzte[nrs]?|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|vierte[nrs]?|[1-4]\.)`
	)
	return speech{
		lang: "de",
		numbers: []sense{{"ein|eins", 1}, {"zwei|zwo", 2}, {"drei", 3}, {"vier", 4}, {"funf|fuenf", 5}, {"sechs", 6}, {"sieben", 7}, {"acht", 8}, {"neun", 9}, {"zehn", 10},
			{"elf", 11}, {"zwolf|zwoelf", 12}, {"funfzehn|fuenfzehn", 15}, {"zwanzig", 20}, {"dreissig", 30}, {"vierzig", 40}, {"funfundvierzig|fuenfundvierzig", 45}, {"neunzig", 90}},
		articles: []sense{{"einer|einem|einen|eine", 1}},
		ordinals: []sense{{"ersten", 1}, {"zweiten|zweite", 2}, {"dritten|dritte", 3}, {"vierten|vierte", 4}},
		units: []sense{{"sekunde|sekunden|sek", int(second)}, {"halbe stunde|halben stunde", int(halfHour)}, {"minute|minuten|min", int(minute)}, {"stunde|stunden|std|h", int(hour)},
			{"tag|tage|tagen", int(daily)}, {"woche|wochen", int(weekly)}, {"monat|monate|monaten|monats", int(monthly)}, {"jahr|jahre|jahren", int(yearly)}},
		adverbs:  []sense{{"stundlich|stuendlich", int(hour)}, {"taglich|taeglich", int(daily)}, {"wochentlich|woechentlich", int(weekly)}, {"monatlich", int(monthly)}, {"jahrlich|jaehrlich", int(yearly)}},
		weekdays: []sense{{"sonntag", 0}, {"montag", 1}, {"dienstag", 2}, {"mittwoch", 3}, {"donnerstag", 4}, {"freitag", 5}, {"samstag|sonnabend", 6}},
		plurals:  []sense{{"sonntags", 0}, {"montags", 1}, {"dienstags", 2}, {"mittwochs", 3}, {"donnerstags", 4}, {"freitags", 5}, {"samstags|sonnabends", 6}},
		months: []sense{{"januar|janner|jaenner|jan", 1}, {"februar|feber|feb", 2}, {"marz|maerz", 3}, {"april|apr", 4}, {"mai", 5}, {"juni|jun", 6}, {"juli|jul", 7},
			{"august|aug", 8}, {"september|sep|sept", 9}, {"oktober|okt", 10}, {"november|nov", 11}, {"dezember|dez", 12}},
		halves: []sense{{"morgens|in der fruh|in der frueh|am morgen|fruh|frueh", int(morning)}, {"vormittags|am vormittag", int(morning)}, {"mittags|am mittag", int(noon)},
			{"nachmittags|am nachmittag", int(afternoon)}, {"abends|am abend", int(evening)}, {"nachts|in der nacht", int(smallHours)}},
		parts:   []sense{{"fruh|frueh|morgen|vormittag", int(morning)}, {"mittag", int(noon)}, {"nachmittag", int(afternoon)}, {"abend", int(evening)}, {"nacht", int(smallHours)}},
		shifts:  []sense{{"halb", -30}, {"viertel nach", 15}, {"viertel vor", -15}, {"dreiviertel", -15}},
		and:     `, und |, | und (?:jeden )?| ?& ?`,
		in:      `in |nach der zeit in `,
		ofPlace: `(?:nach )?{place}(?:er|ischer|ische)?[ -]zeit|(?:orts|lokal|sommer|winter|normal|welt)zeit`,
		noPlace: `keine?|mehr|viel|wenig|etwas|genug|zur|die|eine?|freie?|meine|deine|unsere|gute|nur|noch|kurz`,
		rules: []timeRule{
			fails(errIdiom, `in acht tagen|alle acht tage`),
			fails(errVague, `(?:heute|morgen|ubermorgen|uebermorgen|{wd}) ?nacht`), // before that day, or after it
			says(later, 0, `(?:heute )?in {n} ?{unit}(?:(?:, | und | )?{n2} ?{unit2})?`),
			says(later, 0, `in (?P<n>\d{1,2}) ?(?P<unit>h) ?(?P<n2>\d{1,2})`),
			says(after, 30, `in (?P<n>\d{1,2}),5 ?(?P<unit>stunden|std|h)`),
			says(after, 30, `in einer halben stunde`),
			says(after, 15, `in einer viertelstunde`),
			says(after, 45, `in einer dreiviertelstunde`),
			says(after, 90, `in (?:anderthalb|eineinhalb) stunden`),
			says(after, 30, `in (?P<n>zwei|drei|vier)einhalb (?P<unit>stunden)`),

			says(ahead, 0, `heute`),
			says(ahead, 1, `morgen`),
			fails(errUnclear, `morg?e?n|mrogen|morgne`), // that, spelled as it comes
			says(ahead, 2, `ubermorgen|uebermorgen`),
			says(onDay, nearest, `(?:am |den |kommenden |am kommenden )?{wd}`),
			says(onDay, current, `(?:an diesem |diesen ){wd}`),
			says(onDay, nearest, `(?:am )?{wd}{part}`), // "Montagabend"
			says(onDay, upcoming, `(?:am )?nachste[nr]? {wd}`),
			says(onDay, weekNext, `(?:am )?{wd}(?: in der)? nachste[rn]? woche`),
			says(onDay, weekNext, `nachste woche(?: am)? {wd}`),
			says(said, 0, `(?:am |den |der )?{d}\.? ?{mo}\.?(?: {y})?`),
			says(said, 0, `(?:am |den )(?P<d>\d{1,2})\. ?(?P<mo>\d{1,2})(?:\.(?: ?{y})?)?`),
			says(said, 0, `am (?P<d>\d{1,2})(?:\.|$)`),

			says(said, 0, `(?:um )?{h} ?uhr(?: {m})?(?: {half})`),
			says(said, 0, `(?:um )?{h} ?uhr`),
			says(said, 0, `(?:um )?{h} ?uhr {m}(?P<end>$|[^\pL ])`), // not "um 18 Uhr 30 Leute"
			says(said, 0, `um {h}(?:[:.]{m})?(?: {half})?`),
			says(said, 0, `(?:um )?{hour}[:.]{m} ?uhr(?: {half})?`),
			says(said, 0, `{hour}:{m} {half}`),
			says(said, 0, `{hour} ?h`),
			says(said, 0, `(?:um )?{shift} {h}(?: uhr)?(?: {half})?`),
			says(said, 0, `(?:um )?{past}(?: minuten)? nach {h}(?: uhr)?(?: {half})?`),
			says(said, 0, `(?:um )?{to}(?: minuten)? vor {h}(?: uhr)?(?: {half})?`),
			says(named, 12, `(?:zu |am )?mittags?`),
			says(named, 24, `(?:um )?mitternacht`),
			says(said, 0, `{part}|{half}`).only(),
			says(said, 0, `(?P<half>morgens|vormittags|nachmittags|abends|nachts|am (?:morgen|vormittag|nachmittag|abend)|in der fruh)`).softly(),

			says(repeat, 0, `(?:jede[nrsm]?|alle) (?:{n} ?)?{unit}`),
			says(repeat, 0, `jede[nrsm]? (?:anderen?|2\.) {unit}`).times(2),
			says(repeat, int(weekly), `jeden (?:zweiten|anderen|2\.) {wd}`).times(2),
			says(repeat, int(hour), `(?:jede stunde|stundlich|stuendlich),? (?:um :{m}|{min}(?: minuten)? nach)`),
			says(repeat, 0, `{adv}`).softly(),
			says(repeat, int(daily), `jeden {part}`),
			says(repeat, int(weekly), `(?:am |an )?jede[nrsm]? {wds}`),
			says(repeat, int(weekly), `{plural}`),
			says(repeat, int(weekly), `(?:von |jeden )?{wd}(?: bis | ?[-–] ?){wd2}`),
			says(repeat, int(weekly), `werktags|wochentags|unter der woche|(?:an )?(?:jedem|jeden|allen) (?:werktag|werktagen|wochentag|wochentagen|arbeitstag|arbeitstagen)|an (?:werktagen|wochentagen|arbeitstagen)`).week(1, 5),
			says(repeat, int(weekly), `(?:an )?(?:jedes|jedem) wochenende|an wochenenden`).week(6, 0),
			says(repeat, int(monthly), `(?:am |jeden ){d}\.? `+month),
			says(repeat, int(yearly), `jeden {d}\.? ?{mo}`),

			fails(errLastDay, `(?:am |jeden )?`+last+` (?:tag|werktag|{wd}) `+month),
			fails(errLastDay, `jeden (?:letzten|ersten|dritten|vierten|[134]\.) {wd}`),
			fails(errVague, `(?:nachste|diese|kommende)[nrs]? (?:woche|wochenende|monat|jahr)|am wochenende|(?:an |zu )?(?:weihnachten|heiligabend|ostern|pfingsten|silvester|neujahr)|spater|spaeter|bald|irgendwann|demnachst|gleich|ende (?:der woche|des monats|des jahres)|(?:am )?monatsende`),
			fails(errPast, `(?:vor)?gestern`),
			fails(errNever, `jetzt|sofort`),
			fails(errTwo, `{wd}s?\pL{3,}`), // "Freitagssitzung", whose time may be meant
		},
		apart:   `,? ?(?:daran |dran |zu )?erinnern(?:,? (?:dass|zu|an))?,? |,? ?(?:daran|dran),? (?:(?:dass|zu|an) )?|,? ?(?:dass|zu|an|wegen|ans) `,
		opens:   `um|in|{n} ?mal|zweimal|dreimal|{n} {unit} lang|fur {n} {unit}|alle paar|von \d+|von {wd}|jede[nrs]?|alle {n}|bis|und|oder|ausser|gegen|zwischen|ab|seit|nachste[nrs]?|letzte[nrs]?|viertel|halb|herum|tagsuber|(?:vor|nach) de[mr]|beim (?:fruhstuck|essen|mittagessen|abendessen)|am [a-z]+ten|(?:zehn|zwanzig|[a-z]+zehn|[a-z]+zig|dreissig)|{n} {unit} (?:vor|nach)|(?:mo|di|mi|do|fr|sa|so)(?:$|[,/&-])`,
		closes:  `um|am|jede[nrs]?|alle|bis|und|oder|ausser|gegen|zwischen|ab|seit|vor|nach|nachste[nrs]?|letzte[nrs]?|von|halb|viertel|fur|\pL* ?zeit|punkt|\d+\.|{n} {unit}|{n} {unit} (?:vor|nach) .*|^diese[nrsm]?|nicht|nie|^(?:wenn|sobald|bevor|nachdem) .*|mo|di|mi|do|fr|sa|so|(?:ubernachste|uebernachste)[nrs]?(?: woche)?|(?:anfang|mitte|ende|[a-z]+ten) {mo}|am [a-z]+(?:ten|tag)|[a-z0-9-]+tagig|(?:zwei|drei|vier)wochentlich|(?:viertel|halb)jahrlich`,
		ask:     `(?:bitte )?(?:erinnere?|erinnern sie) (?:mich|uns)(?: bitte| mal)*|(?:kannst|konntest|konnten|konnen|wurdest|wurden) (?:du|sie) (?:mich|uns)(?: bitte)?(?P<rest> (?:.* )?erinnern(?:$|[^\pL]).*)|(?P<rest>(?:an|ans|daran) .*erinnern\W*$)|wecke?n? (?:sie )?(?:mich|uns)(?: bitte)?|(?:stelle?|setze?|erstelle?|mache?)(?: mir)?(?: bitte)? (?:(?:eine )?erinnerung|(?:einen|den) wecker)(?: fur| auf)?`,
		can:     `(?:kannst|konntest|konnten|konnen|wurdest|wurden) (?:du|sie)`,
		verb:    ` (?:daran )?erinnern`,
		known:   `none`,
		same:    `(?:daran|hieran|an )?(?:das|dies|dran|daran|hieran)|noch ?mal|nochmals|wieder|erneut`,
		more:    `und|dann`,
		wonders: `(?:bitte )?(?:nicht|nie)(?:$|[^\pL])|(?:(?:noch ?mal|nochmals|bitte),? )?(?:daran,? )?(?:was|wer|wen|wem|wo|wann|warum|wie|welche[rsnm]?|ob|woran)(?:$|[^\pL])`,
	}
}
