package phrase

func english() grammar {
	const (
		verb = `(?:is|are|am|was|were|do|does|did|can|could|should|would|will|has|have|had)`
		who  = `(?:what|who|whom|whose|where|when|why|how|which)`
		now  = `(?: now| right now| today)?`
		in   = `(?:(?: over)? in PLACE)?(?: now| right now| please)?`
	)
	return grammar{
		lang: "en",
		lead: leading(`hi|hello|hey|hi there|ok|okay|oh|ah|well|so|and|also|but|please|pls|plz|thanks|thank you|no|nope|yes|yeah|sorry|by the way|btw|nacre|@[\w]+|` +
			`(?:i'd like|i would like|i want|i need) you to|you (?:should|can|must|may)|(?:make|be) sure (?:to|you)`),
		tail: trailing(`please|pls|plz|thanks|thank you|ok|okay`),
		rules: []rule{
			whole(Greeting, `(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day|night)|morning)(?:,? (?:there|again|everyone|all|nacre))*`),
			whole(Greeting, `how are you(?: doing)?(?: today)?`),
			whole(Thanks, `(?:many )?(?:thanks|thank you|thx|ty|cheers)(?: (?:so|very) much| a (?:lot|million|bunch)| again|,? nacre| for (?:that|this|your help|the help|everything|the info))*`),

			whole(Reminders, `(?:what|which) (?:reminders?|jobs) (?:do i have|have i(?: set| got)?|are (?:there|set|active|open|pending|left|coming(?: up)?))(?: set| open| left| now)?`),
			whole(Reminders, `(?:do i have|are there|have i(?: got)?) (?:any|some) (?:reminders|jobs)(?: set| open| left)?`),
			whole(Reminders, `(?:(?:can|could) you )?(?:please )?(?:show|list|tell)(?: me)?(?: all)?(?: of)? (?:my|the) (?:reminders|jobs)`),
			whole(Reminders, `(?:what are )?my (?:reminders|jobs)(?: please)?`),

			whole(Change, `(?:(?:can|could|would) you )?(?:please )?(?:delete|cancel|remove|erase|clear|pause|resume|stop|turn off|snooze|change|move|edit|postpone) (?:(?:all|all of|any) )?(?:(?:my|the|this|that|these) )?(?:(?:last|next) )?(?:reminders?|jobs?|alarms?)(?: (?:number |no\.? ?|#)?\d+| (?:about|for|of|to) .{1,100})?(?: please)?`),
			whole(Change, `snooze(?: (?:it|this|that))?(?: (?:for|by) .{1,30})?`),

			whole(TimeQuestion, `what time is it`+now+in),
			whole(TimeQuestion, `what(?:'s| is) the (?:current |exact |local )?time`+now+in),
			whole(TimeQuestion, `(?:what|which) (?:day(?: of the week)?|date|month|year) is (?:it|today)`+now+in),
			whole(TimeQuestion, `what(?:'s| is) (?:today's date|the (?:date|day)(?: of)?|today)`+now+in),
			whole(TimeQuestion, `(?:do you know|can you tell me|could you tell me|tell me) (?:the (?:current )?time|the date|what time it is|what (?:day|date) it is)`+now+in),
			whole(TimeQuestion, `(?:the )?(?:current|local) (?:time|date)`+in),
			whole(TimeQuestion, `time in PLACE`),

			begins(Remember, `(?:can|could|would|will) you (?:please )?(?:remember|keep in mind|note(?: down)?|make a note)(?: that| to)`).asks(),
			begins(Forget, `(?:can|could|would) you (?:please )?forget(?: about| that)?`).asks(),

			// What "that" is was said before.
			whole(None, `(?:always )?(?:remember|memori[sz]e|save|note|write down|keep in mind|(?:do not|don't|dont|never) forget) (?:this|that|it|me)(?: please| now| for me| for later)*`),
			whole(None, `actually,? (?:no|nope|yes|yeah|not|nothing|(?:it|that)(?:'s| is) (?:all|enough|fine|good|great|nothing|ok|okay|right|true))(?: then| thanks)?`),

			begins(Remember, `(?:do not|don't|dont|never) (?:you )?(?:ever |dare |let me )?forget(?: that| to| about)?`),

			whole(None, `(?:just )?forget (?:about )?(?:it|this|that)(?: then| for now| please)?`),
			begins(None, `never (?:mind|again|been|seen|heard|had|ever|say never|thought|knew|happened|a)`),
			whole(None, `never|always`),
			begins(None, `always (?:a|the|been|wanted|thought|happy|glad|good|nice|great|fun|here|there|welcome)`),
			begins(None, `remember (?:when|back when|those|the (?:time|day|days) (?:when|we|i|you))`),
			begins(Question, `remember (?:what|who|where|why|how|which)`),

			begins(Remember, `(?:save|add|store|commit)(?: this| that| it)? (?:to|in) (?:your |the )?(?:memory|notes)(?: that)?`),
			begins(Remember, `(?:always )?(?:remember|memori[sz]e|keep in mind|bear in mind|make a note|take note|take a note|(?:write|note|jot) down|note to self|note that|note:|save this|save that)(?: that| to| of| this(?::|,))?`),
			begins(Remember, `for (?:future|later) reference`),
			begins(Forget, `forget(?: (?:everything|anything|all|what)(?: that)?(?: (?:i|we|you)(?:'ve| have)?(?: just| ever)? (?:said|told you|wrote|mentioned|know|learned|learnt))? about| about| that)?`),
			begins(Forget, `(?:delete|erase|remove|stop remembering) (?:everything|anything|all|what)(?: that)? you(?:'ve| have)? (?:know|remember|saved|stored|learned|learnt) (?:about|of)`),
			begins(Forget, `(?:delete|erase|remove) (?:the|your|that) (?:note|notes|entry|memory|memories) (?:about|of|on)`),
			begins(Forget, `stop remembering(?: that)?`),
			whole(Forget, `(?:delete|erase|remove) (?P<p>.+?) from (?:your |the )?(?:memory|notes)(?: please)?`),

			begins(Preference, `i(?:'d| would| do)?(?: much| really| strongly| generally| usually)? prefer`),
			begins(Preference, `i(?:'d| would) rather`),
			begins(Preference, `i like [^.?!\n]+ (?:better|more) than`),
			begins(None, `i(?: really| just| do)? (?:like|love|hate|dislike|enjoy) (?:it|that|this|these|those|you|your|them|how|what|the way|to think)`),
			begins(Preference, `i(?: really| absolutely| do| don't| do not)? (?:like|love|hate|dislike|enjoy|can't stand|cannot stand)`),
			begins(Preference, `i (?:always|never) (?:buy|cook|drink|drive|eat|fly|get up|listen|pay|read|ride|sleep|smoke|take|travel|use|walk|watch|wear|work)`),
			begins(Preference, `always|never|from now on|(?:do not|don't|dont) ever`),
			begins(Correct, `actually|correction|i meant(?: to say)?|i should have said`),
			exactly(Correct, `(?:i was wrong|i misspoke|my mistake|scratch that|that(?:'s| is| was) (?:wrong|incorrect|not (?:right|true|correct)))[,;:.–—]`),

			begins(Question, who+`(?:'s|'re| `+verb+`)`),
			begins(Question, `how (?:many|much|old|long|far|often|big|tall|late|early)`),
			begins(Question, `(?:what|which|whose) (?:WORD ){1,3}`+verb),
			begins(Question, `do you (?:remember|know|recall)`),
			begins(Question, `(?:did|do|have|had|am|was|were) (?:i|we)`),
			begins(Question, `(?:tell|remind) me (?:`+who+`|about)`),
		},
	}
}
