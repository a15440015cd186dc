package phrase

func french() grammar {
	const (
		who  = `(?:que|qui|où|ou|quand|pourquoi|comment|combien|quel|quelle|quels|quelles)`
		that = `(?:,? que| de|(?: ceci| cela| ça)?[\s\p{Z}]*:)?`
		elid = ` (?:qu|d)'` // "qu'il", "d'acheter"
		in   = `(?: maintenant)?(?: (?:à|a|au|aux|en) PLACE)?(?: maintenant| stp| svp)?`
		can  = `(?:peux-tu|tu peux|pourrais-tu|tu pourrais|pouvez-vous|vous pouvez|pourriez-vous)(?: s'il (?:te|vous) pla[iî]t)?`
		keep = `(?:retiens|retenez|m[eé]morise|souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|(?:n')?oublie(?:z)? (?:surtout )?(?:pas|jamais)|(?:à )?ne (?:pas|jamais) oublier|garde(?:z)? en (?:t[eê]te|m[eé]moire)|prends note)(?: bien)?`
		wish = `(?:je (?:veux|voudrais)|j'aimerais) que tu`
		drop = `oublie(?:z)?(?: (?:tout )?ce que (?:je t'ai dit|j'ai dit|tu sais) (?:sur|de)| tout sur)?`
	)
	return grammar{
		lang: "fr",
		lead: leading(`bonjour|bonsoir|salut|coucou|ok|d'accord|bon|alors|et|ah|euh|merci|non|oui|pardon|stp|svp|s'il (?:te|vous) pla[iî]t|au fait|nacre|@[\w]+`),
		tail: trailing(`s'il (?:te|vous) pla[iî]t|stp|svp|merci|ok|okay`),
		rules: []rule{
			whole(Greeting, `(?:bonjour|bonsoir|salut|coucou|bonne (?:journ[eé]e|soir[eé]e|nuit))(?:,? nacre| tout le monde| à tous| à toi)*`),
			whole(Greeting, `(?:comment )?(?:ça va|ca va|vas-tu|allez-vous)(?: bien)?`),
			whole(Thanks, `(?:merci|mille mercis|grand merci)(?: beaucoup| bien| infiniment| encore| à toi|,? nacre| pour (?:tout|ça|ton aide|votre aide))*`),

			whole(Reminders, `quels (?:sont (?:mes|les) rappels|rappels (?:ai-je|j'ai|y a-t-il|sont (?:actifs|pr[eé]vus)))`),
			whole(Reminders, `(?:tous )?(?:mes|les) rappels|(?:est-ce que j'ai|ai-je|j'ai) des rappels`),
			whole(Reminders, `(?:montre|liste|donne)(?:-moi)?(?: tous)? (?:mes|les) rappels`),

			whole(Change, `(?:supprime|efface|annule|retire|arrête|arrete|change|modifie|déplace|deplace|reporte)(?:z)?(?: tous)?(?: (?:le|les|mon|mes|ce|ces))?(?: dernier)? (?:rappels?|tâches?|taches?|alarmes?)(?: (?:num[eé]ro |n° ?|#)?\d+)?(?: (?:stp|svp|s'il te plaît))?`),
			whole(Change, `snooze|répéter plus tard`),

			whole(TimeQuestion, `quelle heure (?:est-il|est il|il est|est-ce qu'il est)`+in),
			whole(TimeQuestion, `il est quelle heure`+in),
			whole(TimeQuestion, `(?:tu as|as-tu|vous avez|avez-vous) l'heure`),
			whole(TimeQuestion, `(?:quel jour (?:sommes-nous|sommes nous|nous sommes|on est|est-on)|on est quel jour|on est le combien)(?: aujourd'hui)?`),
			whole(TimeQuestion, `quelle (?:est la )?date(?: sommes-nous| est-on| on est| du jour| d'aujourd'hui| aujourd'hui)*`),
			whole(TimeQuestion, `(?:dis-moi|donne-moi|sais-tu|tu sais|peux-tu me dire) (?:l'heure(?: qu'il est)?|quelle heure il est)`+in),

			begins(Remember, can+` (?:retenir|noter|te souvenir|vous souvenir|te rappeler) que`).asks(),
			exactly(Remember, can+` (?:retenir|noter|te souvenir|vous souvenir|te rappeler)`+elid).asks(),
			begins(Forget, can+` oublier(?: que)?`).asks(),

			// What "ça" is was said before.
			whole(None, `(?:retiens|retenez|m[eé]morise|note|(?:souviens|rappelle)-toi de|(?:n')?oublie pas)(?: bien)? (?:ça|ca|cela|ceci)`),
			whole(None, `en fait,? (?:non|oui|rien|c'est bon|peu importe|tant pis|laisse tomber)`),

			whole(None, `oublie(?:z)?(?: ça| cela| tout ça)?|laisse tomber`),
			whole(None, `toujours|jamais`),
			begins(None, `toujours (?:pas|est-il|aussi|autant|le même|la même|un plaisir|rien|là)`),
			begins(None, `jamais (?:vu|entendu|deux sans trois|de la vie|plus|je)`),
			begins(None, `retiens pas`),
			begins(None, `(?:rappelle-toi|souviens-toi) (?:quand|du temps|de l'époque)`),

			exactly(Remember, keep+elid),
			begins(Remember, keep+that),
			exactly(Remember, `(?:note|enregistre)(?:z)?(?: bien)? qu'`),
			begins(Remember, `(?:note|enregistre)(?:z)?(?: bien)?(?:,? que|[\s\p{Z}]*:)`),
			exactly(Remember, wish+` (?:retiennes|notes|te souviennes|te rappelles)`+elid),
			begins(Remember, wish+` (?:retiennes|notes|te souviennes|te rappelles)(?:,? que| de)?`),

			exactly(Forget, drop+` qu'`),
			begins(Forget, drop+`(?: que)?`),
			begins(Forget, wish+` oublies(?: que)?`),
			begins(Forget, `(?:efface|supprime)(?:z)? (?:tout )?ce que tu sais (?:sur|de)`),
			whole(Forget, `(?:efface|supprime|retire) (?P<p>.+?) de (?:ta|la) m[eé]moire`),

			begins(Preference, `je pr[eé]f[eèé]re(?:rais)?|j'aime(?:rais)? mieux`),
			whole(None, `j'(?:aime|adore|d[eé]teste)(?: (?:bien|beaucoup|trop|ça|ca|cela|pas))*`),
			begins(None, `j'(?:aime|adore|d[eé]teste) (?:t[aeo]n?|tes|comment tu|quand tu|la façon)`),
			begins(Preference, `j'(?:aime|adore|d[eé]teste)|je (?:n'aime|d[eé]teste)`),
			begins(Preference, `(?:r[eé]ponds|r[eé]pondez|appelle|appelez|parle|parlez|[eé]cris|[eé]crivez|utilise|utilisez|dis|dites|tutoie|vouvoie)(?:-moi)?(?: stp| svp)? (?:toujours|jamais|d[eé]sormais)`),
			begins(Preference, `toujours|jamais|d[eé]sormais|dor[eé]navant|(?:à|a) partir de maintenant`),
			begins(Preference, `je (?:ne |n')?(?:achète|bois|cuisine|dors|fume|lis|mange|porte|prends|travaille|utilise) (?:[^.?!\n]+ )?(?:jamais|toujours)`),
			begins(Preference, `n(?:e |')[^.?!\n]+ jamais`),
			begins(Correct, `en fait|en réalité|en realite|correction|je voulais dire`),
			exactly(Correct, `(?:je me suis tromp[eé]e?|c'est (?:faux|inexact)|ce n'est pas (?:vrai|exact)|erreur de ma part)[\s\p{Z}]*[,;:.–—]`),

			begins(Question, `(?:qu'est-ce (?:que|qui)|est-ce que|qui (?:est|sont|a)|où (?:est|sont|ai-je|habite)|quand (?:est|sont|ai-je|est-ce)|pourquoi|combien)`),
			begins(Question, `comment (?:s'appelle(?:nt)?|est|va|je|tu|on|il|elle)`),
			begins(Question, `quel(?:le)?s? (?:WORD ){0,3}(?:est|sont|était|ai-je)`),
			begins(Question, `(?:te souviens-tu|tu te souviens|sais-tu|tu sais) (?:que|de|si|`+who+`)`),
			begins(Question, `dis-moi `+who),
		},
	}
}
