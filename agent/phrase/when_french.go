package phrase

func timesFrench() speech {
	const (
		each  = `(?:chaque|tous les|toutes les)`
		month = `(?:de chaque mois|du mois|de tous les mois)`
	)
	return speech{
		lang: "fr",
		numbers: []sense{{"un|une", 1}, {"deux", 2}, {"trois", 3}, {"quatre", 4}, {"cinq", 5}, {"six", 6}, {"sept", 7}, {"huit", 8}, {"neuf", 9}, {"dix", 10},
			{"onze", 11}, {"douze", 12}, {"quinze", 15}, {"vingt", 20}, {"vingt-cinq", 25}, {"trente", 30}, {"quarante", 40}, {"quarante-cinq", 45}},
		ordinals: []sense{{"premier|1er", 1}},
		units: []sense{{"seconde|secondes|sec", int(second)}, {"demi-heure|demi-heures", int(halfHour)}, {"minute|minutes|min|mn", int(minute)}, {"heure|heures|h", int(hour)},
			{"jour|jours", int(daily)}, {"semaine|semaines", int(weekly)}, {"mois", int(monthly)}, {"an|ans|annee|annees", int(yearly)}},
		adverbs:  []sense{{"quotidiennement", int(daily)}, {"mensuellement", int(monthly)}},
		weekdays: []sense{{"dimanche", 0}, {"lundi", 1}, {"mardi", 2}, {"mercredi", 3}, {"jeudi", 4}, {"vendredi", 5}, {"samedi", 6}},
		plurals:  []sense{{"dimanches", 0}, {"lundis", 1}, {"mardis", 2}, {"mercredis", 3}, {"jeudis", 4}, {"vendredis", 5}, {"samedis", 6}},
		months: []sense{{"janvier|janv", 1}, {"fevrier|fevr", 2}, {"mars", 3}, {"avril", 4}, {"mai", 5}, {"juin", 6}, {"juillet|juil", 7},
			{"aout", 8}, {"septembre|sept", 9}, {"octobre|oct", 10}, {"novembre|nov", 11}, {"decembre|dec", 12}},
		halves:  []sense{{"du matin|le matin|au matin", int(morning)}, {"de l'apres-midi|l'apres-midi|de l'apres midi", int(afternoon)}, {"du soir|le soir", int(evening)}},
		parts:   []sense{{"matin|matins", int(morning)}, {"midi|midis", int(noon)}, {"apres-midi|apres midi", int(afternoon)}, {"soir|soirs", int(evening)}},
		shifts:  []sense{{"et demie|et demi", 30}, {"et quart", 15}, {"moins le quart|moins quart", -15}},
		and:     `, et |, | et (?:le |les |chaque )?`,
		in:      `a |au |en |heure de `,
		ofPlace: `heure (?:de |d'|du |a )?[a-z]+`,
		rules: []timeRule{
			fails(errIdiom, `(?:dans|d'ici|tous les) (?:huit|8|quinze|15) jours`),
			fails(errVague, `(?:cette|la) nuit|lundi de (?:paques|pentecote)`),
			says(later, 0, `(?:dans|d'ici) {n} ?{unit}(?:(?:, | et | )?{n2} ?{unit2})?`),
			says(later, 0, `dans (?P<n>\d{1,2}) ?(?P<unit>h) ?(?P<n2>\d{1,2})`),
			says(after, 30, `dans une demi-heure|dans une demi heure`),
			says(after, 15, `dans un quart d'heure`),
			says(after, 45, `dans trois quarts d'heure`),
			says(after, 30, `dans {n} (?P<unit>heures?) et demie`),

			says(ahead, 0, `aujourd'hui|(?:ce|cet) {part}`),
			says(ahead, 1, `demain`),
			says(ahead, 2, `apres-demain|apres demain`),
			says(onDay, nearest, `(?:le |ce )?{wd}`),
			says(onDay, upcoming, `{wd} prochain`),
			says(onDay, weekNext, `(?:le )?{wd} de la semaine prochaine`),
			says(said, 0, `(?:le )?{d} {mo}(?: {y})?`),
			says(said, 0, `le (?P<d>\d{1,2})[/.](?P<mo>\d{1,2})(?:[/.]{y})?`),
			says(said, 0, `le {d}`),

			says(said, 0, `(?:a )?{h} ?(?:h|heures?) ?{m} {half}`),
			says(said, 0, `(?:a )?{h}(?:h| h ){m}`),
			says(said, 0, `(?:a )?{h} ?(?:h|heures?) {min}(?P<end>$|[^\pL ])`), // not "à 8h 10 personnes"
			says(said, 0, `(?:a )?{h} ?(?:h|heures?) {min} {half}`),
			says(said, 0, `(?:a )?{h} ?(?:h|heures?)(?: {shift})?(?: pile)?(?: {half})?`),
			says(said, 0, `(?:a )?{h} ?(?:h|heures?) moins {to}(?: {half})?`),
			says(said, 0, `a {hour}:{m}(?: {half})?`),
			says(named, 12, `(?:a )?(?:12h |douze heures )?midi`),
			says(named, 24, `(?:a )?minuit`),
			says(said, 0, `{part}|{half}`).only(),
			says(said, 0, `(?P<half>(?:le|au) (?:matin|soir)|l'apres-midi)`).softly(),

			says(repeat, 0, each+` (?:{n} ?)?{unit}`),
			says(repeat, 0, `une? {unit} sur deux`).times(2),
			says(repeat, int(hour), `(?:chaque heure|toutes les heures),? (?:a :{m}|et {min})`),
			says(repeat, int(weekly), `une? {wd} sur deux`).times(2),
			says(repeat, 0, `{adv}`).softly(),
			says(repeat, int(daily), each+` {part}`),
			says(repeat, int(weekly), `(?:(?:tous les|chaque|les) {any})`),
			says(repeat, int(weekly), `(?:du )?{wd} (?:au|a) {wd2}`),
			says(repeat, int(weekly), `en semaine|(?:chaque|tous les) jours? (?:de semaine|ouvrables?|ouvres?)|les jours (?:de semaine|ouvrables|ouvres)`).week(1, 5),
			says(repeat, int(weekly), `(?:chaque|tous les|les) week-?ends?`).week(6, 0),
			says(repeat, int(monthly), `(?:le |chaque ){d} `+month),
			says(repeat, int(yearly), `chaque {d} {mo}`),

			fails(errLastDay, `(?:le |chaque )?(?:dernier|premier|deuxieme|troisieme|quatrieme) (?:jour|{wd})(?: ouvrable)? `+month),
			fails(errVague, `(?:la )?semaine prochaine|(?:le )?mois prochain|l'annee prochaine|(?:ce |le )?week-?end|(?:a )?(?:noel|paques|nouvel an)|plus tard|bientot|tout a l'heure|maintenant|hier|(?:a la )?fin (?:du mois|de l'annee|de la semaine)`),
		},
		apart:   `,? ?(?:que|de) |,? ?(?:qu|d)'`,
		opens:   `de \d+h?|{n} fois|pendant|dans|d'ici|a (?:\d+h?|partir|la fin)|chaque|tous les|toutes les|jusqu'?|avant|apres|et|ou|sauf|entre|depuis|vers|a partir|prochaine?|moins|le (?:\d+|{wd}|premier|dernier|[a-z-]+ {mo})|(?:cinq|dix|quinze|vingt|trente|quarante|cinquante)|{n} {unit} (?:avant|apres)|derniere?|passee?|suivante?|en (?:huit|quinze)|pile|pres de|des \d+h?|(?:lun|mar|mer|jeu|ven|sam|dim)(?:$|[,/&-])`,
		closes:  `a|le|chaque|tous les|toutes les|jusqu'a|avant|apres|et|ou|sauf|entre|depuis|vers|pour|prochaine?|heure|heure de [a-z]+|des|{n} {unit}|{n} {unit} (?:avant|apres) .*|^(?:ce|cet|cette)|pas|jamais|^(?:quand|avant|apres|des que) .*|lun|mar|mer|jeu|ven|sam|dim|(?:mi|debut|fin)[- ]{mo}|le [a-z-]+ {mo}`,
		ask:     `(?:s'il (?:te|vous) plait,? )?(?:rappelle|rappelez)-?(?: )?(?:moi|nous)|(?:peux-tu|tu peux|pourrais-tu|tu pourrais|pouvez-vous|vous pouvez|pourriez-vous)(?: s'il (?:te|vous) plait)? (?:me|nous) rappeler|(?:mets|cree|ajoute|programme)(?:-moi)? un rappel(?: pour)?`,
		can:     `(?:peux|pourrais)-tu|tu (?:peux|pourrais)|(?:pouvez|pourriez)-vous|vous pouvez`,
		object:  `(?:que |de |qu'|d')`,
		wonders: `(?:pas|plus|jamais)(?:$|[^\pL])|(?:de |d')?(?:ce (?:que|qu|dont)|quoi|qui|ou|quand|pourquoi|comment|combien|quel|quelle|quels|quelles|si)(?:$|[^\pL])`,
	}
}
