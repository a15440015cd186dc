package phrase

func spanish() grammar {
	const (
		who = `(?:qué|quién|quiénes|dónde|adónde|cuándo|por qué|cómo|cuál|cuáles|cuánto|cuánta|cuántos|cuántas)`
		// Without its accent a question word is mostly a conjunction.
		bare = `(?:(?:quien|cual) (?:es|son|era)|que (?:te )?dije|como se llama|donde (?:vivo|vive|est[aá]))`
		that = `(?: esto)?(?:,? que|:)?`
		in   = `(?: ahora(?: mismo)?)?(?: en PLACE)?(?: ahora(?: mismo)?| por favor)?`
	)
	return grammar{
		lang: "es",
		lead: leading(`hola|buenos d[ií]as|buenas tardes|buenas noches|buenas|ok|vale|bueno|y|ah|oye|por favor|gracias|no,|s[ií]|perd[oó]n|por cierto|nacre|@[\w]+|(?:quiero|necesito|me gustaría) que`),
		tail: trailing(`por favor|porfa|gracias|ok|vale`),
		rules: []rule{
			whole(Greeting, `(?:hola|buenas|buen d[ií]a|buenos d[ií]as|buenas (?:tardes|noches)|saludos)(?:,? nacre| a todos| de nuevo| otra vez)*`),
			whole(Greeting, `(?:qu[eé] tal|c[oó]mo est[aá]s?|c[oó]mo va)(?: hoy| todo)?`),
			whole(Thanks, `(?:muchas |muchísimas |mil )?gracias(?: de nuevo|,? nacre| por (?:todo|eso|tu ayuda|la ayuda))*`),

			whole(Reminders, `(?:qu[eé]|cu[aá]les) recordatorios (?:tengo|hay|est[aá]n (?:activos|puestos))(?: puestos| pendientes| activos)?`),
			whole(Reminders, `(?:cu[aá]les son )?mis recordatorios`),
			whole(Reminders, `tengo (?:alg[uú]n recordatorio|recordatorios)(?: pendientes?)?`),
			whole(Reminders, `(?:mu[eé]strame|dime|ens[eé]ñame|lista)(?: por favor)?(?: todos)? (?:mis|los) recordatorios`),

			whole(Change, `(?:por favor,? )?(?:borra|elimina|cancela|quita|pausa|para|cambia|mueve|pospón|pospon)(?: todos)?(?: (?:el|los|mi|mis|este|estos))?(?: [uú]ltimo)? (?:recordatorios?|tareas?|alarmas?)(?: (?:n[uú]mero |n\.?[oº] ?|#)?\d+)?(?: por favor)?`),
			whole(Change, `posponer|pospón|snooze`),

			whole(TimeQuestion, `qu[eé] hora (?:es|tienes)`+in),
			whole(TimeQuestion, `qu[eé] (?:d[ií]a|fecha) (?:es|estamos)(?: hoy)?`+in),
			whole(TimeQuestion, `(?:a|en) qu[eé] (?:d[ií]a|fecha) (?:estamos|es)(?: hoy)?`),
			whole(TimeQuestion, `(?:a cu[aá]nto estamos|cu[aá]l es la (?:fecha|hora))(?: de hoy| hoy| actual)?`+in),
			whole(TimeQuestion, `(?:sabes|dime|me dices|puedes decirme) (?:qu[eé] hora es|la hora|qu[eé] d[ií]a es(?: hoy)?)`+in),

			begins(Remember, `(?:puedes|podr[ií]as) (?:por favor )?(?:recordar|anotar|apuntar),? que`).asks(),
			begins(Forget, `(?:puedes|podr[ií]as) (?:por favor )?olvidar(?:te de)?(?: que)?`).asks(),

			// What "esto" is was said before.
			whole(None, `recu[eé]rdalo|an[oó]talo|ap[uú]ntalo|(?:recuerda|anota|apunta|guarda|memoriza|acu[eé]rdate de|no (?:te )?olvides(?: de)?) (?:esto|eso)`),
			whole(None, `(?:en realidad|de hecho),? (?:no|s[ií]|nada|da igual|est[aá] bien|no importa)`),

			begins(Remember, `(?:no|nunca|jam[aá]s) (?:te )?olvides(?: de)?`+that),
			begins(Remember, `(?:no|nunca|jam[aá]s) (?:se )?olvide(?: de)?`+that),

			whole(None, `olv[ií]dalo|olv[ií]date|olvida (?:eso|esto)`),
			whole(None, `siempre|nunca|jam[aá]s`),
			begins(None, `nunca (?:m[aá]s|he|hab[ií]a|digas nunca|mejor|visto|o[ií]do)`),
			begins(None, `siempre (?:que|igual|lo mismo|es un placer|y cuando)`),
			begins(None, `recuerd[ao] (?:cuando|aquel|aquella|aquellos)`),

			begins(Remember, `(?:recuerda|recuerde|memoriza|anota|anote|apunta|apunte)`+that),
			begins(Remember, `(?:acu[eé]rdate|acu[eé]rdese)(?: de)?`+that),
			begins(Remember, `(?:ten|tenga) (?:en cuenta|presente)`+that),
			begins(Remember, `(?:recuerdes|anotes|apuntes|memorices|te acuerdes de|tengas en cuenta)`+that), // after "quiero que"
			begins(Remember, `(?:que )?no se te olvide`+that),
			begins(Remember, `guarda(?: en (?:tu|la) memoria)?(?: esto)?(?:,? que|:)`),
			begins(Remember, `(?:toma|tome) nota(?: de)?`+that),

			begins(Forget, `olvid[ae](?: (?:todo )?lo que (?:te )?(?:dije|he dicho|sabes) (?:de|sobre)| todo sobre| que| lo de)?`),
			begins(Forget, `(?:olv[ií]date|olv[ií]dese) de(?: que| lo de)?`),
			begins(Forget, `(?:te olvides de|olvides)(?: que| lo de)?`), // after "quiero que"
			begins(Forget, `(?:borra|elimina) (?:todo )?lo que sabes (?:de|sobre)`),
			whole(Forget, `(?:borra|elimina|quita) (?P<p>.+?) de (?:tu|la) memoria`),

			begins(Preference, `(?:yo )?(?:prefiero|preferir[ií]a)`),
			begins(Preference, `(?:a m[ií] )?me gustan? m[aá]s`),
			whole(None, `(?:no )?me (?:gustan?|encantan?)(?: (?:eso|esto|mucho|as[ií]))*`),
			begins(None, `me (?:gusta|encanta) (?:c[oó]mo|que (?:me|te|lo)|tu)`),
			begins(Preference, `(?:a m[ií] )?(?:no )?me (?:gustan?|encantan?)`),
			begins(Preference, `(?:responde|responda|contesta|conteste|h[aá]blame|habla|ll[aá]mame|escr[ií]beme|escribe|usa|utiliza|dime|tut[eé]ame)(?: por favor)? (?:siempre|nunca|jam[aá]s)`),
			begins(Preference, `no me (?:WORD ){1,5}(?:nunca|jam[aá]s|m[aá]s)`),
			begins(Preference, `siempre|nunca|jam[aá]s|(?:a partir de|desde|de) ahora(?: en adelante)?`),
			begins(Correct, `en realidad|de hecho|correcci[oó]n|quise decir|quer[ií]a decir`),
			exactly(Correct, `(?:me equivoqu[eé]|error m[ií]o|(?:eso )?no es (?:verdad|correcto|cierto|así)|eso est[aá] mal)[,;:.–—]`),

			begins(Question, who),
			begins(Question, bare),
			begins(Question, `(?:te acuerdas|recuerdas|sabes)(?: de| si| qu[eé]| qui[eé]n| d[oó]nde| cu[aá]ndo| c[oó]mo| cu[aá]l)`),
			begins(Question, `dime (?:`+who+`|`+bare+`|que|quien|donde|cuando|como|cual)`),
		},
	}
}
