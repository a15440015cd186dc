package phrase

func timesSpanish() speech {
	const (
		each  = `(?:cada|tod[oa]s l[oa]s)`
		month = `(?:de cada mes|del mes|de todos los meses)`
		to    = ` a (?:el |la |los |las )?`
	)
	return speech{
		lang: "es",
		numbers: []sense{{"un|uno|una", 1}, {"dos", 2}, {"tres", 3}, {"cuatro", 4}, {"cinco", 5}, {"seis", 6}, {"siete", 7}, {"ocho", 8}, {"nueve", 9}, {"diez", 10},
			{"once", 11}, {"doce", 12}, {"quince", 15}, {"veinte", 20}, {"veinticinco", 25}, {"treinta", 30}, {"cuarenta", 40}, {"cuarenta y cinco", 45}, {"noventa", 90}},
		ordinals: []sense{{"primero|1ro|1o|1º", 1}},
		units: []sense{{"segundo|segundos|seg", int(second)}, {"media hora", int(halfHour)}, {"minuto|minutos|min|mins", int(minute)}, {"hora|horas|h", int(hour)},
			{"dia|dias", int(daily)}, {"semana|semanas", int(weekly)}, {"mes|meses", int(monthly)}, {"ano|anos", int(yearly)}},
		adverbs:  []sense{{"diariamente|a diario", int(daily)}, {"semanalmente", int(weekly)}, {"mensualmente", int(monthly)}, {"anualmente", int(yearly)}},
		weekdays: []sense{{"domingo", 0}, {"lunes", 1}, {"martes", 2}, {"miercoles", 3}, {"jueves", 4}, {"viernes", 5}, {"sabado", 6}},
		plurals:  []sense{{"domingos", 0}, {"lunes", 1}, {"martes", 2}, {"miercoles", 3}, {"jueves", 4}, {"viernes", 5}, {"sabados", 6}},
		months: []sense{{"enero|ene", 1}, {"febrero|feb", 2}, {"marzo", 3}, {"abril|abr", 4}, {"mayo", 5}, {"junio|jun", 6}, {"julio|jul", 7},
			{"agosto|ago", 8}, {"septiembre|setiembre|sept|sep", 9}, {"octubre|oct", 10}, {"noviembre|nov", 11}, {"diciembre|dic", 12}},
		halves: []sense{{"am|a.m.|a. m.", int(am)}, {"pm|p.m.|p. m.", int(pm)}, {"de la manana|por la manana|en la manana", int(morning)}, {"del mediodia", int(noon)},
			{"de la tarde|por la tarde|en la tarde", int(afternoon)}, {"de la noche|por la noche|en la noche", int(night)}, {"de la madrugada|de madrugada", int(smallHours)}},
		parts:   []sense{{"manana", int(morning)}, {"tarde", int(afternoon)}, {"noche", int(night)}, {"madrugada", int(smallHours)}},
		shifts:  []sense{{"y media", 30}, {"y cuarto", 15}, {"menos cuarto", -15}},
		and:     `, y |, | y (?:el |los |cada )?`,
		in:      `en |hora de `,
		ofPlace: `hora (?:de |del |en )?[a-z]+`,
		rules: []timeRule{
			fails(errIdiom, `(?:en|dentro de|cada) (?:ocho|8|quince|15) dias`),
			says(later, 0, `(?:en|dentro de) {n} ?{unit}(?:(?:, | y | )?{n2} ?{unit2})?`),
			says(later, 0, `en (?P<n>\d{1,2}) ?(?P<unit>h) ?(?P<n2>\d{1,2})`),
			says(after, 30, `(?:en|dentro de) media hora`),
			says(after, 15, `(?:en|dentro de) un cuarto de hora`),
			says(after, 45, `(?:en|dentro de) tres cuartos de hora`),
			says(after, 30, `(?:en|dentro de) {n} (?P<unit>horas?) y media`),

			says(ahead, 0, `hoy`),
			says(ahead, 0, `esta {part}`),
			says(ahead, 1, `manana`),
			says(ahead, 2, `pasado manana`),
			says(onDay, nearest, `(?:(?:el|este|el proximo) )?{wd}`),
			says(onDay, upcoming, `(?:el )?(?:proximo {wd}|{wd} que viene)`),
			says(onDay, weekNext, `(?:el )?{wd} de la (?:semana que viene|proxima semana)`),
			says(said, 0, `(?:el )?(?:dia )?{d} de {mo}(?: (?:de |del )?{y})?`),
			says(said, 0, `el (?:dia )?(?P<d>\d{1,2})[/-](?P<mo>\d{1,2})(?:[/-]{y})?`),
			says(said, 0, `el (?:dia )?{d}`),

			says(said, 0, `a las? {h}(?:[:.]{m}| y {min}|,? {shift})?(?: ?(?:h|hs|horas))?(?: en punto)?(?: ?{half})?`),
			says(said, 0, `a las? {h} menos {to}(?: ?{half})?`),
			says(said, 0, `{hour}(?::{m})? ?(?:h|hs|horas)?(?: ?{half})`),
			says(said, 0, `{hour}(?::{m})? ?(?:h|hs|horas)`),
			says(named, 12, `a(?:l)? mediodia|a las 12 del mediodia`),
			says(named, 24, `a (?:la )?medianoche`),
			says(said, 0, `{half}`).only(),
			says(said, 0, `(?P<half>(?:por|en|de) la (?:manana|tarde|noche)|de madrugada)`).softly(),

			says(repeat, 0, each+` (?:{n} ?)?{unit}`),
			says(repeat, 0, `un {unit} si y otro no`).times(2),
			says(repeat, int(hour), `cada hora,? (?:a las? )?(?::{m}|y {min})`),
			says(repeat, 0, `{adv}`).softly(),
			says(repeat, int(daily), each+` {part}s?`),
			says(repeat, int(weekly), `(?:un {wd} si y otro no)`).times(2),
			says(repeat, int(weekly), `cada dos {any}`).times(2),
			says(repeat, int(weekly), `(?:todos los|cada|los) {any}`),
			says(repeat, int(weekly), `(?:todos los dias )?(?:de |del )?{wd}`+to+`{wd2}`),
			says(repeat, int(weekly), `(?:entre semana|(?:todos )?los dias (?:laborables|habiles|de semana|de diario)|(?:cada|todos los) dias? (?:laborables?|habiles|habil))`).week(1, 5),
			says(repeat, int(weekly), `(?:cada fin de semana|(?:todos )?los fines de semana)`).week(6, 0),
			says(repeat, int(monthly), `(?:el|cada) (?:dia )?{d} `+month),
			says(repeat, int(yearly), `cada {d} de {mo}`),

			fails(errLastDay, `(?:el )?(?:ultimo|primer|segundo|tercer|cuarto) (?:dia|{wd})(?: habil)? `+month),
			fails(errVague, `(?:la )?(?:proxima semana|semana que viene)|(?:el )?(?:proximo mes|mes que viene|proximo ano|ano que viene)|(?:este|el) fin de semana|(?:en )?(?:navidad|nochebuena|nochevieja|pascua|semana santa|ano nuevo)|mas tarde|luego|pronto|ahora|ayer|anteayer|(?:a )?fin(?:es|ales)? de (?:mes|ano|semana)`),
		},
		apart:   `,? ?(?:que|de que) |de `,
		opens:   `de \d+|{n} veces|durante|por {n} {unit}|a eso de|dentro de|de las? \d+|a las?|cada|tod[oa]s l[oa]s|hasta|antes|despues|y|o|excepto|salvo|entre|desde|a partir|el proximo|sobre|hacia|en|pasad[oa]|siguiente|(?:cinco|diez|quince|veinte|veinticinco|treinta|cuarenta|cincuenta)|{n} {unit} (?:antes|despues)|(?:tarde|noche)$|a primera hora|a ultima hora|al (?:amanecer|atardecer|anochecer)|el [a-z]+ de {mo}|(?:lun|mar|mie|jue|vie|sab|dom)(?:$|[,/&-])`,
		closes:  `a|a las?|el|cada|tod[oa]s l[oa]s|hasta|antes del?|despues del?|y|o|excepto|salvo|entre|desde|sobre|hacia|para|proximo|hora|hora de [a-z]+|lun|mar|mie|jue|vie|sab|dom|[lmxjvsd](?:[- ,/]+[lmxjvsd])+|{n} {unit}|{n} {unit} (?:antes|despues) .*|^est[ea]|no|nunca|^(?:cuando|antes|despues) .*|de {mo}`,
		ask:     `(?:por favor,? )?(?:recuerdame|recuerdeme|recuerdanos|avisame|recordarme|acuerdame)(?: por favor)?|(?:puedes|podrias|puede|podria) (?:por favor )?(?:recordarme|avisarme)|me (?:puedes|podrias|puede|podria) (?:por favor )?(?:recordar|avisar)|me (?:recuerdas|recuerda|avisas)|(?:pon(?:me)?|crea(?:me)?|programa(?:me)?|anade) (?:un )?recordatorio(?: para)?|quiero que me recuerdes`,
		can:     `puedes|podrias|puede|podria|me (?:recuerdas|recuerda|avisas)`,
		object:  `(?:que |(?:de )?[a-z]+[aei]r(?:me|te|le|lo|la|los|las|les|se|nos)?(?:$|[^\pL]))`,
		wonders: `(?:de )?(?:que (?:te|me|le|nos) |que (?:dij[a-z]+|hicimos|hablamos|habl[eo]|paso|hay|tengo|tenia|era)|que es|quien|quienes|donde|cuando|por que|como|cual|cuales|cuanto|si)(?:$|[^\pL])?`,
	}
}
