package phrase

func german() grammar {
	const (
		verb = `(?:ist|sind|war|waren|bin|bist|hat|habe|hab|haben|hatte|hast|heißt|heisst|heiße|heisse|kann|könnte|soll|sollte|muss|mag|mögen|wird|werden|kommt|geht|gibt|mache|machst|wohnt|wohne|esse|trinke|liegt|steht|arbeite|arbeitet)`
		who  = `(?:was|wer|wen|wem|wessen|wo|wohin|woher|wann|warum|wieso|weshalb|wie|welche[rsnm]?)`
		that = `(?:,? dass|,? das|,? folgendes:?|:)?`
		wish = `(?:ich möchte|ich will),? dass du`
		in   = `(?: jetzt| gerade)?(?: in PLACE)?(?: jetzt| gerade| bitte)?`
	)
	return grammar{
		lang: "de",
		lead: leading(`hallo|hi|hey|guten (?:morgen|tag|abend)|ok|okay|also|und|ach|bitte|danke|nein|ja|sorry|übrigens|nacre|@[\w]+|` + wish),
		tail: trailing(`bitte|danke|ok|okay`),
		rules: []rule{
			whole(Greeting, `(?:hallo|hallöchen|moin(?: moin)?|servus|grüezi|grüß (?:dich|gott)|guten (?:morgen|tag|abend)|gute nacht|morgen)(?:,? nacre| zusammen| du| nochmal)*`),
			whole(Greeting, `wie geht(?:'s|s| es)(?: dir| ihnen)?(?: heute)?`),
			whole(Thanks, `(?:vielen |besten |herzlichen |tausend )?(?:dank|danke|dankeschön|dankesehr)(?: dir| ihnen| schön| sehr| vielmals| nochmals?| auch|,? nacre| für (?:alles|deine hilfe|die hilfe))*`),

			whole(Reminders, `(?:welche|was für) (?:erinnerungen|aufgaben) (?:habe|hab|hatte) ich(?: gestellt| offen| noch| gerade)*`),
			whole(Reminders, `welche (?:erinnerungen|aufgaben) (?:gibt es|sind (?:offen|aktiv|eingestellt|gestellt))`),
			whole(Reminders, `habe? ich (?:noch )?(?:irgendwelche )?erinnerungen(?: gestellt| offen)?`),
			whole(Reminders, `(?:zeige?|nenne?|liste?)(?: mir)?(?: bitte)?(?: alle)? (?:meine |die )?erinnerungen(?: auf| an| bitte)*|meine erinnerungen`),
			whole(Reminders, `woran (?:erinnerst du mich|wirst du mich erinnern)`),

			whole(Change, `(?:bitte )?(?:lösche?|entferne?|streiche?|pausiere?|stoppe?|beende?|ändere?|verschiebe?)(?: bitte)? (?:alle )?(?:(?:die|meine|den|meinen|diese|diesen) )?(?:(?:letzte|nächste|letzten|nächsten) )?(?:erinnerung(?:en)?|aufgaben?|wecker)(?: (?:nummer |nr\.? ?|#)?\d+| (?:an|für) .{1,100})?(?: bitte)?`),
			whole(Change, `schlummern|snooze`),

			whole(TimeQuestion, `wie sp(?:ä|ae|a)t (?:ist|haben) (?:es|wir)(?: es)?`+in),
			whole(TimeQuestion, `wie(?: )?viel uhr (?:ist es|haben wir)`+in),
			whole(TimeQuestion, `(?:wie|was) ist die (?:genaue |aktuelle )?uhrzeit`+in),
			whole(TimeQuestion, `(?:aktuelle )?uhrzeit in PLACE`),
			whole(TimeQuestion, `welche[rn]? (?:wochen)?tag (?:ist|haben wir)(?: es)?(?: heute)?`+in),
			whole(TimeQuestion, `welches datum (?:ist|haben wir)(?: heute)?`+in),
			whole(TimeQuestion, `was ist heute für ein (?:wochen)?tag`),
			whole(TimeQuestion, `(?:der wievielte ist|den wievielten haben wir)(?: heute)?`),
			whole(TimeQuestion, `(?:weißt du|weisst du|sag mir|kannst du mir sagen),? wie sp(?:ä|ae|a)t es(?: in PLACE)? ist`),

			begins(Remember, `(?:kannst|könntest|würdest) du (?:dir )?(?:bitte )?(?:merken|notieren),? dass`).asks(),
			begins(Forget, `(?:kannst|könntest|würdest) du (?:bitte )?vergessen,? dass`).asks(),
			whole(Remember, `(?:kannst|könntest|würdest) du (?:bitte )?(?P<p>.+?) (?:bitte )?(?:nicht|nie) vergessen`).asks(),
			whole(Forget, `(?:kannst|könntest|würdest) du (?:bitte )?(?P<p>.+?) (?:bitte )?vergessen`).asks(),

			// What "das" is was said before.
			whole(None, `merke? dir(?: bitte| mal| gut)* (?:das|dies|es)(?: bitte| mal| gut)*|merke? (?:es|das) dir(?: bitte| mal| gut)*|vergiss (?:das|es) (?:bitte )?nicht`),
			whole(None, `eigentlich,? (?:egal|schon|nicht|nichts|ja|nein|doch(?: nicht)?|passt (?:es|das|schon))`),

			begins(Remember, `(?:vergiss|vergessen Sie) (?:bitte )?(?:nicht|nie|niemals)(?:,? zu)?`+that),
			// The negation may follow its object: "vergiss die Milch nicht".
			begins(Remember, `(?:vergiss|vergessen Sie) (?:bitte |mir )*(?P<p>[^,;:.!?\n]+?) (?:nicht|nie|niemals)`),
			begins(Remember, `(?:bitte )?(?:nicht|nie|niemals) vergessen`+that),

			whole(None, `vergiss (?:es|das|ihn|sie)(?: einfach| wieder| bitte)?`),
			whole(None, `immer|nie|niemals`),
			begins(None, `nie(?:mals)? (?:wieder|mehr|gehört|gesehen|gewesen|im leben)`),
			begins(None, `immer (?:noch|wieder|mit der ruhe|dasselbe|das gleiche|diese[rs]?|gerne?|schön)`),

			begins(Remember, `merke? (?:es )?dir(?: bitte| mal| gut)*`+that),
			begins(Remember, `(?:du (?:sollst|kannst|musst) dir (?:bitte )?merken|`+wish+` dir (?:bitte )?(?:merkst|notierst)),? dass`),
			exactly(Remember, `(?:bitte )?merken[:,]`),
			begins(Remember, `speichere?(?: dir)?(?: bitte)?(?: ab)?(?:,? dass|:)`),
			begins(Remember, `(?:merken Sie sich|denken Sie daran)`+that),
			begins(Remember, `denke? (?:bitte )?(?:immer )?(?:daran|dran)`+that),
			begins(Remember, `(?:behalte?|halte?) (?:bitte )?(?:im kopf|im hinterkopf|in erinnerung|fest)`+that),
			begins(Remember, `(?:notiere?|schreibe?)(?: dir)?(?: bitte)?(?: auf)`+that),
			begins(Remember, `notiere?(?: dir)?(?: bitte)?`+that),
			begins(Remember, `erinnere dich(?: bitte)?(?: daran)?,? dass`),

			whole(Forget, `vergiss(?: bitte)?(?: alles)?,? was ich (?:dir )?über (?P<p>.+?) (?:gesagt|erzählt|geschrieben) habe`),
			whole(Forget, wish+` (?P<p>.+?) vergisst`),
			begins(Forget, `(?:lösche?|streiche?|entferne?) (?:bitte )?alles(?:,? was du)? über`),
			begins(Forget, `vergiss(?: bitte)?(?: alles,? was (?:du|ich) (?:dir )?über| alles über|,? dass)?`),
			begins(Forget, `vergessen Sie(?: bitte)?(?: alles über|,? dass)?`),
			whole(Forget, `(?:lösche|lösch|streiche|streich|entferne) (?:bitte )?(?P<p>.+?) aus (?:(?:deinem|dem) (?:gedächtnis|speicher)|deinen notizen)`),

			begins(Preference, `ich (?:bevorzuge|würde .+ bevorzugen)`),
			begins(Preference, `ich WORD (?:[^.?!\n]+ )?lieber`),
			begins(Preference, `ich ziehe [^.?!\n]+ vor`),
			begins(Preference, `mir (?:ist|wäre) [^.?!\n]*lieber`),
			whole(None, `ich (?:mag|liebe|hasse) (?:das|es|dich|sie|ihn|dies)(?: sehr| so| wirklich| nicht)*`),
			begins(None, `ich (?:mag|liebe|hasse) (?:deine?n?|wie du|es,? wenn du)`),
			begins(Preference, `ich (?:mag|liebe|hasse)`),
			begins(Preference, `(?:antworten?|nenne?|spreche?n?|sprich|schreibe?|benutze?|verwende?|sage?|gib|zeige?|rede?|rufe?|frage?|duze?|sieze?)(?: (?:Sie|mir|mich|bitte|mit mir)){0,3} (?:immer|stets|nie|niemals|nur noch)`),
			begins(Preference, `ich (?:benutze|esse|fahre|fliege|frühstücke|kaufe|koche|lese|nehme|rauche|schlafe|trage|trinke|verwende|zahle) (?:[^.?!\n]+ )?(?:immer|nie|niemals|kein(?:e|en)?)`),
			begins(Preference, `immer|nie|niemals|ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an|in zukunft|künftig`),
			begins(Correct, `eigentlich|tats(?:ä|ae)chlich|korrektur|richtigstellung|ich meinte`),
			exactly(Correct, `(?:falsch|mein fehler|(?:das )?stimmt nicht|das (?:ist|war) falsch|ich habe mich (?:geirrt|vertan|verschrieben))[,;:.–—]`),

			begins(Question, who+` `+verb),
			begins(Question, `wie (?:viele?|alt|lange|oft|weit|groß)`),
			begins(Question, `welche[rsnm]? (?:WORD ){1,3}`+verb),
			begins(Question, `(?:erinnerst|weißt|weisst|kennst) du`),
			begins(Question, `(?:habe?|bin|war) ich`),
			begins(Question, `sag(?:e)? mir,? `+who),

			whole(Preference, `[^.?!\n]+ (?:ist|sind|wäre) mir (?:[^.?!\n]+ )?lieber(?: als [^.?!\n]+)?`),
		},
	}
}
